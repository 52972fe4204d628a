import { NONE, createIntegers } from './column.js';
import { createLists } from './lists.js';
import { createTextTable } from './text-table.js';

/** Pending slots by a name that they share (a task, a trace, an agent), and which name holds most of them. */
export interface Crowds {
  /** A slot joins the crowd of a name, as its youngest; without a name it joins none. */
  join(slot: number, name: string | undefined): void;
  /** A slot leaves its crowd; one that is in none is no fault. */
  leave(slot: number): void;
  /** How many the largest crowd has; 0 when there is none. */
  readonly largest: number;
  /** The oldest slot of the largest crowd, among equal ones of that which came to this size first; `NONE` when there is none. */
  oldestOfLargest(): number;
  /** How many crowds there are. */
  readonly size: number;
}

/**
 * Exact counts, and every call takes the same few steps: crowds of one size stand in one list, and a crowd that grows or
 * shrinks by one moves to the list beside it.
 */
export function createCrowds(hashSeed?: number): Crowds {
  const crowds = createTextTable(hashSeed);
  const counts = createIntegers(0);
  const members = createLists();
  const bySize = createLists();
  const crowdOf = createIntegers();
  let largest = 0;

  function resize(crowd: number, change: 1 | -1): number {
    const before = counts.get(crowd);
    const count = before + change;
    if (before > 0) bySize.remove(before, crowd);
    if (count > 0) bySize.push(count, crowd);
    counts.set(crowd, count);
    if (count > largest) largest = count;
    // Only the list that was left can have become empty, so that one step down is enough.
    else if (before === largest && bySize.first(before) === NONE) largest = count;
    return count;
  }

  return {
    join(slot, name) {
      if (name === undefined) return;
      const crowd = crowds.take(name);
      crowdOf.set(slot, crowd);
      members.push(crowd, slot);
      resize(crowd, 1);
    },
    leave(slot) {
      const crowd = crowdOf.get(slot);
      if (crowd === NONE) return;
      crowdOf.set(slot, NONE);
      members.remove(crowd, slot);
      if (resize(crowd, -1) === 0) crowds.free(crowd);
    },
    get largest() {
      return largest;
    },
    oldestOfLargest: () => (largest === 0 ? NONE : members.first(bySize.first(largest))),
    get size() {
      return crowds.size;
    },
  };
}
