import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { all, openJournal, piece, scratch, until } from '../../../test/journal.js';
import type { Journal } from '../journal.js';
import { createSqliteJournal } from './journal.js';
import type { JournalObserver } from './options.js';
import { type StoreThread, spawnThread } from './thread.js';

const open = (directory: string): Promise<Journal> => createSqliteJournal({ directory, durability: 'process' });

function heard(): { readonly observer: JournalObserver; readonly news: string[] } {
  const news: string[] = [];
  return {
    news,
    observer: { fault: (reason) => news.push(reason), recovered: () => news.push('recovered') },
  };
}

/** Appends until one is refused; returns the positions that were promised. */
async function fill(journal: Journal, bytes: number, from = 0): Promise<{ kept: number[]; refusal: unknown }> {
  const kept: number[] = [];
  for (let at = from; ; at += 1) {
    try {
      kept.push(await journal.append({ receivedAt: at, pieces: [piece(at, bytes)] }));
    } catch (refusal) {
      return { kept, refusal };
    }
  }
}

/** Lets the thread die of a programmer's error, an exception that nobody catches. */
function kill(thread: StoreThread): void {
  thread.send({ type: 'commit' } as never);
}

/** A file system of its own size on memory; undefined where this user may not mount one. */
function smallDisk(megabytes: number): string | undefined {
  const directory = scratch();
  const size = `size=${megabytes}m`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', directory]).status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['-l', directory]));
  return directory;
}

describe('a full disk', () => {
  it('refuses with a time to come back, keeps what was promised, and goes on by itself when there is space', async (test) => {
    const disk = smallDisk(6);
    if (disk === undefined) test.skip('mounting a small tmpfs needs root; the next test does without');
    const ballast = path.join(disk!, 'ballast');
    writeFileSync(ballast, Buffer.alloc(3_000_000, 1));
    const { observer, news } = heard();
    const directory = path.join(disk!, 'data');
    const journal = await openJournal(directory, { observer });
    const { kept, refusal } = await fill(journal, 20_000);
    expect(refusal).toMatchObject({ name: 'JournalUnavailable', reason: 'full', retryAfterSeconds: 15 });
    expect((refusal as Error).message).not.toContain(disk);
    expect(kept.length).toBeGreaterThan(10);
    expect(news).toEqual(['full']);
    rmSync(ballast);
    const next = await journal.append({ receivedAt: 9_999, pieces: [piece(1)] });
    expect(next).toBeGreaterThan(kept.at(-1)!);
    expect(news).toEqual(['full', 'recovered']);
    await journal.close();
    const replayed = await all((await openJournal(directory)).replay());
    expect(replayed.map(({ position }) => position)).toEqual([...kept, next]);
  });

  it('makes room by itself when what fills it is released', async (test) => {
    const disk = smallDisk(6);
    if (disk === undefined) test.skip('mounting a small tmpfs needs root');
    const directory = path.join(disk!, 'data');
    const journal = await openJournal(directory);
    const { kept } = await fill(journal, 20_000);
    journal.keep([{ kind: 'task', key: 'needed', state: piece(7, 100), at: 1_000_000 }]);
    journal.release(kept.length);
    await until(async () => {
      return journal.append({ receivedAt: 1_000_000, pieces: [piece(2, 20_000)] }).then(
        () => true,
        () => false,
      );
    });
    await journal.close();
    const again = await openJournal(directory);
    expect((await all(again.kept())).map(({ key }) => key)).toEqual(['needed']);
    expect((await all(again.replay())).map(({ receivedAt }) => receivedAt)).toEqual([1_000_000]);
  });

  it('is told alike by a database that may not grow (no root needed)', async () => {
    const directory = scratch();
    const { observer, news } = heard();
    const journal = await openJournal(directory, { maxPages: 100, observer });
    const { kept, refusal } = await fill(journal, 20_000);
    expect(refusal).toMatchObject({ reason: 'full' });
    journal.release(kept.length);
    await until(async () => {
      return journal.append({ receivedAt: 1_000_000, pieces: [piece(2, 20_000)] }).then(
        () => true,
        () => false,
      );
    });
    expect(news.at(-1)).toBe('recovered');
  });
});

