/** A queue of what is due in the order in which it was pushed; times never decrease. */
export interface Fifo<T> {
  push(item: T, due: number): void;
  /** When the first is due; `undefined` when there is none. */
  next(): number | undefined;
  /** Takes the first; there must be one. */
  shift(): T;
}

const COMPACT_AFTER = 1024;

export function createFifo<T>(): Fifo<T> {
  let items: T[] = [];
  let times: number[] = [];
  let head = 0;
  return {
    push(item, due) {
      items.push(item);
      times.push(due);
    },
    next: () => times[head],
    shift() {
      const item = items[head++] as T;
      if (head >= COMPACT_AFTER && head * 2 >= items.length) {
        items = items.slice(head);
        times = times.slice(head);
        head = 0;
      }
      return item;
    },
  };
}
