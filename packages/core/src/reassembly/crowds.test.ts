import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NONE } from './column.js';
import { createCrowds } from './crowds.js';

it('equals a plain map that is searched', () => {
  const step = fc.record({ slot: fc.nat(12), name: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const crowds = createCrowds();
      const model = new Map<string, { slots: number[]; since: number }>();
      const inCrowd = new Map<number, string>();
      steps.forEach(({ slot, name }, turn) => {
        const known = inCrowd.get(slot);
        if (known !== undefined) {
          crowds.leave(slot);
          inCrowd.delete(slot);
          const left = model.get(known)!;
          left.slots = left.slots.filter((one) => one !== slot);
          left.since = turn;
          if (left.slots.length === 0) model.delete(known);
        } else {
          crowds.join(slot, name);
          if (name !== undefined) {
            inCrowd.set(slot, name);
            model.set(name, { slots: [...(model.get(name)?.slots ?? []), slot], since: turn });
          }
        }
        const first = [...model.values()].sort((a, b) => b.slots.length - a.slots.length || a.since - b.since)[0];
        expect(crowds.largest).toBe(first?.slots.length ?? 0);
        expect(crowds.oldestOfLargest()).toBe(first?.slots[0] ?? NONE);
        expect(crowds.size).toBe(model.size);
      });
    }),
    { numRuns: 500, seed: 20_261_130 },
  );
});

it('bears a slot that leaves twice', () => {
  const crowds = createCrowds();
  crowds.join(1, 'a');
  crowds.leave(1);
  crowds.leave(1);
  crowds.leave(7);
  expect([crowds.largest, crowds.size]).toEqual([0, 0]);
});
