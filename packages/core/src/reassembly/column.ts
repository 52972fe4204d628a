/** A number for each slot. Reading a slot that was never set gives the column's initial value. */
export interface Column {
  get(slot: number): number;
  set(slot: number, value: number): void;
}

type Cells = Float64Array | Int32Array;

const BITS = 12;
const CHUNK = 1 << BITS;
const MASK = CHUNK - 1;

/**
 * Grows by chunks that are never copied, so that the millionth slot costs no more than the first one, and holds nothing
 * that a garbage collector would have to look at.
 */
function createColumn(allocate: () => Cells, initial: number): Column {
  const chunks: Cells[] = [];
  return {
    get: (slot) => chunks[slot >>> BITS]?.[slot & MASK] ?? initial,
    set(slot, value) {
      const at = slot >>> BITS;
      while (chunks.length <= at) chunks.push(allocate().fill(initial));
      chunks[at]![slot & MASK] = value;
    },
  };
}

/** No slot: what a column of slots holds where there is none. */
export const NONE = -1;

/** Slots, counts and flags: integers below 2^31. */
export function createIntegers(initial: number = NONE): Column {
  return createColumn(() => new Int32Array(CHUNK), initial);
}

/** Times, turns and handles: anything a number can be. `NaN` where there is none. */
export function createNumbers(initial: number = NaN): Column {
  return createColumn(() => new Float64Array(CHUNK), initial);
}

/** Numbers of slots, given out lowest first and again after they were freed. */
export interface Slots {
  take(): number;
  free(slot: number): void;
  readonly size: number;
}

export function createSlots(): Slots {
  const nextFree = createIntegers();
  let free = NONE;
  let fresh = 0;
  let size = 0;
  return {
    take() {
      size += 1;
      if (free === NONE) return fresh++;
      const slot = free;
      free = nextFree.get(slot);
      return slot;
    },
    free(slot) {
      size -= 1;
      nextFree.set(slot, free);
      free = slot;
    },
    get size() {
      return size;
    },
  };
}
