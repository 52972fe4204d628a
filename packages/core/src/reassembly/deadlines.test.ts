import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from './column.js';
import { createDeadlines } from './deadlines.js';

describe('deadlines', () => {
  it('pops a slot exactly at its time, not a millisecond before', () => {
    const deadlines = createDeadlines();
    deadlines.set(0, 100);
    expect(deadlines.popDue(99)).toBe(NONE);
    expect(deadlines.next()).toBe(100);
    expect(deadlines.popDue(100)).toBe(0);
    expect(deadlines.popDue(100)).toBe(NONE);
    expect(deadlines.next()).toBeUndefined();
  });

  it('moves a slot both ways and forgets a removed one', () => {
    const deadlines = createDeadlines();
    deadlines.set(0, 10);
    deadlines.set(1, 20);
    deadlines.set(0, 30);
    expect(deadlines.popDue(25)).toBe(1);
    deadlines.set(0, 5);
    expect(deadlines.next()).toBe(5);
    deadlines.remove(0);
    deadlines.remove(99);
    expect(deadlines.size).toBe(0);
  });

  it('gives equal times back in the order they were set', () => {
    const deadlines = createDeadlines();
    for (const slot of [2, 0, 1]) deadlines.set(slot, 7);
    expect([deadlines.popDue(7), deadlines.popDue(7), deadlines.popDue(7)]).toEqual([2, 0, 1]);
  });

  it('equals a plain map that is searched', () => {
    const slot = fc.nat(11);
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), slot, at: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ do: fc.constant('remove' as const), slot, at: fc.constant(0) }),
      fc.record({ do: fc.constant('pop' as const), slot: fc.constant(NONE), at: fc.integer({ min: 0, max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const deadlines = createDeadlines();
        const model = new Map<number, { at: number; turn: number }>();
        let turn = 0;
        const first = () =>
          [...model].sort(([, a], [, b]) => a.at - b.at || a.turn - b.turn)[0] as
            [number, { at: number; turn: number }] | undefined;
        for (const action of steps) {
          if (action.do === 'set') {
            deadlines.set(action.slot, action.at);
            model.set(action.slot, { at: action.at, turn: turn++ });
          } else if (action.do === 'remove') {
            deadlines.remove(action.slot);
            model.delete(action.slot);
          } else {
            const expected = first();
            const due = expected !== undefined && expected[1].at <= action.at ? expected[0] : NONE;
            expect(deadlines.popDue(action.at)).toBe(due);
            if (due !== NONE) model.delete(due);
          }
          expect(deadlines.next()).toBe(first()?.[1].at);
          for (let known = 0; known < 12; known += 1) expect(deadlines.at(known)).toBe(model.get(known)?.at);
          expect(deadlines.size).toBe(model.size);
        }
      }),
      { numRuns: 500 },
    );
  });
});
