import { NONE, createIntegers } from './column.js';

/** Many lists, each by a number, of items that stand in at most one of them. */
export interface Lists {
  /** The item that has been in a list longest; `NONE` when it is empty. */
  first(list: number): number;
  /** The item behind another one of its list; `NONE` behind the last. */
  next(item: number): number;
  push(list: number, item: number): void;
  /** The item must be in this list. */
  remove(list: number, item: number): void;
}

/** Doubly linked, in columns: every call takes the same few steps. */
export function createLists(): Lists {
  const heads = createIntegers();
  const tails = createIntegers();
  const previous = createIntegers();
  const next = createIntegers();
  return {
    first: heads.get,
    next: next.get,
    push(list, item) {
      const tail = tails.get(list);
      previous.set(item, tail);
      next.set(item, NONE);
      if (tail === NONE) heads.set(list, item);
      else next.set(tail, item);
      tails.set(list, item);
    },
    remove(list, item) {
      const before = previous.get(item);
      const after = next.get(item);
      if (before === NONE) heads.set(list, after);
      else next.set(before, after);
      if (after === NONE) tails.set(list, before);
      else previous.set(after, before);
    },
  };
}
