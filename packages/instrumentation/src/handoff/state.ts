import type { SpanContext } from '@opentelemetry/api';
import type { HandoffKind, HandoffLeg, HandoffMode, PayloadChannel } from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';

/** One side of a handoff. `role` is `supervisor`, `worker` or `peer`. */
export interface Party {
  readonly name?: string | undefined;
  readonly role?: string | undefined;
}

/** The task that a handoff serves. Parallel subtasks have their own id and name their parent. */
export interface TaskIdentity {
  readonly id: string;
  readonly parentId?: string | undefined;
  readonly owner?: string | undefined;
}

/** Where a handoff stands in its task's chain (wire contract, section 3). */
export interface Hop {
  /** Agents in order, the target last; left out when a name on the way is unknown or the chain is very long. */
  readonly path?: readonly string[] | undefined;
  /** The first handoff of a task is 1. */
  readonly index: number;
  readonly limit?: number | undefined;
}

/**
 * The terms by which one side captures and states evidence: a contract version of the file, or what a carried header
 * said of the producer's.
 */
export interface ContractTerms {
  readonly version?: string | undefined;
  readonly required: readonly string[];
  readonly permitted?: readonly string[] | undefined;
  readonly nullable: readonly string[];
  readonly integrity: readonly string[];
  /** All paths that a capture by these terms searches: what spans list as required and permitted. Frozen. */
  readonly paths: readonly string[];
  /** Key path whose keyed digest tells which state record was used. */
  readonly stateRef?: string | undefined;
}

/** What is known of the payload beside its keys. Sizes are UTF-8 bytes. */
export interface PayloadFacts {
  readonly channel?: PayloadChannel | undefined;
  readonly size?: number | undefined;
  readonly sizeBy?: string | undefined;
  readonly textSize?: number | undefined;
  readonly references?: number | undefined;
}

/** Everything that is known of one handoff in flight. Plain data: copied, never changed in place. */
export interface HandoffState {
  readonly id: string;
  readonly attempt: number;
  readonly execution: number;
  readonly retryOf?: string | undefined;
  readonly kind?: HandoffKind | undefined;
  readonly mode?: HandoffMode | undefined;
  readonly leg?: HandoffLeg | undefined;
  readonly inReplyTo?: string | undefined;
  /** Name of a declared route; never a derived name. */
  readonly route?: string | undefined;
  readonly source?: Party | undefined;
  readonly target?: Party | undefined;
  readonly task?: TaskIdentity | undefined;
  readonly correlationId?: string | undefined;
  readonly caseId?: string | undefined;
  readonly hop?: Hop | undefined;
  readonly contract?: ContractTerms | undefined;
  readonly sourceCapture?: StageCapture | undefined;
  readonly payloadCapture?: StageCapture | undefined;
  readonly payload?: PayloadFacts | undefined;
  readonly goalDigest?: string | undefined;
  readonly stateDigest?: string | undefined;
  /** The `dispatch` span, for a link from the other side. Absent where nothing recorded it. */
  readonly dispatchSpan?: SpanContext | undefined;
}

/** The key under which one attempt is known in this process. */
export function attemptKey(id: string, attempt: number): string {
  return `${id}~${attempt}`;
}
