import type { Attributes, Context, SpanContext, TimeInput } from '@opentelemetry/api';
import type { StageCapture } from '../capture/stage-capture.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import type { Task } from '../handoff/task.js';
import type { RunRecord } from '../processor/run.js';
import { runtime } from '../runtime/state.js';

/** One `accept` in progress: which handoff it is about, and what became known of it. */
export interface AcceptFrame {
  readonly state: HandoffState;
  /** The terms by which this side captures: those of its own contract file, else those that the handoff carried. */
  readonly terms: ContractTerms | undefined;
  /** Who takes it, where the application says so; else the run's `gen_ai.agent.name` does. */
  readonly agent: string | undefined;
  /** The agent that the process hosts, for where neither the application nor a run says who takes it. */
  readonly hostAgent: string | undefined;
  readonly task: Task;
  /**
   * On a return leg, which starts no work of its own: the `accept` whose work it comes back to. Others keep none, so that
   * an endless line of transfers does not keep all its frames.
   */
  readonly outer: AcceptFrame | undefined;
  /** The frames that this one joined before any run began: one run started by several handoffs. */
  readonly joined: readonly AcceptFrame[];
  /** Start of the `ingest` span: the first touch of what arrived. */
  readonly firstTouch: TimeInput;
  /** The producer's span: that of the dispatch, else what the carrier's trace context names. */
  readonly producer: SpanContext | undefined;
  /** Names by which the target is known: its own and its aliases. */
  readonly targetNames: readonly string[];
  /** The run that took the handoff, once that is decided. */
  run: RunRecord | undefined;
  /** Runs that may be it: the one around the `accept`, then the outermost one begun inside. */
  readonly candidates: { around: RunRecord | undefined; inside: RunRecord | undefined };
  /** Something was dispatched from inside before any run began, so a later frame inside is another agent's. */
  dispatched: boolean;
  /** The destination evidence, once it is known. The first capture stays. */
  ingest: IngestResult | undefined;
  /**
   * What a protocol delivered, as the handler of the call could read it when it began. It becomes the evidence where the
   * application does not say more exactly what its agent ingested.
   */
  offered?: IngestResult | undefined;
  /** Further attributes of the `ingest` span, such as `a2a.task.id`. */
  readonly attributes?: Attributes | undefined;
}

/** How an ingest ended. */
export interface IngestResult {
  readonly capture: StageCapture;
  readonly outcome: 'accepted' | 'warned' | 'rejected' | undefined;
  readonly violations: readonly string[];
  /** Milliseconds since the epoch; `undefined` when no ingest was observed. */
  readonly endedAtMs: number | undefined;
  /** Keys that the destination says it reads: sorted, unique, names that look like none masked. */
  readonly reads?: readonly string[] | undefined;
}

/** A handoff was taken and nobody told what the destination could read. */
export function unobservedIngest(capture: StageCapture): IngestResult {
  return { capture, outcome: undefined, violations: [], endedAtMs: undefined };
}

// OpenTelemetry's context keys are plain symbols; registered ones are the same in every copy of this package.
const FRAME_KEY = Symbol.for('seamtrace.instrumentation.v1.accept');

/** The frame whose handoff the work in it serves: a return leg that started no run is the work of the one around it. */
export function workingFrame(frame: AcceptFrame | undefined): AcceptFrame | undefined {
  return frame !== undefined && frame.state.leg === 'return' && frame.run === undefined ? frame.outer : frame;
}

/** The innermost `accept` of a context. */
export function frameOf(context: Context): AcceptFrame | undefined {
  const held = context.getValue(FRAME_KEY) as AcceptFrame | undefined;
  return held ?? runtime().frames.getStore();
}

/** A context in which the frame is the innermost one. */
export function withFrame(context: Context, frame: AcceptFrame): Context {
  return context.setValue(FRAME_KEY, frame);
}
