import { type Column, NONE, createIntegers } from './column.js';

/** The links of slots that stand in one of several lanes: a slot is in at most one lane of the same links. */
export interface LaneLinks {
  readonly previous: Column;
  readonly next: Column;
}

/** First in, first out, over slots, with removal from the middle. */
export interface Lane {
  push(slot: number): void;
  /** The slot must be in this lane. */
  remove(slot: number): void;
  /** The slot that has waited longest; `NONE` when empty. */
  first(): number;
  values(): Iterable<number>;
  readonly size: number;
}

export function createLaneLinks(): LaneLinks {
  return { previous: createIntegers(), next: createIntegers() };
}

export function createLane({ previous, next }: LaneLinks): Lane {
  let head = NONE;
  let tail = NONE;
  let size = 0;
  return {
    push(slot) {
      previous.set(slot, tail);
      next.set(slot, NONE);
      if (tail === NONE) head = slot;
      else next.set(tail, slot);
      tail = slot;
      size += 1;
    },
    remove(slot) {
      const before = previous.get(slot);
      const after = next.get(slot);
      if (before === NONE) head = after;
      else next.set(before, after);
      if (after === NONE) tail = before;
      else previous.set(after, before);
      size -= 1;
    },
    first: () => head,
    *values() {
      for (let slot = head; slot !== NONE; slot = next.get(slot)) yield slot;
    },
    get size() {
      return size;
    },
  };
}
