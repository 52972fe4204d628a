import { expect, it } from 'vitest';
import type { JournaledBatch } from './journal.js';
import { createMemoryJournal } from './memory.js';

const EVIDENCE = { handoff: undefined, tool: undefined, node: undefined, run: undefined, speakers: ['triage'] };

async function replayed(journal: ReturnType<typeof createMemoryJournal>): Promise<JournaledBatch[]> {
  const batches: JournaledBatch[] = [];
  for await (const batch of journal.replay()) batches.push(batch);
  return batches;
}

it('holds a batch until it is taken, in order', async () => {
  const journal = createMemoryJournal();
  const first = await journal.append({ receivedAt: 1, evidence: [EVIDENCE, EVIDENCE] });
  const second = await journal.append({ receivedAt: 2, evidence: [EVIDENCE] });
  expect(second).toBeGreaterThan(first);
  expect(journal.levels()).toEqual({ lag: 3, pending: 0 });
  expect((await replayed(journal)).map(({ receivedAt }) => receivedAt)).toEqual([1, 2]);
  journal.taken(first);
  journal.taken(first);
  expect(journal.levels().lag).toBe(1);
  expect((await replayed(journal)).map(({ position }) => position)).toEqual([second]);
});

it('takes nothing more once it is closed', async () => {
  const journal = createMemoryJournal();
  await journal.close();
  await expect(journal.append({ receivedAt: 1, evidence: [] })).rejects.toThrow('closed');
});
