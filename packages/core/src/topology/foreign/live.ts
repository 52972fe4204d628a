import { hash } from 'node:crypto';
import type { Evidence } from '../../evidence/types.js';
import { createRecentSet } from '../../reassembly/recent.js';
import { readOutline, traceKey } from '../outline-codec.js';
import { inferTrace } from './infer.js';
import { namesIn } from './ours.js';
import { type Summary, areTwins, repeated, summaryOf } from './twins.js';
import { type ForeignTrace, addSign, createForeignTrace, eachSpan } from './trace.js';

export interface ForeignOptions {
  /** Called with each piece that was not told before. Must not throw. */
  readonly tell: (piece: Evidence) => void;
  /** How long a trace whose root span was received must be silent. */
  readonly settleMs: number;
  /** How long any other one must be; 60,000 when left out. */
  readonly quietMs?: number;
  /** A silent trace is let go after so long. */
  readonly idleMs: number;
  /** Spans in memory at once; 262,144 when left out. */
  readonly maxSpans?: number;
  /** A trace of more spans is not looked at any more, since what is missing cannot be told; 65,536 when left out. */
  readonly maxSpansPerTrace?: number;
}

/** Traces of foreign dialects as they come in. `now` is milliseconds, never decreasing. */
export interface ForeignTraces {
  /** What a span of ours says keeps its boundaries from being inferred as well. */
  note(evidence: Evidence): void;
  /** @throws CorruptEvidenceError for damaged bytes. */
  offerOutline(packed: Uint8Array, now: number): void;
  /** Tells of traces that have fallen silent, of about `limit` spans at most; returns what is left of `limit`. */
  popDue(now: number, limit: number): number;
  next(): number | undefined;
  /** Tells of all traces by what is known. Keeps everything. */
  drain(): void;
  oldestReceipt(): number | undefined;
  readonly spans: number;
}

interface Live {
  readonly key: string;
  readonly trace: ForeignTrace;
  readonly firstAt: number;
  lastAt: number;
  rooted: boolean;
  /** Digests of the pieces that were told. */
  told: Set<string>;
}

/** Traces in which spans of ours spoke; of more, those heard last are known. */
const MAX_OURS = 16_384;
const MAX_NAMES = 64;
const FORGOTTEN = 65_536;
/** Traces that came last, among which a second trace of one run is looked for. */
const MAX_NEAR = 32;

/**
 * A trace is looked at when it has been silent for a while, and again when more of it has come: what was told stays, what is
 * new or different joins it. Silence counts from receipt, and is shorter where the root span has come, which ends last.
 */
