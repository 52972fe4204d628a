import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NONE, createSlots } from './column.js';
import { createLane } from './lane.js';
import { createLists } from './lists.js';

it('equals arrays under pushes, moves and removals from anywhere', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ slot: fc.nat(20), to: fc.constantFrom(0, 1, NONE) }), { maxLength: 100 }),
      (steps) => {
        const lists = createLists();
        const lanes = [createLane(lists, 0), createLane(lists, 1)];
        const model: number[][] = [[], []];
        for (const { slot, to } of steps) {
          const from = model.findIndex((lane) => lane.includes(slot));
          if (from !== NONE) {
            lanes[from]!.remove(slot);
            model[from] = model[from]!.filter((one) => one !== slot);
          }
          if (to !== NONE) {
            lanes[to]!.push(slot);
            model[to]!.push(slot);
          }
          lanes.forEach((lane, at) => {
            expect([...lane.values()]).toEqual(model[at]);
            expect(lane.first()).toBe(model[at]![0] ?? NONE);
            expect(lane.size).toBe(model[at]!.length);
          });
        }
      },
    ),
    { seed: 20_261_130 },
  );
});

it('gives numbers out again after they were freed, never twice', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.nat(30), { nil: undefined }), { maxLength: 100 }), (steps) => {
      const slots = createSlots();
      let taken: number[] = [];
      for (const free of steps) {
        const freed = free === undefined ? undefined : taken[free];
        if (freed === undefined) {
          const slot = slots.take();
          expect(taken).not.toContain(slot);
          taken.push(slot);
        } else {
          slots.free(freed);
          taken = taken.filter((one) => one !== freed);
        }
        expect(slots.size).toBe(taken.length);
      }
      for (const slot of taken) expect(slot).toBeLessThan(100);
    }),
    { seed: 20_261_130 },
  );
});
