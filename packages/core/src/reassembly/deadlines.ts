import { NONE, createIntegers, createNumbers } from './column.js';

/** Slots with a time each, the earliest first. Times are milliseconds of whatever clock the caller uses. */
export interface Deadlines {
  /** Adds a slot, or moves it: the latest call for a slot counts. */
  set(slot: number, at: number): void;
  /** Removes a slot; one that is not there is no fault. */
  remove(slot: number): void;
  /** The time of a slot, or `undefined` when it has none. */
  at(slot: number): number | undefined;
  /** The earliest time, or `undefined` when there is none. */
  next(): number | undefined;
  /** Takes out the earliest slot whose time is `now` or before; `NONE` when there is none. Equal times come out in the order they were set. */
  popDue(now: number): number;
  readonly size: number;
}

/**
 * A heap that knows where each slot lies: every call is at most logarithmic, and nothing is ever searched. Four children
 * to a node, since a step down costs a miss of the cache and a comparison of neighbours does not.
 */
export function createDeadlines(): Deadlines {
  const positions = createIntegers();
  const slots = createIntegers();
  const times = createNumbers();
  // Order of `set` calls, so that equal times have one order and a run can be repeated exactly.
  const turns = createNumbers();
  let size = 0;
  let turn = 0;

  function place(position: number, slot: number, at: number, since: number): void {
    slots.set(position, slot);
    times.set(position, at);
    turns.set(position, since);
    positions.set(slot, position);
  }

  const move = (from: number, to: number): void => place(to, slots.get(from), times.get(from), turns.get(from));

  function goesBefore(at: number, since: number, position: number): boolean {
    const other = times.get(position);
    return at < other || (at === other && since < turns.get(position));
  }

  /** Puts a slot where it belongs, from a position that is free. */
  function settle(hole: number, slot: number, at: number, since: number): void {
    let position = hole;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      if (!goesBefore(at, since, parent)) break;
      move(parent, position);
      position = parent;
    }
    if (position === hole) position = sink(hole, at, since);
    place(position, slot, at, since);
  }

  function sink(hole: number, at: number, since: number): number {
    let position = hole;
    for (;;) {
      const first = 4 * position + 1;
      if (first >= size) return position;
      let child = first;
      const last = Math.min(first + 4, size);
      for (let other = first + 1; other < last; other += 1) {
        if (goesBefore(times.get(other), turns.get(other), child)) child = other;
      }
      if (goesBefore(at, since, child)) return position;
      move(child, position);
      position = child;
    }
  }

  function removeAt(position: number): void {
    positions.set(slots.get(position), NONE);
    size -= 1;
    if (position < size) settle(position, slots.get(size), times.get(size), turns.get(size));
  }

  return {
    set(slot, at) {
      const known = positions.get(slot);
      settle(known === NONE ? size++ : known, slot, at, turn++);
    },
    remove(slot) {
      const position = positions.get(slot);
      if (position !== NONE) removeAt(position);
    },
    at(slot) {
      const position = positions.get(slot);
      return position === NONE ? undefined : times.get(position);
    },
    next: () => (size === 0 ? undefined : times.get(0)),
    popDue(now) {
      if (size === 0 || times.get(0) > now) return NONE;
      const slot = slots.get(0);
      removeAt(0);
      return slot;
    },
    get size() {
      return size;
    },
  };
}