export function createForeignTraces(options: ForeignOptions): ForeignTraces {
  const { tell, settleMs, idleMs, quietMs = 60_000, maxSpans = 262_144, maxSpansPerTrace = 65_536 } = options;
  // Each by when its traces spoke last.
  const rooted = new Map<string, Live>();
  const open = new Map<string, Live>();
  const done = new Map<string, Live>();
  const pools = [
    { traces: done, waits: idleMs },
    { traces: rooted, waits: settleMs },
    { traces: open, waits: quietMs },
  ] as const;
  /** All of them, by when they began. */
  const all = new Map<string, Live>();
  const ours = new Map<string, Set<string>>();
  const former = createRecentSet(FORGOTTEN);
  let spans = 0;

  function begin(key: string, now: number): Live {
    const known = all.get(key);
    if (known !== undefined) return known;
    const trace = createForeignTrace();
    // What was known of it before is gone.
    if (former.has(key)) trace.partial = true;
    for (const name of ours.get(key) ?? []) trace.ours.add(name);
    const live: Live = { key, trace, firstAt: now, lastAt: now, rooted: false, told: new Set() };
    open.set(key, live);
    all.set(key, live);
    return live;
  }

  function place(live: Live, into: Map<string, Live>): void {
    for (const { traces } of pools) traces.delete(live.key);
    into.set(live.key, live);
  }

  function letGo(live: Live): void {
    for (const { traces } of pools) traces.delete(live.key);
    all.delete(live.key);
    spans -= live.trace.parents.size;
    former.add(live.key);
  }

  function look(live: Live): void {
    const traceId = Buffer.from(live.key, 'latin1').toString('hex');
    const told = new Set<string>();
    const evidence = inferTrace(traceId, live.trace);
    // What was told of stays told.
    if (live.told.size === 0 && isTwin(live, summaryOf(traceId, live.trace, evidence))) return;
    for (const piece of evidence) {
      const digest = hash('sha256', JSON.stringify(piece), 'base64');
      told.add(digest);
      if (!live.told.has(digest)) tell(piece);
    }
    live.told = told;
  }

  /** Another instrumentation made a trace of the same run, and that one is told of, or will be. */
  function isTwin(live: Live, summary: Summary | undefined): boolean {
    if (summary === undefined) return false;
    const [own] = summary.dialects;
    const near = [...all.values()].slice(-MAX_NEAR).filter((other) => other !== live && dialectOf(other) !== own);
    const summaries = near.flatMap((other) => {
      const traceId = Buffer.from(other.key, 'latin1').toString('hex');
      return summaryOf(traceId, other.trace, inferTrace(traceId, other.trace)) ?? [];
    });
    if (summaries.length === 0) return false;
    const before = near.some((other) => {
      const theirs = summaries.find(({ traceId }) => traceId === Buffer.from(other.key, 'latin1').toString('hex'));
      return other.told.size > 0 && theirs !== undefined && areTwins(theirs, summary);
    });
    return before || repeated([summary, ...summaries]).has(summary.traceId);
  }

  function dialectOf({ trace }: Live): string | undefined {
    for (const { sign } of trace.signs.values()) return sign.dialect;
    return undefined;
  }

  function makeRoom(keep: ReadonlySet<string>): void {
    while (spans > maxSpans) {
      const victim = oldest(keep);
      if (victim === undefined) return;
      if (!done.has(victim.key)) look(victim);
      letGo(victim);
    }
  }

  function oldest(keep: ReadonlySet<string>): Live | undefined {
    for (const { traces } of pools) for (const live of traces.values()) if (!keep.has(live.key)) return live;
    return undefined;
  }

  function takeSpan({ trace }: Live, spanId: string, parentId: string): boolean {
    if (trace.parents.has(spanId)) {
      trace.parents.set(spanId, parentId);
      return false;
    }
    if (trace.parents.size >= maxSpansPerTrace) {
      trace.partial = true;
      return false;
    }
    trace.parents.set(spanId, parentId);
    spans += 1;
    return true;
  }

  function offerOutline(packed: Uint8Array, now: number): void {
    const reader = readOutline(packed);
    const lives: (Live | undefined)[] = reader.traces.map((key) => all.get(key));
    for (const row of reader.foreign) {
      const live = (lives[row.trace] ??= begin(reader.traces[row.trace] as string, now));
      takeSpan(live, row.spanId, row.parentSpanId);
      if (live.trace.parents.has(row.spanId)) addSign(live.trace, row);
    }
    if (lives.every((live) => live === undefined)) return;
    eachSpan(reader, (number, spanId, parentId) => {
      const live = lives[number];
      if (live === undefined) return;
      takeSpan(live, spanId, parentId);
      if (parentId === '') live.rooted = true;
    });
    const touched = lives.filter((live) => live !== undefined);
    for (const live of touched) {
      live.lastAt = now;
      place(live, live.rooted ? rooted : open);
    }
    makeRoom(new Set(touched.map(({ key }) => key)));
  }

  function popDue(now: number, limit: number): number {
    let left = limit;
    for (const { traces, waits } of pools) {
      for (const live of traces.values()) {
        if (live.lastAt + waits > now || left <= 0) break;
        left -= 1 + live.trace.signs.size;
        if (traces === done) letGo(live);
        else {
          look(live);
          place(live, done);
        }
      }
    }
    return left;
  }

  return {
    note(evidence) {
      if (evidence.node === undefined) return;
      const key = traceKey(evidence.node.traceId);
      const names = ours.get(key) ?? new Set<string>();
      for (const name of namesIn(evidence)) if (names.size < MAX_NAMES) names.add(name);
      ours.delete(key);
      ours.set(key, names);
      if (ours.size > MAX_OURS) ours.delete(ours.keys().next().value!);
      const live = all.get(key);
      if (live !== undefined) for (const name of names) live.trace.ours.add(name);
    },
    offerOutline,
    popDue,
    next() {
      let at: number | undefined;
      for (const { traces, waits } of pools) {
        for (const live of traces.values()) {
          at = Math.min(at ?? live.lastAt + waits, live.lastAt + waits);
          break;
        }
      }
      return at;
    },
    drain() {
      for (const live of [...rooted.values(), ...open.values()]) {
        look(live);
        place(live, done);
      }
    },
    oldestReceipt: () => all.values().next().value?.firstAt,
    get spans() {
      return spans;
    },
  };
}
