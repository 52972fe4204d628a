/** Keys with a time each, the earliest first. Times are milliseconds of whatever clock the caller uses. */
export interface Deadlines {
  /** Adds a key, or moves it: the latest call for a key counts. */
  set(key: string, at: number): void;
  /** Removes a key; one that is not there is no fault. */
  remove(key: string): void;
  /** The earliest time, or `undefined` when there is none. */
  next(): number | undefined;
  /** Takes out the earliest key whose time is `now` or before. Equal times come out in the order they were set. */
  popDue(now: number): string | undefined;
  readonly size: number;
}

interface Slot {
  readonly key: string;
  at: number;
  /** Order of `set` calls, so that equal times have one order and a run can be repeated exactly. */
  turn: number;
  position: number;
}

/** A binary heap that knows where each key lies: every call is at most logarithmic, and nothing is ever searched. */
export function createDeadlines(): Deadlines {
  const heap: Slot[] = [];
  const slots = new Map<string, Slot>();
  let turns = 0;

  const before = (a: Slot, b: Slot): boolean => a.at < b.at || (a.at === b.at && a.turn < b.turn);

  function place(slot: Slot, position: number): void {
    heap[position] = slot;
    slot.position = position;
  }

  function up(slot: Slot): void {
    let position = slot.position;
    while (position > 0) {
      const parent = heap[(position - 1) >> 1]!;
      if (!before(slot, parent)) break;
      const next = parent.position;
      place(parent, position);
      position = next;
    }
    place(slot, position);
  }

  function down(slot: Slot): void {
    let position = slot.position;
    for (;;) {
      const left = heap[2 * position + 1];
      const right = heap[2 * position + 2];
      const child = right !== undefined && left !== undefined && before(right, left) ? right : left;
      if (child === undefined || !before(child, slot)) break;
      const next = child.position;
      place(child, position);
      position = next;
    }
    place(slot, position);
  }

  function remove(slot: Slot): void {
    slots.delete(slot.key);
    const last = heap.pop()!;
    if (last === slot) return;
    place(last, slot.position);
    up(last);
    down(last);
  }

  return {
    set(key, at) {
      const known = slots.get(key);
      const slot = known ?? { key, at, turn: 0, position: heap.length };
      slot.at = at;
      slot.turn = turns++;
      if (known === undefined) {
        slots.set(key, slot);
        heap.push(slot);
      }
      up(slot);
      down(slot);
    },
    remove(key) {
      const slot = slots.get(key);
      if (slot !== undefined) remove(slot);
    },
    next: () => heap[0]?.at,
    popDue(now) {
      const first = heap[0];
      if (first === undefined || first.at > now) return undefined;
      remove(first);
      return first.key;
    },
    get size() {
      return slots.size;
    },
  };
}
