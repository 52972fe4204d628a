import type { DecodedSpan, Evidence, GradedHandoff } from '@seamtrace/core';
import type { AnySpan } from './any-span.js';

/** One span of ours, with what can be read of it. */
export interface OwnSpan {
  readonly span: DecodedSpan;
  /** What it contributes; `undefined` where nothing can be used. */
  readonly evidence: Evidence | undefined;
  /** Why its handoff id is none. */
  readonly refused: string | undefined;
  /** How many attributes the SDK dropped because of its limit. */
  readonly droppedAttributes: number;
}

/** All that arrived from one service, by `service.name`. */
export interface ServiceView {
  readonly name: string;
  /** Spans of every kind. */
  readonly received: number;
  readonly own: readonly OwnSpan[];
  /** Spans of agents and tools that carry nothing of ours, whatever convention they follow. */
  readonly foreign: readonly AnySpan[];
}

/** Everything the doctor was shown. */
export interface CaseView {
  readonly services: readonly ServiceView[];
  readonly graded: readonly GradedHandoff[];
  /** A contract file was read. */
  readonly hasContracts: boolean;
  /** The service whose spans are the agent's own, by the agent's name; `undefined` where no span of it was seen. */
  readonly serviceOf: (agent: string | null) => string | undefined;
}

/** One thing that is wrong or missing, and what to do about it. */
export interface Diagnosis {
  /** Machine-readable and stable. */
  readonly id: string;
  /** A `problem` costs verdicts; `advice` would show more. */
  readonly severity: 'problem' | 'advice';
  /** `null` where it concerns no single service. */
  readonly service: string | null;
  /** How often it was met. */
  readonly count: number;
  readonly what: string;
  readonly fix: string;
  /** Where it can be seen: names of spans, ids of handoffs, agents; at most three. */
  readonly examples: readonly string[];
}

/** A check looks at everything and says what it finds; nothing found is an empty list. */
export type Check = (view: CaseView) => readonly Diagnosis[];
