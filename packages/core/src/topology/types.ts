import type { Evidence, TraceNode } from '../evidence/types.js';

/** Takes what the trees of traces show. Calls are synchronous, come in the order of decisions, and must not throw. */
export interface TopologySink {
  /**
   * A piece for whoever takes evidence, as any other, except that its node must not be offered to the topology again. One of:
   *
   * - a tool call (`tool`) with the handoff and the task of its run;
   * - a model call (`node`, `op` `model`) with the same, as if its span had stated them;
   * - of a record, the fact `parentHandoff`: the handoff that started the run around its dispatch;
   * - of a record, the run around its ingest: `runSpan`, and the fact `runAgent`, which is inferred;
   * - the end of such a run (`run`), where it ingested one handoff only, and that names a task.
   */
  evidence(piece: Evidence): void;
}

/** Facts about the topology's own work, for whoever counts. Calls are synchronous and must not throw. */
export interface TopologyObserver {
  /**
   * Tool calls, model calls, dispatches and ingests let go undecided: something between them and a run never came, stood
   * in a circle, was let go with its trace for lack of room (`evicted`), or came when its trace was full (`capped`).
   */
  unresolved?(count: number, why: 'expired' | 'evicted'): void;
  /** Spans not taken because their trace had as many as a trace may have. */
  capped?(count: number): void;
  /** A trace was let go for lack of room. */
  evicted?(spans: number): void;
}

export interface TopologyOptions {
  readonly sink: TopologySink;
  readonly observer?: TopologyObserver;
  /** Spans in memory at once, over all traces. A parent that is only named counts too. */
  readonly maxSpans?: number;
  /** Spans of one trace; a quarter of `maxSpans` at most. */
  readonly maxSpansPerTrace?: number;
  readonly maxTraces?: number;
  /** A trace in which nothing was received for so long is let go. */
  readonly idleMs?: number;
  /** How long a run that states no handoff waits for a second ingest before it is taken to have one or none. */
  readonly settleMs?: number;
  /** Any number; one that senders cannot know keeps them from choosing span ids that fall together. */
  readonly seed?: number;
}

export interface TopologySizes {
  readonly traces: number;
  /** Spans in memory, those only named as parents included. */
  readonly spans: number;
  /** Tool calls, model calls, dispatches and ingests that are not decided yet. */
  readonly undecided: number;
}

/** What became of the spans of one outline. */
export interface OutlineOffered {
  readonly placed: number;
  /** Known before; nothing was learnt from them that could matter, unless they contradict what was known. */
  readonly duplicate: number;
  readonly refused: number;
}

/**
 * Finds the owners of spans by their place in the trace: of tool and model calls, the handoff that started the run around
 * them; of a dispatch, the handoff before it; of an ingest, its run. `now` is milliseconds, never decreasing.
 *
 * Only the tree counts, never adjacency, and time only within one run. The nearest `invoke_agent` span above decides:
 *
 * - it states a handoff: that handoff owns what is in the run;
 * - it states none and holds the ingest of one handoff: that one does from its first touch on, and the run is the run of the
 *   ingest; of several handoffs: nobody does, since what is in the run belongs to no single one;
 * - it states only a task: the task's first agent does;
 * - it states nothing of ours: under a run of the same agent it is a step of that run, else nobody does.
 *
 * A tool or model call within a tool call is a call of that tool, not of the agent: a server's own span of the call that a
 * client's span stands for, or a model that a tool asks. It has no owner.
 *
 * Once spans of a trace were let go for lack of room, or the trace itself was, only runs that state their handoff decide.
 * What a span states itself is never overruled, a span that names another agent than the run around it belongs to
 * nobody, and a span received twice with different parents or operations says nothing any more, nor does what is below it.
 * What was derived from it before stays.
 */
export interface Topology {
  /** A span of ours; `Evidence.node` of each piece of evidence. */
  offer(node: TraceNode, now: number): 'placed' | 'duplicate' | 'refused';
  /** All other spans of a request, as `packOutline` packed them. @throws CorruptEvidenceError for damaged bytes. */
  offerOutline(packed: Uint8Array, now: number): OutlineOffered;
  /** Whether anything of a trace is kept; for `packOutline`. */
  knows(key: string): boolean;
  /** Derives what is due, about `limit` pieces at most, and lets idle traces go. Call again while `next()` is not after `now`. */
  popDue(now: number, limit?: number): void;
  /** When `popDue` has something to do next; `undefined` when nothing is waiting. */
  next(): number | undefined;
  /** Derives all that can be told of what is known, without waiting for more. Keeps everything. */
  drain(now: number): void;
  /** Receipt of the oldest span that is kept; what a journal holds from before is not needed here. */
  oldestReceipt(): number | undefined;
  sizes(): TopologySizes;
}
