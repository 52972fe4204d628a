/** Where a span's nearest run above is not known yet, is known not to exist, or can never be known. */
export const UNRESOLVED = -1;
export const NO_RUN = -2;
export const LOST = -3;

/** Places of parents that are no span: a root has none; one is never looked for. */
export const ROOT = -1;
export const NEVER = -2;

/** The first spans of a trace are found by lists that lie side by side (sixteen, by their bits), so that all of a small trace are near each other. */
const NEAR_SPANS = 64;
const NEAR_BITS = 4;

/** Operations of spans in a tree, the first four as in an outline. */
export const OPS = { link: 0, run: 1, tool: 2, model: 3, dispatch: 4, ingest: 5 } as const;

const PRESENT = 1;
const CONFLICT = 2;
const WAITING = 4;
const IN_TOOL = 64;
const FAR = 128;
const OP_SHIFT = 3;
const OP_BITS = 7;

/**
 * Spans of all traces, as rows of numbers: 41 bytes a span, whatever its ids, and one lookup to find it (two in a large trace). Rows are found by
 * (trace, span id), the id as two signed numbers; each points to the row of its parent, which may only have been named yet. Whose nearest run is not
 * known yet waits in a list of its parent, so that an arrival touches those it concerns and nobody else.
 */
export interface Tree {
  readonly size: number;
  readonly full: boolean;
  readonly parent: Int32Array;
  /** Row of the nearest run above, or {@link UNRESOLVED}, {@link NO_RUN}, {@link LOST}. */
  readonly scope: Int32Array;
  /** A number that the caller keeps with a row; -1 at first. */
  readonly note: Int32Array;
  /** The next row of the same trace; the caller keeps the first. */
  readonly sibling: Int32Array;
  readonly traceOf: Uint32Array;
  /** The row, or -1. `spans` is how many the trace has. */
  find(trace: number, spans: number, high: number, low: number): number;
  /** A new row, not present yet, of a trace of so many spans before. There must be room. */
  add(trace: number, spans: number, high: number, low: number): number;
  remove(row: number): void;
  has(row: number, high: number, low: number): boolean;
  spanId(row: number): string;
  op(row: number): number;
  setOp(row: number, op: number): void;
  present(row: number): boolean;
  arrive(row: number): void;
  contradicted(row: number): boolean;
  contradict(row: number): void;
  /** A tool call stands between the row and its nearest run. */
  inTool(row: number): boolean;
  putInTool(row: number): void;
  /** Puts a row into its parent's list, unless it is there. */
  wait(row: number): void;
  /** Empties the list of a row into `into`. */
  release(row: number, into: number[]): void;
}

export function createTree(capacity: number, seed: number): Tree {
  // Untouched pages of these cost no memory, so they are made as large as they may get.
  const highs = new Int32Array(capacity);
  const lows = new Int32Array(capacity);
  const traceOf = new Uint32Array(capacity);
  const parent = new Int32Array(capacity);
  const scope = new Int32Array(capacity);
  const note = new Int32Array(capacity);
  const sibling = new Int32Array(capacity);
  const firstWaiting = new Int32Array(capacity);
  const nextWaiting = new Int32Array(capacity);
  const chain = new Int32Array(capacity);
  const meta = new Uint8Array(capacity);
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, capacity))) - 1;
  // Row + 1, so that zero is none.
  const buckets = new Int32Array(mask + 1);
  let used = 0;
  let size = 0;
  let freed = -1;

  function hashOf(high: number, low: number): number {
    const hash = Math.imul(high ^ seed, 0x85ebca6b) ^ Math.imul(low, 0xc2b2ae35);
    return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  }

  /** One of the few lists that a trace has for its first spans. */
  function nearBucket(trace: number, hash: number): number {
    const first = Math.imul(trace ^ seed, 0x9e3779b1);
    return (((first ^ (first >>> 15)) << NEAR_BITS) | (hash >>> (32 - NEAR_BITS))) & mask;
  }

  function farBucket(trace: number, hash: number): number {
    const mixed = Math.imul(hash ^ Math.imul(trace + 1, 0x9e3779b1), 0x297a2d39);
    return (mixed ^ (mixed >>> 13)) & mask;
  }

  function inList(bucket: number, trace: number, high: number, low: number): number {
    let row = (buckets[bucket] as number) - 1;
    while (row >= 0) {
      if (lows[row] === low && highs[row] === high && traceOf[row] === trace) return row;
      row = chain[row] as number;
    }
    return -1;
  }

  function bucketOf(row: number): number {
    const hash = hashOf(highs[row] as number, lows[row] as number);
    const trace = traceOf[row] as number;
    return ((meta[row] as number) & FAR) === 0 ? nearBucket(trace, hash) : farBucket(trace, hash);
  }

  return {
    get size() {
      return size;
    },
    get full() {
      return freed < 0 && used === capacity;
    },
    parent,
    scope,
    note,
    sibling,
    traceOf,
    find(trace, spans, high, low) {
      const hash = hashOf(high, low);
      const row = inList(nearBucket(trace, hash), trace, high, low);
      return row >= 0 || spans <= NEAR_SPANS ? row : inList(farBucket(trace, hash), trace, high, low);
    },
    add(trace, spans, high, low) {
      let row = freed;
      if (row < 0) row = used++;
      else freed = chain[row] as number;
      highs[row] = high;
      lows[row] = low;
      traceOf[row] = trace;
      parent[row] = ROOT;
      scope[row] = UNRESOLVED;
      note[row] = -1;
      firstWaiting[row] = -1;
      meta[row] = spans < NEAR_SPANS ? 0 : FAR;
      const bucket = bucketOf(row);
      chain[row] = (buckets[bucket] as number) - 1;
      buckets[bucket] = row + 1;
      size += 1;
      return row;
    },
    remove(row) {
      const bucket = bucketOf(row);
      let at = (buckets[bucket] as number) - 1;
      if (at === row) buckets[bucket] = (chain[row] as number) + 1;
      else {
        while (chain[at] !== row) at = chain[at] as number;
        chain[at] = chain[row] as number;
      }
      chain[row] = freed;
      freed = row;
      size -= 1;
    },
    has: (row, high, low) => highs[row] === high && lows[row] === low,
    spanId: (row) => hex(highs[row] as number) + hex(lows[row] as number),
    op: (row) => ((meta[row] as number) >> OP_SHIFT) & OP_BITS,
    setOp(row, op) {
      meta[row] = ((meta[row] as number) & ~(OP_BITS << OP_SHIFT)) | (op << OP_SHIFT);
    },
    present: (row) => ((meta[row] as number) & PRESENT) !== 0,
    arrive(row) {
      meta[row] = (meta[row] as number) | PRESENT;
    },
    contradicted: (row) => ((meta[row] as number) & CONFLICT) !== 0,
    contradict(row) {
      meta[row] = (meta[row] as number) | CONFLICT;
    },
    inTool: (row) => ((meta[row] as number) & IN_TOOL) !== 0,
    putInTool(row) {
      meta[row] = (meta[row] as number) | IN_TOOL;
    },
    wait(row) {
      if (((meta[row] as number) & WAITING) !== 0) return;
      const above = parent[row] as number;
      meta[row] = (meta[row] as number) | WAITING;
      nextWaiting[row] = firstWaiting[above] as number;
      firstWaiting[above] = row;
    },
    release(row, into) {
      let child = firstWaiting[row] as number;
      firstWaiting[row] = -1;
      while (child >= 0) {
        meta[child] = (meta[child] as number) & ~WAITING;
        into.push(child);
        child = nextWaiting[child] as number;
      }
    },
  };
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, '0');
}
