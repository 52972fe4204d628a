import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { scratch } from '../../../test/journal.js';
import { openDatabase, setting } from './schema.js';
import { lockDirectory } from './lock.js';

const CHILD = fileURLToPath(new URL('../../../test/append-until-killed.mjs', import.meta.url));
const strace = spawnSync('strace', ['-V']).status === 0;

/** System calls of an appending child, in their order: flushes of the log file, and answers as they are printed. */
async function traced(durability: string): Promise<('flush' | 'answer')[]> {
  const directory = scratch();
  const log = path.join(directory, 'trace');
  const args = ['-f', '-y', '-o', log, '-e', 'trace=fsync,fdatasync,write', process.execPath, CHILD];
  const child = spawn('strace', [...args, path.join(directory, 'data'), durability, '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const kill = (): void => void process.kill(-child.pid!, 'SIGKILL');
  let over = false;
  onTestFinished(() => (over ? undefined : kill()));
  let lines = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    lines += text.split('\n').length - 1;
    if (lines >= 200 && !over) {
      over = true;
      kill();
    }
  });
  await new Promise((resolve) => child.once('close', resolve));
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (/(fsync|fdatasync)\(\d+<[^>]*journal\.sqlite-wal>/.test(line)) return ['flush' as const];
      return / write\(1<[^>]*>, "\d+ \d+\\n"/.test(line) ? ['answer' as const] : [];
    });
}

// What the system was asked for, where strace can see it; the test after it does without.
it.skipIf(!strace)(
  'flushes the log before each answer with durability=power, and for no answer with process',
  async () => {
    const power = await traced('power');
    expect(power.filter((call) => call === 'answer').length).toBeGreaterThanOrEqual(200);
    // Eight senders wait at most, so that no flush can be what more than eight answers go back to.
    let since = Infinity;
    const most = power.reduce((largest, call) => {
      since = call === 'flush' ? 0 : since + 1;
      return Math.max(largest, since);
    }, 0);
    expect(most).toBeLessThanOrEqual(8);
    const calm = await traced('process');
    expect(calm.filter((call) => call === 'answer').length).toBeGreaterThanOrEqual(200);
    expect(calm.filter((call) => call === 'flush').length).toBeLessThanOrEqual(1);
  },
  60_000,
);

it('opens the database as the durability says', () => {
  for (const [durability, synchronous] of [
    ['process', 1],
    ['power', 2],
  ] as const) {
    const directory = scratch();
    const lock = lockDirectory(directory);
    const database = openDatabase({ directory, durability });
    expect(setting(database, 'journal_mode')).toMatchObject({ journal_mode: 'wal' });
    expect(setting(database, 'synchronous')).toMatchObject({ synchronous });
    database.close();
    lock.release();
  }
});
