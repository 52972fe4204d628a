import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { all, openJournal, piece, scratch, until } from '../../../test/journal.js';

describe('what a closed journal holds when it is opened again', () => {
  it('is every batch, piece for piece, in the order of the appends', async () => {
    const directory = path.join(scratch(), 'made', 'here');
    const journal = await openJournal(directory);
    const batches = [
      { receivedAt: 1_000.25, pieces: [piece(1), new Uint8Array(0), piece(2, 1)] },
      { receivedAt: 1_000.25, pieces: [] },
      { receivedAt: 2_000, pieces: [piece(3, 300_000)] },
    ];
    const positions = await Promise.all(batches.map((batch) => journal.append(batch)));
    expect(positions).toEqual([1, 2, 3]);
    await journal.close();
    const again = await openJournal(directory);
    expect(await all(again.replay())).toEqual(
      batches.map((batch, index) => ({ position: positions[index], ...batch })),
    );
  });

  it('is the bytes as they were when append returned', async () => {
    const directory = scratch();
    const journal = await openJournal(directory);
    const mine = piece(1);
    const appended = journal.append({ receivedAt: 1, pieces: [mine] });
    const state = Uint8Array.of(1);
    journal.keep([{ kind: 'task', key: 't', state, at: 1 }]);
    mine.fill(0);
    state.fill(0);
    await appended;
    await journal.close();
    const again = await openJournal(directory);
    expect((await all(again.replay()))[0]?.pieces).toEqual([piece(1)]);
    expect((await all(again.kept()))[0]?.state).toEqual(Uint8Array.of(1));
  });

  it('is marks in the order of delivery, and the latest state of each name', async () => {
    const directory = scratch();
    const journal = await openJournal(directory);
    const mark = (key: string, revision: number) => ({ key, revision, verdictId: `${key}/${revision}`, at: 10 });
    journal.delivered([mark('b\u00001', 1), mark('a\u00001', 1)]);
    journal.delivered([mark('b\u00001', 2)]);
    const change = (key: string, byte: number | undefined) => ({
      kind: 'task',
      key,
      state: byte === undefined ? undefined : Uint8Array.of(byte),
      at: 11,
    });
    journal.keep([change('a\u0000ü', 1), change('a\u0000ü', 2), change('gone', 3), change('', 4)]);
    journal.keep([change('gone', undefined), change('never there', undefined)]);
    await journal.close();
    const again = await openJournal(directory);
    expect(await all(again.marks())).toEqual([mark('b\u00001', 1), mark('a\u00001', 1), mark('b\u00001', 2)]);
    expect(new Set(await all(again.kept()))).toEqual(new Set([change('a\u0000ü', 2), change('', 4)]));
  });

  it('leaves one file, its reserve and the lock, readable by their owner only', async () => {
    const directory = path.join(scratch(), 'data');
    const journal = await openJournal(directory);
    await journal.append({ receivedAt: 1, pieces: [piece(1)] });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(directory))
      expect([file, statSync(path.join(directory, file)).mode & 0o777]).toEqual([file, 0o600]);
    await journal.close();
    expect(readdirSync(directory).sort()).toEqual(['journal.lock', 'journal.reserve', 'journal.sqlite']);
  });
});

it('writes what is to be written behind without a batch to go along with', async () => {
  const directory = scratch();
  const commits: number[] = [];
  const journal = await openJournal(directory, { observer: { committed: (batches) => commits.push(batches) } });
  journal.delivered([{ key: 'k', revision: 1, verdictId: 'v', at: 1 }]);
  await until(() => commits.length === 1);
  expect(commits).toEqual([0]);
});

it('gives no position away twice, though the newest batch was released before the restart', async () => {
  const directory = scratch();
  const journal = await openJournal(directory);
  await journal.append({ receivedAt: 1, pieces: [piece(1, 100_000)] });
  const before = journal.levels().bytes;
  const last = await journal.append({ receivedAt: 2, pieces: [piece(2)] });
  journal.release(3);
  await until(() => journal.levels().bytes < before);
  await journal.close();
  const again = await openJournal(directory);
  expect(await all(again.replay())).toEqual([]);
  expect(await again.append({ receivedAt: 4, pieces: [] })).toBe(last + 1);
});

