import type { TaskOutcome } from '@seamtrace/semconv';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import type { TaskFacts } from './counting.js';
import type { TaskPiece } from './piece.js';
import type { TaskView } from './view.js';

/** An attempt whose verdict may have changed. */
export interface HopRef {
  readonly handoffId: string;
  readonly attempt: number;
}

/** The end of a task, told once for each. */
export interface TaskEnd {
  readonly taskId: string;
  /** `undefined` where capacity pushed it out before anything of its end was seen. */
  readonly outcome: TaskOutcome | undefined;
  /** Largest hop index over its forward legs, else the longest chain of handoffs; `undefined` without any handoff. */
  readonly hops: number | undefined;
  readonly atHopLimit: boolean;
}

/** What became known. */
export interface TaskNews extends TaskFacts {
  readonly ends: readonly TaskEnd[];
  /** Attempts graded before, to be graded again where they are still kept. At most 64 for each task that changed. */
  readonly affected: readonly HopRef[];
}

/** The state of one task that must outlive what it came from. */
export interface KeptTask {
  readonly key: string;
  /** `undefined`: the task is forgotten. */
  readonly state: Uint8Array | undefined;
  /** When it last changed; a restore takes it back. */
  readonly at: number;
}

/** Facts that cross the handoffs of one task. `now` is milliseconds, never decreasing. */
export interface Tasks {
  /**
   * A span of a task was received: tool calls, runs and model calls join at once, a handoff when it is graded. Returns the
   * graded attempts on which it may bear.
   */
  offer(evidence: Evidence, now: number): readonly HopRef[];
  /** The same for what was found out about a span otherwise, such as from its place in the trace. */
  offerPiece(taskId: string, piece: Exclude<TaskPiece, { readonly hop: unknown }>, now: number): readonly HopRef[];
  /** The record's task as it is known now, the record included; `undefined` where it states none, or two. */
  viewOf(record: HandoffRecord): TaskView | undefined;
  /** An attempt was graded, for the first time or again: it joins its task. Also where it got no verdict. */
  noteGraded(record: HandoffRecord, now: number): TaskNews;
  /** What is due: tasks that ended, and decisions that wait no longer. At most about `limit` of each. */
  popDue(now: number, limit?: number): TaskNews;
  next(): number | undefined;
  /** Tasks that changed since the last call, packed for a journal, each with its latest state. */
  takeChanges(): readonly KeptTask[];
  /**
   * Takes back what a journal kept of tasks first heard of before `before`, before anything else; in any order. Of later
   * ones all evidence comes again, and they are not to know what was not known yet.
   */
  restore(kept: Iterable<KeptTask>, before: number): void;
  readonly size: number;
  /** Bytes of all packed tasks; what a task costs beside is constant. */
  readonly bytes: number;
}

export interface TasksOptions {
  /** Silence after which a task counts as ended. At least as long as graded records are kept, or their tasks go first. */
  readonly silenceMs: number;
  /** How long a task is waited with after its root run ended, from its last word; 10,000 when left out. */
  readonly settleMs?: number;
  /** How long a replan is waited for, from the handoff's first grade; 600,000 when left out. */
  readonly replanMs?: number;
  /** Tasks in memory; beyond it the one silent longest counts as ended early. */
  readonly maxTasks: number;
  /** Bytes of all tasks together; 268,435,456 when left out. Beyond it the same happens. */
  readonly maxBytes?: number;
  /** Calls kept until their handoff says which task they belong to; 16,384 when left out. */
  readonly maxOrphans?: number;
  /** Tools of a route that never count as work redone; none when left out. */
  readonly ignoredTools?: (route: string | undefined) => readonly string[];
  /** Called once when a task speaks after it counted as ended. */
  readonly reopened?: () => void;
}
