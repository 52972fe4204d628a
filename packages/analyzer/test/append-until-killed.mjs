// Appends to the journal of a directory until it is killed, and prints each acknowledged position with the number that
// the batch carries. Eight senders, so that commits hold several batches. Needs a build.
import { writeSync } from 'node:fs';
import { createSqliteJournal } from '../dist/journal/sqlite/journal.js';

const [directory, durability, first] = process.argv.slice(2);
const journal = await createSqliteJournal({ directory, durability });
let number = Number(first);

async function send() {
  for (;;) {
    const mine = number++;
    const piece = Buffer.alloc(300 + (mine % 400), mine & 0xff);
    piece.writeUInt32LE(mine, 0);
    const position = await journal.append({ receivedAt: mine, pieces: [piece, piece.subarray(0, 4)] });
    // Straight to the pipe: what is printed here has left the process, whatever comes next.
    print(`${position} ${mine}\n`);
    journal.taken(position);
    if (mine % 50 === 0) journal.delivered([{ key: `h${mine}`, revision: 1, verdictId: `v${mine}`, at: mine }]);
  }
}

/** Whoever reads may be slower than who writes: a pipe that is full is waited for. */
function print(line) {
  for (;;) {
    try {
      return writeSync(1, line);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

await Promise.all(Array.from({ length: 8 }, send));