it('counts what is not taken, what waits and what was replayed', async () => {
  const directory = scratch();
  const journal = await openJournal(directory);
  const appended = [1, 2].map((at) => journal.append({ receivedAt: at, pieces: [piece(1), piece(2)] }));
  expect(journal.levels()).toMatchObject({ lag: 0, pending: 2 });
  const [first] = await Promise.all(appended);
  expect(journal.levels()).toMatchObject({ lag: 4, pending: 0 });
  journal.taken(first!);
  journal.taken(first!);
  journal.taken(99);
  expect(journal.levels().lag).toBe(2);
  await journal.close();
  const progress: [number, number][] = [];
  const again = await openJournal(directory, { observer: { replayed: (...step) => progress.push(step) } });
  for await (const { position } of again.replay()) again.taken(position);
  expect(again.levels().lag).toBe(0);
  expect(progress.at(-1)).toEqual([2, 2]);
});

it('replays more than a page, and lets go of what a reader that stops leaves', async () => {
  const directory = scratch();
  const journal = await openJournal(directory);
  const sent = Array.from({ length: 30 }, (_, at) => ({ receivedAt: at, pieces: [piece(at, 500_000)] }));
  await Promise.all(sent.map((batch) => journal.append(batch)));
  await journal.close();
  const again = await openJournal(directory);
  for await (const { position } of again.replay()) if (position === 2) break;
  const replayed = await all(again.replay());
  expect(replayed.map(({ receivedAt }) => receivedAt)).toEqual(sent.map(({ receivedAt }) => receivedAt));
  expect(replayed.every(({ pieces }, at) => Buffer.compare(pieces[0]!, sent[at]!.pieces[0]!) === 0)).toBe(true);
});

it('replays nothing once appends have begun', async () => {
  const journal = await openJournal(scratch());
  await journal.append({ receivedAt: 1, pieces: [] });
  await expect(all(journal.replay())).rejects.toThrow('before the first append');
  expect(() => journal.marks()).toThrow('before the first append');
});

describe('more than may wait', () => {
  it('is refused at once with a time to come back, and one batch always may', async () => {
    const journal = await openJournal(scratch(), { maxPendingBytes: 1_000 });
    const large = journal.append({ receivedAt: 1, pieces: [piece(1, 5_000)] });
    const refused = journal.append({ receivedAt: 2, pieces: [piece(2, 10)] });
    await expect(refused).rejects.toMatchObject({
      name: 'JournalUnavailable',
      reason: 'overloaded',
      retryAfterSeconds: 1,
    });
    const first = await large;
    expect(await journal.append({ receivedAt: 3, pieces: [piece(3, 10)] })).toBe(first + 1);
  });
});

describe('close', () => {
  it('waits for what was appended, and refuses what comes after', async () => {
    const directory = scratch();
    const journal = await openJournal(directory);
    const appended = Array.from({ length: 50 }, (_, at) => journal.append({ receivedAt: at, pieces: [piece(at)] }));
    const closed = journal.close();
    expect(journal.close()).toBe(closed);
    await expect(journal.append({ receivedAt: 1, pieces: [] })).rejects.toMatchObject({ reason: 'closed' });
    await closed;
    expect((await Promise.all(appended)).at(-1)).toBe(50);
    expect(await all((await openJournal(directory)).replay())).toHaveLength(50);
  });
});

it('gives disk space back when much of it is released', async () => {
  const directory = scratch();
  const journal = await openJournal(directory);
  const file = path.join(directory, 'journal.sqlite');
  for (let at = 0; at < 40; at += 1) await journal.append({ receivedAt: at, pieces: [piece(at, 1_000_000)] });
  await until(() => statSync(file).size > 20_000_000);
  const full = journal.levels().bytes;
  expect(full).toBeGreaterThan(40_000_000);
  journal.release(39);
  // The file is cut at a checkpoint, and that follows writing.
  await until(async () => {
    await journal.append({ receivedAt: 100, pieces: [piece(1, 100_000)] });
    return statSync(file).size < 30_000_000;
  });
  expect(journal.levels().bytes).toBeLessThan(full);
});

it('throws for a time that is none, before anything waits', async () => {
  const journal = await openJournal(scratch());
  expect(() => journal.append({ receivedAt: NaN, pieces: [] })).toThrow(TypeError);
  expect(() => journal.delivered([{ key: 'k', revision: 1, verdictId: 'v', at: Infinity }])).toThrow(TypeError);
  expect(await journal.append({ receivedAt: 1, pieces: [] })).toBe(1);
});
