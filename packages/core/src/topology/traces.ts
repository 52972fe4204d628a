import { createRecentSet } from '../reassembly/recent.js';

/** A trace of which spans are kept. */
export interface Trace {
  readonly slot: number;
  readonly key: string;
  readonly firstAt: number;
  lastAt: number;
  /** First row of a list of its spans; -1 for none. */
  head: number;
  spans: number;
  /** A span of ours stands in it. */
  ours: boolean;
  /** Spans of it were let go or not taken: what was not received cannot be told any more from what never was. */
  partial: boolean;
  /** It was let go. */
  gone: boolean;
  pool: number;
  older: Trace | undefined;
  newer: Trace | undefined;
}

/** Traces by key and by when they last spoke. */
export interface Traces {
  readonly size: number;
  get(key: string): Trace | undefined;
  at(slot: number): Trace;
  add(key: string, now: number): Trace;
  /** The trace spoke, and may have grown or turned out to be ours. */
  touch(trace: Trace, now: number): void;
  remove(trace: Trace): void;
  /** Who goes when there is no room, `undefined` when there is nobody but `keep`. */
  victim(keep: Trace | undefined): Trace | undefined;
  /** The trace that has been silent longest. */
  idlest(): Trace | undefined;
  oldest(): Trace | undefined;
  each(visit: (trace: Trace) => void): void;
}

/** Shares of the room: traces with nothing of ours, traces of ours, and large traces of whatever kind. */
const SHARES = [1, 2, 1] as const;
const FOREIGN = 0;
const OURS = 1;
const LARGE = 2;

interface Pool {
  oldest: Trace | undefined;
  newest: Trace | undefined;
  spans: number;
}

/**
 * When there is no room, the pool that is furthest over its share loses the trace that has been silent longest. So
 * neither a flood of strangers' traces nor a few huge ones push out all others, and each may use room that nobody else
 * does.
 */
export function createTraces(largeSpans: number, maxTraces: number): Traces {
  const former = createRecentSet(maxTraces);
  const byKey = new Map<string, Trace>();
  const slots: (Trace | undefined)[] = [];
  const freed: number[] = [];
  const pools: readonly Pool[] = SHARES.map(() => ({ oldest: undefined, newest: undefined, spans: 0 }));
  // What a trace counted for in its pool when it last spoke.
  const counted: number[] = [];

  function unlink(trace: Trace): void {
    const pool = pools[trace.pool] as Pool;
    if (trace.older === undefined) pool.oldest = trace.newer;
    else trace.older.newer = trace.newer;
    if (trace.newer === undefined) pool.newest = trace.older;
    else trace.newer.older = trace.older;
    pool.spans -= counted[trace.slot] as number;
  }

  function link(trace: Trace): void {
    trace.pool = trace.spans > largeSpans ? LARGE : trace.ours ? OURS : FOREIGN;
    const pool = pools[trace.pool] as Pool;
    trace.older = pool.newest;
    trace.newer = undefined;
    if (pool.newest === undefined) pool.oldest = trace;
    else pool.newest.newer = trace;
    pool.newest = trace;
    counted[trace.slot] = trace.spans;
    pool.spans += trace.spans;
  }

  return {
    get size() {
      return byKey.size;
    },
    get: (key) => byKey.get(key),
    at: (slot) => slots[slot] as Trace,
    add(key, now) {
      const slot = freed.pop() ?? slots.length;
      const trace: Trace = {
        slot,
        key,
        firstAt: now,
        lastAt: now,
        head: -1,
        spans: 0,
        ours: false,
        partial: former.has(key),
        gone: false,
        pool: FOREIGN,
        older: undefined,
        newer: undefined,
      };
      slots[slot] = trace;
      byKey.set(key, trace);
      link(trace);
      return trace;
    },
    touch(trace, now) {
      unlink(trace);
      trace.lastAt = now;
      link(trace);
    },
    remove(trace) {
      unlink(trace);
      trace.gone = true;
      former.add(trace.key);
      byKey.delete(trace.key);
      slots[trace.slot] = undefined;
      freed.push(trace.slot);
    },
    victim(keep) {
      let found: Trace | undefined;
      let worst = -1;
      for (const [at, pool] of pools.entries()) {
        const trace = pool.oldest === keep ? keep?.newer : pool.oldest;
        const load = pool.spans / (SHARES[at] as number);
        if (trace === undefined || load <= worst) continue;
        found = trace;
        worst = load;
      }
      return found;
    },
    idlest() {
      let found: Trace | undefined;
      for (const { oldest } of pools) {
        if (oldest !== undefined && (found === undefined || oldest.lastAt < found.lastAt)) found = oldest;
      }
      return found;
    },
    oldest: () => byKey.values().next().value,
    each: (visit) => byKey.forEach(visit),
  };
}
