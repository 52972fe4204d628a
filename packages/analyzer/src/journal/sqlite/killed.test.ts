import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { all, openJournal, scratch } from '../../../test/journal.js';

const CHILD = fileURLToPath(new URL('../../../test/append-until-killed.mjs', import.meta.url));
const MOMENTS = 5;

interface Acknowledged {
  readonly position: number;
  readonly number: number;
}

/** Kills the child with SIGKILL once it has printed so many acknowledgements; resolves with all that it printed. */
function runUntilKilled(directory: string, durability: string, first: number, after: number): Promise<Acknowledged[]> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, directory, durability, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  let lines = 0;
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    lines += text.split('\n').length - 1;
    if (lines >= after) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(`the child ended by itself (${String(signal)})`));
      // The last line may be cut.
      const whole = printed.slice(0, printed.lastIndexOf('\n') + 1).trimEnd();
      resolve(
        whole.split('\n').map((line) => {
          const [position, number] = line.split(' ').map(Number);
          return { position: position!, number: number! };
        }),
      );
    });
  });
}

it.each(['process', 'power'] as const)(
  'holds every acknowledged batch after kill -9 at random moments (%s)',
  async (durability) => {
    const directory = scratch();
    const acknowledged: Acknowledged[] = [];
    const moments = Array.from({ length: MOMENTS }, () => 1 + Math.floor(Math.random() * 1_500));
    for (const after of moments) {
      const first = acknowledged.reduce((most, { number }) => Math.max(most, number), 0) + 1_000_000;
      acknowledged.push(...(await runUntilKilled(directory, durability, first, after)));
    }
    const journal = await openJournal(directory);
    const found = new Map((await all(journal.replay())).map((batch) => [batch.position, batch]));
    const wrong = acknowledged.filter(({ position, number }) => {
      const batch = found.get(position);
      if (batch?.receivedAt !== number || batch.pieces.length !== 2) return true;
      return batch.pieces.some((piece) => Buffer.from(piece).readUInt32LE(0) !== number);
    });
    expect({ moments, wrong }).toEqual({ moments, wrong: [] });
    expect(acknowledged.length).toBeGreaterThanOrEqual(MOMENTS);
    expect(new Set(acknowledged.map(({ position }) => position)).size).toBe(acknowledged.length);
  },
  120_000,
);
