import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDeadlines } from './deadlines.js';

describe('deadlines', () => {
  it('pops a key exactly at its time, not a millisecond before', () => {
    const deadlines = createDeadlines();
    deadlines.set('a', 100);
    expect(deadlines.popDue(99)).toBeUndefined();
    expect(deadlines.next()).toBe(100);
    expect(deadlines.popDue(100)).toBe('a');
    expect(deadlines.popDue(100)).toBeUndefined();
    expect(deadlines.next()).toBeUndefined();
  });

  it('moves a key both ways and forgets a removed one', () => {
    const deadlines = createDeadlines();
    deadlines.set('a', 10);
    deadlines.set('b', 20);
    deadlines.set('a', 30);
    expect(deadlines.popDue(25)).toBe('b');
    deadlines.set('a', 5);
    expect(deadlines.next()).toBe(5);
    deadlines.remove('a');
    deadlines.remove('never set');
    expect(deadlines.size).toBe(0);
  });

  it('gives equal times back in the order they were set', () => {
    const deadlines = createDeadlines();
    for (const key of ['c', 'a', 'b']) deadlines.set(key, 7);
    expect([deadlines.popDue(7), deadlines.popDue(7), deadlines.popDue(7)]).toEqual(['c', 'a', 'b']);
  });

  it('equals a plain map that is searched', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const step = fc.oneof(
      fc.record({ do: fc.constant('set' as const), key, at: fc.integer({ min: 0, max: 20 }) }),
      fc.record({ do: fc.constant('remove' as const), key, at: fc.constant(0) }),
      fc.record({ do: fc.constant('pop' as const), key: fc.constant(''), at: fc.integer({ min: 0, max: 20 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const deadlines = createDeadlines();
        const model = new Map<string, { at: number; turn: number }>();
        let turn = 0;
        const first = () =>
          [...model].sort(([, a], [, b]) => a.at - b.at || a.turn - b.turn)[0] as
            [string, { at: number; turn: number }] | undefined;
        for (const action of steps) {
          if (action.do === 'set') {
            deadlines.set(action.key, action.at);
            model.set(action.key, { at: action.at, turn: turn++ });
          } else if (action.do === 'remove') {
            deadlines.remove(action.key);
            model.delete(action.key);
          } else {
            const expected = first();
            const due = expected !== undefined && expected[1].at <= action.at ? expected[0] : undefined;
            expect(deadlines.popDue(action.at)).toBe(due);
            if (due !== undefined) model.delete(due);
          }
          expect(deadlines.next()).toBe(first()?.[1].at);
          expect(deadlines.size).toBe(model.size);
        }
      }),
      { numRuns: 500 },
    );
  });
});
