import { expect, it } from 'vitest';
import type { JournaledBatch } from './journal.js';
import { createMemoryJournal } from './memory.js';

const PIECE = new Uint8Array([1, 2, 3]);

async function replayed(journal: ReturnType<typeof createMemoryJournal>): Promise<JournaledBatch[]> {
  const batches: JournaledBatch[] = [];
  for await (const batch of journal.replay()) batches.push(batch);
  return batches;
}

it('holds a batch until it is taken, in order', async () => {
  const journal = createMemoryJournal();
  const first = await journal.append({ receivedAt: 1, pieces: [PIECE, PIECE] });
  const second = await journal.append({ receivedAt: 2, pieces: [PIECE] });
  expect(second).toBeGreaterThan(first);
  expect(journal.levels()).toEqual({ lag: 3, pending: 0, bytes: 0 });
  expect((await replayed(journal)).map(({ receivedAt }) => receivedAt)).toEqual([1, 2]);
  journal.taken(first);
  journal.taken(first);
  expect(journal.levels().lag).toBe(1);
  expect((await replayed(journal)).map(({ position }) => position)).toEqual([second]);
});

it('takes nothing more once it is closed', async () => {
  const journal = createMemoryJournal();
  await journal.close();
  await expect(journal.append({ receivedAt: 1, pieces: [] })).rejects.toMatchObject({
    name: 'JournalUnavailable',
    reason: 'closed',
  });
});
