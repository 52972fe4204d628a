import { describe, expect, it } from 'vitest';
import { createRetries, gatherFamily } from './retries.js';

/** Attempts in maps, as a ledger and a reassembler have them in their own ways. */
function createRelatives<T>() {
  const attempts = new Map<string, Map<number, T>>();
  const retries = createRetries();
  const none: ReadonlyMap<number, T> = new Map();
  const attemptsOf = (handoffId: string): ReadonlyMap<number, T> => attempts.get(handoffId) ?? none;
  return {
    add(handoffId: string, attempt: number, member: T) {
      const family = attempts.get(handoffId) ?? new Map<number, T>();
      attempts.set(handoffId, family.set(attempt, member));
    },
    link: retries.link,
    remove(handoffId: string, attempt: number) {
      const family = attempts.get(handoffId);
      family?.delete(attempt);
      if (family?.size !== 0) return;
      attempts.delete(handoffId);
      retries.link(handoffId, undefined);
    },
    attemptsOf,
    after: (handoffId: string, attempt: number) =>
      gatherFamily({ handoffId, attempt, attemptsOf, further: retries.of }),
    before: (handoffId: string, attempt: number) =>
      gatherFamily({ handoffId, attempt, attemptsOf, further: retries.originalOf }),
  };
}

function family(...members: [id: string, attempt: number][]) {
  const relatives = createRelatives<string>();
  for (const [id, attempt] of members) relatives.add(id, attempt, `${id}~${attempt}`);
  return relatives;
}

describe('relatives', () => {
  it('finds other attempts both ways and retries one way each', () => {
    const relatives = family(['a', 1], ['a', 2], ['b', 1], ['c', 1]);
    relatives.link('b', 'a');
    relatives.link('c', 'b');
    expect(relatives.after('a', 1)).toEqual(['a~2', 'b~1', 'c~1']);
    expect(relatives.before('a', 1)).toEqual(['a~2']);
    expect(relatives.before('c', 1)).toEqual(['b~1', 'a~1', 'a~2']);
    expect(relatives.after('c', 1)).toEqual([]);
  });

  it('ends a circle of retries where it began', () => {
    const relatives = family(['a', 1], ['b', 1]);
    relatives.link('a', 'b');
    relatives.link('b', 'a');
    relatives.link('a', 'a');
    expect(relatives.after('b', 1)).toEqual([]);
    expect(relatives.before('b', 1)).toEqual(['a~1']);
  });

  it('forgets a retry with its last attempt, and finds an original that comes later', () => {
    const relatives = family(['b', 1]);
    relatives.link('b', 'a');
    relatives.add('a', 1, 'a~1');
    expect(relatives.after('a', 1)).toEqual(['b~1']);
    relatives.remove('b', 1);
    expect(relatives.after('a', 1)).toEqual([]);
    relatives.remove('b', 1);
    expect(relatives.attemptsOf('b').size).toBe(0);
  });

  it('follows a family only so far', () => {
    const relatives = createRelatives<number>();
    for (let member = 0; member < 5000; member += 1) {
      relatives.add(`h${member}`, 1, member);
      relatives.link(`h${member}`, 'h0');
    }
    expect(relatives.after('h0', 1).length).toBeLessThanOrEqual(64);
  });
});
