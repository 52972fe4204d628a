import fc from 'fast-check';
import { expect, it } from 'vitest';
import { all, openJournal, piece, scratch } from '../../../test/journal.js';
import type { DeliveryMark, JournaledBatch, KeptState } from '../journal.js';

type Step =
  | { readonly do: 'append'; readonly sizes: readonly number[]; readonly together: boolean }
  | { readonly do: 'release'; readonly back: number }
  | { readonly do: 'deliver'; readonly key: string; readonly revision: number }
  | { readonly do: 'keep'; readonly key: string; readonly byte: number | undefined }
  | { readonly do: 'reopen'; readonly durability: 'process' | 'power' };

const name = fc.constantFrom('a', 'b\u00001', 'ü', '');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      sizes: fc.array(fc.integer({ min: 0, max: 9_000 }), { maxLength: 6 }),
      together: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), back: fc.integer({ min: 0, max: 6 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('deliver' as const), key: name, revision: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('keep' as const),
      key: name,
      byte: fc.option(fc.integer({ min: 0, max: 255 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reopen' as const), durability: fc.constantFrom('process', 'power') }),
  },
);

it('holds what a plain list would hold, whatever the order of calls and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const directory = scratch();
      let journal = await openJournal(directory);
      let clock = 0;
      let released = 0;
      let open: Promise<number>[] = [];
      const batches: JournaledBatch[] = [];
      const marks: DeliveryMark[] = [];
      const kept = new Map<string, KeptState>();

      async function settle(): Promise<void> {
        const positions = await Promise.all(open);
        const unplaced = batches.length - positions.length;
        positions.forEach((position, index) => {
          batches[unplaced + index] = { ...batches[unplaced + index]!, position };
        });
        open = [];
      }

      /** What is older than the limit of release may be there or not; everything else has to be. */
      async function compare(): Promise<void> {
        const found = await all(journal.replay());
        const young = <T>(rows: readonly T[], time: (row: T) => number): T[] =>
          rows.filter((row) => time(row) >= released);
        expect(young(found, (row) => row.receivedAt)).toEqual(young(batches, (row) => row.receivedAt));
        for (const old of found) expect(batches).toContainEqual(old);
        expect(young(await all(journal.marks()), (row) => row.at)).toEqual(young(marks, (row) => row.at));
        expect(new Set(await all(journal.kept()))).toEqual(new Set(kept.values()));
      }

      for (const action of [...steps, { do: 'reopen', durability: 'process' } as const]) {
        clock += 1;
        if (action.do === 'append') {
          const pieces = action.sizes.map((size, index) => piece(clock + index, size));
          open.push(journal.append({ receivedAt: clock, pieces }));
          batches.push({ position: 0, receivedAt: clock, pieces });
          if (!action.together) await settle();
        } else if (action.do === 'release') {
          released = Math.max(released, clock - action.back);
          journal.release(clock - action.back);
        } else if (action.do === 'deliver') {
          const mark = { key: action.key, revision: action.revision, verdictId: `v${clock}`, at: clock };
          journal.delivered([mark]);
          marks.push(mark);
        } else if (action.do === 'keep') {
          const { key, byte } = action;
          const state = byte === undefined ? undefined : Uint8Array.of(byte);
          journal.keep([{ kind: 'task', key, state, at: clock }]);
          if (state === undefined) kept.delete(key);
          else kept.set(key, { kind: 'task', key, state, at: clock });
        } else {
          await settle();
          await journal.close();
          journal = await openJournal(directory, { durability: action.durability });
          await compare();
        }
      }
      const grown = batches.every(({ position }, index) => index === 0 || position > batches[index - 1]!.position);
      expect(grown).toBe(true);
      await journal.close();
    }),
    { numRuns: 10 },
  );
}, 120_000);
