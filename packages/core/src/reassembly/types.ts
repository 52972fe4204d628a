import type { Stage } from '@seamtrace/semconv';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import type { GradeContext } from '../grading/context.js';
import type { GradedHandoff } from '../grading/types.js';

/** Ways out of pending: `evicted` by capacity, `dropped` when never admitted (registry, `seamtrace.analyzer.exit`). */
export type Exit = 'completed' | 'expired' | 'evicted' | 'dropped';

/** What grading is told by the reassembler; the contracts are the caller's. */
export type ReassemblyContext = Omit<GradeContext, 'contracts'>;

/** Facts about the reassembler's own work, for whoever counts. Calls are synchronous and must not throw. */
export interface ReassemblyObserver {
  /** One handoff attempt left pending, or was never admitted. */
  exit?(exit: Exit): void;
  /**
   * A piece of evidence came after its handoff was graded. `ageMs` counts from the first grade; `undefined` when the
   * handoff is no longer kept, so that the evidence can change nothing any more.
   */
  late?(ageMs: number | undefined): void;
  /** Tool calls let go although their handoff may still come: more than one handoff may have, or more than fit at all. */
  toolsDropped?(count: number): void;
}

export interface ReassemblerOptions {
  /**
   * Grades one attempt; `undefined` for what is not graded at all, such as a return leg on an undeclared route. Must
   * depend on its arguments only.
   */
  readonly grade: (record: HandoffRecord, context: ReassemblyContext) => GradedHandoff | undefined;
  /** How long an attempt is waited for, from its first evidence; asked again whenever the record grows. */
  readonly deadlineMs: (record: HandoffRecord) => number;
  /** How long a whole record waits for more, and late evidence for its like. */
  readonly settleMs: number;
  /** How long a graded record is kept, from its first grade. Late evidence does not prolong it. */
  readonly retentionMs: number;
  /** Attempts in memory at once, pending and graded together. */
  readonly maxRecords: number;
  /**
   * Bytes of what is kept, 2 GiB when left out: records, verdicts, tool calls, and an allowance for what stands beside each
   * attempt. An eighth of it is for tool calls. Of the memory of the process it leaves out what comes and goes with each
   * piece of evidence.
   */
  readonly maxBytes?: number;
  /**
   * Any number that senders cannot know, so that they cannot choose ids that slow the service down. It changes no verdict.
   */
  readonly hashSeed?: number;
  /** Attempts of one handoff id, 256 when left out; further ones are dropped, so that one id cannot push out all others. */
  readonly maxAttempts?: number;
  /** Tool calls kept for the run of one handoff. */
  readonly maxToolsPerHandoff?: number;
  /** Agents remembered as instrumented. */
  readonly maxSpeakers?: number;
  readonly observer?: ReassemblyObserver;
}

/**
 * A verdict that is due for delivery. The same evidence offered again in the same order at the same times gives the same
 * verdicts with the same revisions, so that after a replay (handoff id, attempt, revision) and the id of the verdict tell
 * what had been delivered.
 */
export interface Due {
  readonly graded: GradedHandoff;
  readonly record: HandoffRecord;
  /** Other attempts and retries, as grading saw them. */
  readonly siblings: readonly HandoffRecord[];
  /** 1 for the first verdict of this attempt. */
  readonly revision: number;
  /** The verdict that this one replaces, and the record it rested on; `undefined` with revision 1. */
  readonly previous: { readonly graded: GradedHandoff; readonly record: HandoffRecord } | undefined;
}

/** An attempt that a stop leaves ungraded. */
export interface Undecided {
  readonly handoffId: string;
  readonly attempt: number;
  /** Stages that no span spoke about. */
  readonly silent: readonly Stage[];
  readonly destinationKnown: boolean;
}

export interface Drained {
  readonly due: readonly Due[];
  /** Oldest first. */
  readonly undecided: readonly Undecided[];
}

export interface ReassemblySizes {
  /** Waiting for evidence, for settling or for their deadline. */
  readonly pending: number;
  /** Graded and kept for late evidence. */
  readonly retained: number;
  /** Verdicts made by `offer` that `popDue` has not handed out yet. */
  readonly ready: number;
  readonly tools: number;
  readonly speakers: number;
  /** What counts against `maxBytes`. */
  readonly bytes: number;
}

/** What became of a piece of evidence. */
export type Offered =
  /** It joined. */
  | 'admitted'
  /** The same evidence was there already: nothing changed. */
  | 'duplicate'
  /** Its handoff is not kept any more, or it is a tool call more than are kept. */
  | 'dropped'
  /** It is an attempt more than are kept of one handoff id, and was not admitted. */
  | 'over_limit';

/**
 * Gathers evidence by (handoff id, attempt) and says when which verdict is due. `now` is milliseconds, never decreasing.
 *
 * What it says depends on the evidence, its order and the times it is offered at, not on when `popDue` is called: what is
 * due when evidence comes is graded without that evidence, as of the time when it became due.
 */
export interface Reassembler {
  /**
   * Takes what one span contributes. Verdicts that this brings about, of attempts that were due or are pushed out, wait in
   * memory for the next `popDue`. Where much may be due, pop until `next()` is after `now` before you offer: this call grades
   * a bounded number of others first.
   */
  offer(evidence: Evidence, now: number): Offered;
  /**
   * Verdicts due at `now` (a time of exactly `now` is due): first verdicts and late evidence, then the revisions that they
   * bring about. Does at most `limit` steps, so that a caller can give way in between. Call again while `next()` is not after `now`.
   */
  popDue(now: number, limit?: number): Due[];
  /**
   * Something beside its record has changed on which the verdict of a graded attempt may rest: it is looked at again at
   * `at`, or when it was to be already. Nothing happens to one that is not graded or not kept.
   */
  recheck(handoffId: string, attempt: number, at: number): void;
  /** When `popDue` has something to do next; `undefined` when nothing is waiting. */
  next(): number | undefined;
  /** Grades what is whole and what late evidence waits for; lists what stays ungraded. For a stop: nothing is kept. */
  drain(now: number): Drained;
  /** Receipt of the oldest evidence that is still needed; what a journal holds from before can go. */
  oldestReceipt(): number | undefined;
  sizes(): ReassemblySizes;
}