describe('a lock of another program', () => {
  it('refuses a second journal on the directory, of this process or another, and names the directory', async () => {
    const directory = scratch();
    await openJournal(directory);
    await expect(open(directory)).rejects.toMatchObject({ name: 'JournalUnusable', reason: 'locked' });
    const module = new URL('../../../dist/journal/sqlite/journal.js', import.meta.url).href;
    const script = `const { createSqliteJournal } = await import(${JSON.stringify(module)});
      await createSqliteJournal({ directory: ${JSON.stringify(directory)}, durability: 'process' }).then(
        (journal) => journal.close(), (error) => console.log(error.reason, error.message));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(child.stdout).toMatch(/^locked another process/);
    expect(child.stdout).toContain(directory);
  });

  it('ends with the process that held it, whatever it left behind', async () => {
    const directory = scratch();
    const child = new URL('../../../test/append-until-killed.mjs', import.meta.url).pathname;
    const holder = spawn(process.execPath, [child, directory, 'process', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => holder.stdout.once('data', resolve));
    await expect(open(directory)).rejects.toMatchObject({ reason: 'locked' });
    const gone = new Promise((resolve) => holder.once('close', resolve));
    holder.kill('SIGKILL');
    await gone;
    expect((await all((await openJournal(directory)).replay())).length).toBeGreaterThan(0);
  });

  it('refuses appends while it lasts, and takes them again after', async () => {
    const directory = scratch();
    const { observer, news } = heard();
    const journal = await openJournal(directory, { observer });
    const first = await journal.append({ receivedAt: 1, pieces: [piece(1)] });
    const other = new Database(path.join(directory, 'journal.sqlite'));
    other.exec('BEGIN IMMEDIATE');
    await expect(journal.append({ receivedAt: 2, pieces: [piece(2)] })).rejects.toMatchObject({
      name: 'JournalUnavailable',
      reason: 'locked',
      retryAfterSeconds: 2,
    });
    other.exec('ROLLBACK');
    other.close();
    expect(await journal.append({ receivedAt: 3, pieces: [piece(3)] })).toBe(first + 1);
    expect(news).toEqual(['locked', 'recovered']);
  });
});

describe('the storage thread', () => {
  it('comes back when it dies: what waited is refused, what was promised is there', async () => {
    const directory = scratch();
    const threads: StoreThread[] = [];
    const { observer, news } = heard();
    const journal = await openJournal(directory, { observer }, (...how) => {
      const thread = spawnThread(...how);
      threads.push(thread);
      return thread;
    });
    const kept = [await journal.append({ receivedAt: 1, pieces: [piece(1)] })];
    journal.delivered([{ key: 'k', revision: 1, verdictId: 'v', at: 1 }]);
    kill(threads[0]!);
    const waiting = journal.append({ receivedAt: 2, pieces: [piece(2)] });
    await expect(waiting).rejects.toMatchObject({ name: 'JournalUnavailable', reason: 'crashed' });
    await until(async () => {
      return journal.append({ receivedAt: 3, pieces: [piece(3)] }).then(
        (position) => kept.push(position) > 0,
        () => false,
      );
    });
    expect(threads).toHaveLength(2);
    expect(news).toEqual(['crashed', 'recovered']);
    await journal.close();
    const again = await openJournal(directory);
    const found = (await all(again.replay())).map(({ position }) => position);
    expect(found).toEqual(expect.arrayContaining(kept));
    expect(await all(again.marks())).toContainEqual({ key: 'k', revision: 1, verdictId: 'v', at: 1 });
  });
});

it('writes behind what came while the storage thread was gone, without a batch to go along with', async () => {
  const directory = scratch();
  const threads: StoreThread[] = [];
  const commits: number[] = [];
  const journal = await openJournal(
    directory,
    { observer: { committed: (batches) => commits.push(batches) } },
    (...how) => {
      const thread = spawnThread(...how);
      threads.push(thread);
      return thread;
    },
  );
  kill(threads[0]!);
  journal.delivered([{ key: 'k', revision: 1, verdictId: 'v', at: 1 }]);
  await until(() => threads.length === 2 && commits.length === 1);
  await journal.close();
  expect(await all((await openJournal(directory)).marks())).toHaveLength(1);
});

describe('a journal that cannot be used', () => {
  /** A closed journal with some batches, and its file. */
  async function closed(): Promise<{ directory: string; file: string }> {
    const directory = scratch();
    const journal = await openJournal(directory);
    for (let at = 0; at < 20; at += 1) await journal.append({ receivedAt: at, pieces: [piece(at, 20_000)] });
    await journal.close();
    return { directory, file: path.join(directory, 'journal.sqlite') };
  }

  it('is damaged at its head', async () => {
    const { directory, file } = await closed();
    writeFileSync(file, Buffer.alloc(20_000, 0x5a));
    await expect(open(directory)).rejects.toMatchObject({ name: 'JournalUnusable', reason: 'corrupt' });
    expect(readFileSync(file)).toEqual(Buffer.alloc(20_000, 0x5a));
  });

  it('was cut to nothing, or its file is gone while its log is there', async () => {
    const { directory, file } = await closed();
    copyFileSync(file, `${file}-wal`);
    rmSync(file);
    await expect(open(directory)).rejects.toMatchObject({ reason: 'corrupt' });
    writeFileSync(file, '');
    await expect(open(directory)).rejects.toThrow(/journal\.sqlite is empty/);
    truncateSync(file);
  });

  it('has one bit wrong within the evidence', async () => {
    const { directory, file } = await closed();
    const bytes = readFileSync(file);
    // The last copy: the first may lie in the unused part of a page, which nobody reads.
    const at = bytes.lastIndexOf(Buffer.from(piece(7, 3_000)).subarray(2_000, 2_600));
    expect(at).toBeGreaterThan(0);
    bytes[at + 300]! ^= 1;
    writeFileSync(file, bytes);
    const journal = await openJournal(directory);
    const replayed = all(journal.replay()).then(({ length }) => length);
    await expect(replayed).rejects.toMatchObject({ name: 'JournalUnusable', reason: 'corrupt' });
    await expect(replayed).rejects.toThrow(/checksum of batch \d+/);
  });

  it('is of a newer version, or of another program', async () => {
    const { directory, file } = await closed();
    const database = new Database(file);
    database.exec(`UPDATE meta SET value = '2' WHERE name = 'format'`);
    database.close();
    await expect(open(directory)).rejects.toMatchObject({ reason: 'newer' });
    await expect(open(directory)).rejects.toThrow(/has format 2; this version reads up to 1/);
    rmSync(file);
    const foreign = new Database(file);
    foreign.exec('CREATE TABLE theirs (x)');
    foreign.close();
    await expect(open(directory)).rejects.toThrow(/database of another program/);
  });

  it('lies where no directory can be', async () => {
    const file = path.join(scratch(), 'file');
    writeFileSync(file, '');
    await expect(open(path.join(file, 'data'))).rejects.toMatchObject({ reason: 'unwritable' });
    await expect(open(file)).rejects.toMatchObject({ reason: 'unwritable' });
  });

  it('lies on a disk that cannot be written', async (test) => {
    const disk = smallDisk(4);
    if (disk === undefined) test.skip('mounting a disk read-only needs root');
    const directory = path.join(disk!, 'data');
    mkdirSync(directory);
    expect(spawnSync('mount', ['-o', 'remount,ro', disk!]).status).toBe(0);
    await expect(open(directory)).rejects.toMatchObject({ name: 'JournalUnusable', reason: 'unwritable' });
  });
});

describe('a file that is deleted underneath', () => {
  it.each([
    [['journal.sqlite']],
    [['journal.sqlite-wal']],
    [['journal.sqlite', 'journal.sqlite-wal', 'journal.sqlite-shm']],
  ])('is written anew with all that was promised (%j)', async (files) => {
    const directory = scratch();
    const { observer, news } = heard();
    const journal = await openJournal(directory, { observer });
    const kept = [await journal.append({ receivedAt: 1, pieces: [piece(1)] })];
    for (const file of files) rmSync(path.join(directory, file));
    await expect(journal.append({ receivedAt: 2, pieces: [piece(2)] })).rejects.toMatchObject({ reason: 'moved' });
    await until(async () => {
      return journal.append({ receivedAt: 3, pieces: [piece(3)] }).then(
        (position) => kept.push(position) > 0,
        () => false,
      );
    });
    expect(news[0]).toBe('moved');
    expect(news.at(-1)).toBe('recovered');
    await journal.close();
    const found = await all((await openJournal(directory)).replay());
    expect(found.map(({ position }) => position)).toEqual(expect.arrayContaining(kept));
  });

  it('is written anew, and locked again, where the whole directory went', async () => {
    const directory = path.join(scratch(), 'data');
    const journal = await openJournal(directory);
    const kept = [await journal.append({ receivedAt: 1, pieces: [piece(1)] })];
    rmSync(directory, { recursive: true });
    await until(async () => {
      return journal.append({ receivedAt: 2, pieces: [piece(2)] }).then(
        (position) => kept.push(position) > 0,
        () => false,
      );
    });
    await expect(openJournal(directory)).rejects.toMatchObject({ name: 'JournalUnusable', reason: 'locked' });
    await journal.close();
    const found = await all((await openJournal(directory)).replay());
    expect(found.map(({ position }) => position)).toEqual(expect.arrayContaining(kept));
  });

  it('is not put over a file that has come in its place', async () => {
    const directory = scratch();
    const journal = await openJournal(directory);
    await journal.append({ receivedAt: 1, pieces: [piece(1)] });
    const file = path.join(directory, 'journal.sqlite');
    rmSync(file);
    writeFileSync(file, 'theirs');
    for (const at of [2, 3]) {
      await expect(journal.append({ receivedAt: at, pieces: [] })).rejects.toMatchObject({ reason: 'moved' });
    }
    await journal.close();
    expect(readFileSync(file, 'utf8')).toBe('theirs');
  });
});
