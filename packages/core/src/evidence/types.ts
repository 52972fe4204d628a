import type { IncompleteReason, Stage } from '@seamtrace/semconv';
import type { Distinct } from './distinct.js';

/** Why a capture is not complete: as its span says, or `capture_incomplete` where the span gives no reason. */
export type CaptureReason = IncompleteReason | 'capture_incomplete';

/** Who speaks: what the producer's spans say of contract and payload is kept apart from what the consumer's say. */
export type Side = 'producer' | 'consumer';

/** A capture that one span states completely and consistently. */
export interface CompleteCapture {
  /** Sorted by UTF-8 bytes, unique. */
  readonly keys: readonly string[];
  /** Key paths that the capture looked for; a deeper path that is not among them is unknown, not absent. */
  readonly searched: readonly string[];
}

/** What all spans of one execution say about one stage. */
export interface StageExecution {
  readonly execution: number;
  /** Different complete captures, lowest digests first; two or more contradict each other. */
  readonly complete: readonly CompleteCapture[];
  readonly moreComplete: boolean;
  /** Every key name that any span of this execution listed, complete or not. */
  readonly names: readonly string[];
  readonly moreNames: boolean;
  /** Why the captures that were not complete were not. */
  readonly reasons: readonly CaptureReason[];
  readonly stateRef: Distinct | undefined;
  /** `<key>=<keyed digest>` entries. */
  readonly valueDigests: Distinct | undefined;
}

export interface StageRecord {
  /** The four lowest executions, ascending. Empty: no span spoke about this stage. */
  readonly executions: readonly StageExecution[];
  readonly moreExecutions: boolean;
}

/** What one side states of the contract. */
export interface SideRecord {
  /** A span of this side was seen. */
  readonly speaks: boolean;
  readonly version: Distinct | undefined;
  /** Canonical JSON arrays of key paths. */
  readonly required: Distinct | undefined;
  readonly permitted: Distinct | undefined;
  readonly payloadDigest: Distinct | undefined;
  readonly traceIds: Distinct | undefined;
  readonly linkedTraceIds: Distinct | undefined;
}

/** A span that evidence came from: for latency, exemplars and the verdict event. */
export interface SpanRef {
  readonly traceId: string;
  readonly spanId: string;
  readonly execution: number;
  /** Decimal Unix nanoseconds, as text so that a record is plain JSON. */
  readonly startUnixNano: string;
  readonly endUnixNano: string;
  readonly failed: boolean;
  readonly errorType: string | undefined;
}

export type FactName =
  | 'route'
  | 'target'
  | 'destination'
  | 'destinationAgent'
  | 'source'
  | 'task'
  | 'taskParent'
  | 'taskOwner'
  | 'case'
  | 'correlation'
  | 'kind'
  | 'mode'
  | 'leg'
  | 'inReplyTo'
  | 'retryOf'
  | 'sourceRole'
  | 'targetRole'
  | 'hopIndex'
  | 'hopLimit'
  | 'hopPath'
  /** Canonical JSON array of the keys that the destination is known to read. */
  | 'destinationReads'
  | 'payloadSize'
  | 'payloadSizeByDestination'
  | 'payloadTextSize'
  | 'payloadReferences'
  | 'payloadChannel'
  | 'dispatchOutcome'
  | 'ingestOutcome'
  | 'ingestOffset'
  | 'dispatchCriteria'
  | 'ingestCriteria'
  | 'goalDigest'
  | 'stateDigest'
  | 'envelopeDialect'
  | 'envelopeVersion'
  | 'envelopeDegraded'
  /** A trace that begins with a span of the consumer's, so that nothing stands above it which could link to another. */
  | 'consumerRootTrace'
  /** `inferred` for what spans of foreign dialects show; never stated. */
  | 'evidence'
  /** The target as far as the name or the arguments of a tool tell it. */
  | 'targetGuess'
  /** Of a dispatch: the handoff that started the run around it, as the tree of its trace shows. No span states it. */
  | 'parentHandoff'
  /** The agent of the run around an ingest, as the tree shows: inferred, and no ground for an accusation. */
  | 'runAgent'
  | `budget.limit.${string}`
  | `budget.consumed.${string}`;

