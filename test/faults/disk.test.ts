import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLoad } from './client/load.js';
import { createRandom, seedOf } from './random.js';
import { PACE, type Run, sentBy, startRun } from './run.js';

const seed = seedOf(process.env['SEAMTRACE_SEED']);
const LEFT_FREE = 256 * 1024;

function scratch(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'seamtrace-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file system of its own size on memory; undefined where this user may not mount one. */
function smallDisk(megabytes: number): string | undefined {
  const folder = scratch();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', folder]));
  return folder;
}

interface Trouble {
  readonly data: string;
  /** Makes the journal unable to write; resolves with what ends that. */
  readonly begin: () => Promise<() => Promise<void>>;
}

/** Load before, during and after the trouble; then a kill, so that only what is on disk counts. */
async function through({ data, begin }: Trouble): Promise<Run> {
  const run = await startRun({ seed, args: ['--data', data] });
  onTestFinished(run.close);
  const random = createRandom(seed);
  const load = startLoad({ random, pace: PACE, senders: run.senders, familiesPerSecond: 150 });
  await sleep(1_000);
  const end = await begin();
  while (sentBy(run.senders).later < 3) await sleep(20);
  const { admin } = await run.life().ready;
  expect((await fetch(`${admin}/healthz`)).status).toBe(200);
  await end();
  const before = run.log.sizes().acknowledged;
  // The service says when to come back, and takes everything again by itself.
  while (run.log.sizes().acknowledged === before) await sleep(20);
  await load.finish();
  await run.end('SIGKILL');
  run.begin();
  return run;
}

async function expectNothingLost(run: Run): Promise<void> {
  const { differences, attempts } = await run.compared();
  expect(differences, `seed ${seed}`).toEqual([]);
  // A 503 without Retry-After would be among these.
  expect(run.complaints).toEqual([]);
  expect(attempts).toBeGreaterThan(50);
  await run.end('SIGTERM');
}

describe('while the journal cannot be written, senders are put off and nothing acknowledged is lost', () => {
  it('on a full disk', async (test) => {
    const disk = smallDisk(64);
    if (disk === undefined) {
      expect(process.env['CI'], 'mounting a small tmpfs needs root, which CI must have').not.toBe('true');
      test.skip('mounting a small tmpfs needs root');
    }
    const ballast = path.join(disk!, 'ballast');
    const begin = async () => {
      const { bavail, bsize } = statfsSync(disk!);
      writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_FREE), 1));
      return async () => rmSync(ballast);
    };
    await expectNothingLost(await through({ data: path.join(disk!, 'data'), begin }));
  });

  it('while another program holds the lock of the database', async () => {
    const data = scratch();
    const begin = async () => {
      const script = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
db.execute('BEGIN EXCLUSIVE')
print('locked', flush=True)
sys.stdin.read()`;
      const holder = spawn('python3', ['-c', script, path.join(data, 'journal.sqlite')]);
      await once(holder.stdout, 'data');
      return async () => {
        holder.stdin.end();
        await once(holder, 'close');
      };
    };
    await expectNothingLost(await through({ data, begin }));
  });
});
