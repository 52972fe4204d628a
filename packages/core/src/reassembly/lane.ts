import { NONE } from './column.js';
import type { Lists } from './lists.js';

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

/** One of several lists by its number, with its size: a slot is in at most one lane of the same lists. */
export function createLane(lists: Lists, number: number): Lane {
  let size = 0;
  return {
    push(slot) {
      lists.push(number, slot);
      size += 1;
    },
    remove(slot) {
      lists.remove(number, slot);
      size -= 1;
    },
    first: () => lists.first(number),
    *values() {
      for (let slot = lists.first(number); slot !== NONE; slot = lists.next(slot)) yield slot;
    },
    get size() {
      return size;
    },
  };
}