/**
 * Everything known about one (handoff id, attempt). A span yields a record; records of one key merge
 * (wire contract, section 4). Plain JSON: it can be journaled as it is.
 */
export interface HandoffRecord {
  readonly handoffId: string;
  readonly attempt: number;
  readonly facts: Readonly<Partial<Record<FactName, Distinct>>>;
  readonly sides: Readonly<Record<Side, SideRecord>>;
  readonly stages: Readonly<Record<Stage, StageRecord>>;
  /** `<JSON pointer> <code>` entries of `seamtrace.ingest.violations`. */
  readonly violations: Distinct | undefined;
  /**
   * Why the identity of some contributing span is in doubt: `unsupported` for another schema version, `truncated` or
   * `redacted` for an attempt or execution number that cannot be read. Nothing is accused on such a record.
   */
  readonly doubts: readonly CaptureReason[];
  /** Earliest dispatch span; earliest end of ingest; latest end of the destination's run. */
  readonly dispatchSpan: SpanRef | undefined;
  readonly ingestSpan: SpanRef | undefined;
  readonly runSpan: SpanRef | undefined;
}

/** One `execute_tool` span of an instrumented agent. */
export interface ToolEvidence {
  /** The handoff that started the run which called the tool; `undefined` for the first agent of a task. */
  readonly runHandoffId: string | undefined;
  readonly taskId: string | undefined;
  readonly tool: string;
  readonly agent: string | undefined;
  readonly argumentsDigest: string | undefined;
  readonly span: SpanRef;
}

/** What a span does, as far as topology tells spans apart. */
export type NodeOp = 'run' | 'tool' | 'model' | 'dispatch' | 'ingest' | 'other';

/** Where a span stands in its trace, for what can only be told from the tree. */
export interface TraceNode {
  readonly traceId: string;
  readonly spanId: string;
  /** `undefined` for a root span. */
  readonly parentSpanId: string | undefined;
  readonly op: NodeOp;
  readonly agent: string | undefined;
  readonly tool: string | undefined;
  readonly argumentsDigest: string | undefined;
  readonly taskId: string | undefined;
  /** The handoff that the span itself speaks about. */
  readonly handoffId: string | undefined;
  readonly attempt: number | undefined;
  /** The handoff that started the run which the span belongs to, as the span says it (`seamtrace.run.handoff.id`). */
  readonly ownerHandoffId: string | undefined;
  readonly span: SpanRef;
}

/** The end of an agent's run that belongs to a task. */
export interface RunEvidence {
  readonly taskId: string;
  /** The handoff that started the run; `undefined` for the task's first agent and for a run of several handoffs. */
  readonly handoffId: string | undefined;
  readonly agent: string | undefined;
  readonly dispatchedIds: readonly string[];
  /** The span has no parent. */
  readonly root: boolean;
  readonly span: SpanRef;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** What one span contributes. A span may speak as part of a handoff, as a tool call, or only show who is instrumented. */
export interface Evidence {
  readonly handoff: HandoffRecord | undefined;
  readonly tool: ToolEvidence | undefined;
  /** Where the span stands in its trace; `undefined` where nobody needs it. */
  readonly node: TraceNode | undefined;
  /** The end of an agent run that belongs to a task (an `invoke_agent` span with `seamtrace.task.id`). */
  readonly run: RunEvidence | undefined;
  /** Agents that this span proves to be instrumented, since the span is theirs; names in the form of `foldName`. */
  readonly speakers: readonly string[];
}

export type ExtractResult =
  { readonly ok: true; readonly evidence: Evidence | undefined } | { readonly ok: false; readonly reason: string };
