import type { Stage } from '@seamtrace/semconv';
import type { HandoffRecord } from '../evidence/types.js';
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
