import type { Evidence, HandoffRecord } from '../evidence/types.js';
import type { GradeContext } from '../grading/context.js';
import type { GradedHandoff } from '../grading/types.js';
import type { Drained, Due, Offered, ReassemblerOptions, ReassemblySizes } from '../reassembly/types.js';
import type { TaskNews, TasksOptions } from '../tasks/types.js';
import type { TopologyObserver, TopologyOptions, TopologySizes } from '../topology/types.js';

/** What became due: verdicts, and what became known of tasks. Both in the order of their time. */
export interface Arrivals {
  readonly due: readonly Due[];
  readonly tasks: readonly TaskNews[];
}

/** State that must outlive the evidence it came from, for a journal; `state` `undefined`: it is not needed any more. */
export interface KeptFact {
  readonly kind: 'task' | 'agent';
  readonly key: string;
  readonly state: Uint8Array | undefined;
  /** When it last changed. */
  readonly at: number;
}

export interface AssemblySizes extends ReassemblySizes {
  readonly tasks: number;
  readonly taskBytes: number;
  readonly topology: TopologySizes;
}

/**
 * Everything that depends on the order of evidence: the trees of traces, handoffs and tasks, joined. What the trees show
 * goes to handoffs and tasks as evidence of its own; a handoff is graded with what is known of its task, and again when
 * that changes.
 *
 * A function of the evidence, its order and its times: what is due is worked off in the order of its time, before whatever
 * comes after it, so that a replay says what was said.
 *
 * `now` is milliseconds, never decreasing.
 */
export interface Assembly {
  /** Takes what one span contributes. Call `popDue` with the same time before the first piece of a batch. */
  offer(evidence: Evidence, now: number): Offered;
  /** Takes where the other spans of a request stand. @throws CorruptEvidenceError for damaged bytes. */
  offerOutline(packed: Uint8Array, now: number): void;
  /** Whether a trace is followed; for `packOutline`. */
  knows(traceKey: string): boolean;
  /** Works off what is due at `now`, in at most about `limit` steps. Call again while `next()` is not after `now`. */
  popDue(now: number, limit?: number): Arrivals;
  next(): number | undefined;
  /** Grades what is whole and what late evidence waits for. For a stop: nothing is kept. */
  drain(now: number): Drained & Pick<Arrivals, 'tasks'>;
  /** What a journal holds from before this time is not needed for anything that is kept here. */
  neededSince(now: number): number;
  /** What changed since the last call. */
  takeChanges(): readonly KeptFact[];
  /**
   * Takes back what outlived its evidence: facts that began before `since`, the time of the oldest evidence that will be
   * offered. What began later comes with that evidence. Before anything else.
   */
  restore(kept: Iterable<KeptFact>, since: number): void;
  sizes(): AssemblySizes;
}

export interface AssemblyOptions
  extends
    Omit<ReassemblerOptions, 'grade'>,
    Pick<TasksOptions, 'silenceMs' | 'maxTasks' | 'ignoredTools' | 'reopened' | 'replanMs'> {
  /** Grades one attempt with what is known of its task. Must depend on its arguments only. */
  readonly grade: (record: HandoffRecord, context: Omit<GradeContext, 'contracts'>) => GradedHandoff | undefined;
  /** Bounds of the trees of traces. */
  readonly topology?: Pick<TopologyOptions, 'maxSpans' | 'maxSpansPerTrace' | 'maxTraces' | 'idleMs' | 'seed'>;
  readonly topologyObserver?: TopologyObserver;
}
