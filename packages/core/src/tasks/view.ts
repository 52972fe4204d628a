import type { TaskOutcome } from '@seamtrace/semconv';
import type { RunEvidence, SpanRef, ToolEvidence } from '../evidence/types.js';
import type { TaskHop } from './hop.js';

/** One call of a model by an agent of a task. */
export interface ModelCall {
  readonly taskId: string;
  /** The handoff that started the run which called; `undefined` for the task's first agent. */
  readonly runHandoffId: string | undefined;
  readonly span: SpanRef;
}

/** When a model was called, and by which span. */
export interface ModelTurn {
  readonly startUnixNano: string;
  readonly endUnixNano: string;
  readonly span: SpanRef;
}

/** What is known of a whole task when one of its handoffs is graded. A function of the evidence, not of its order. */
export interface TaskView {
  readonly taskId: string;
  /** All known attempts of the task, the one in question included, sorted by hop index, id and attempt. */
  readonly hops: readonly TaskHop[];
  /** `false` when something of the task was let go or did not fit: what needs all of it is not found then. */
  readonly complete: boolean;
  /** Tool calls of the runs that a handoff started, by start; `undefined` asks for the task's first agent. */
  toolsOf(runHandoffId: string | undefined): readonly ToolEvidence[];
  modelCallsOf(runHandoffId: string | undefined): readonly ModelTurn[];
  /** Ends of agent runs, by start. */
  readonly runs: readonly RunEvidence[];
  /** How it ended; `undefined` while it goes on. */
  readonly ended: TaskOutcome | undefined;
}
