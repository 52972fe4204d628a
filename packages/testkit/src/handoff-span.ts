import { createHash } from 'node:crypto';
import { keysDigest, sortUnique } from '@seamtrace/contracts';
import type { AttributeValue, DecodedSpan } from '@seamtrace/core';
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SEAMTRACE_CAPTURE_BY,
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_HANDOFF_ATTEMPT,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_EXECUTION,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_HANDOFF_ROLE,
  ATTR_SEAMTRACE_HANDOFF_ROUTE,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME,
  ATTR_SEAMTRACE_HANDOFF_TARGET_NAME,
  ATTR_SEAMTRACE_SCHEMA_VERSION,
  ATTR_SEAMTRACE_TASK_ID,
  SCHEMA_VERSION,
} from '@seamtrace/semconv';
import type { HandoffRole, IncompleteReason, Stage } from '@seamtrace/semconv';
import { attributePairs } from './request-model.js';
import type { Attributes, SpanModel } from './request-model.js';

/** What one stage saw. A bare list of keys is a complete capture of them. */
export type StageModel =
  readonly string[] | { readonly keys: readonly string[]; readonly incomplete: IncompleteReason | 'unstated' };

/** A span that speaks for a handoff, in the words of a test. What is left out is not stated on the span. */
export interface HandoffSpanModel {
  readonly role: HandoffRole;
  readonly handoffId: string;
  readonly attempt?: number;
  readonly execution?: number;
  readonly route?: string;
  readonly source?: string;
  readonly target?: string;
  /** On an `ingest` or `destination` span also `gen_ai.agent.name`. */
  readonly destination?: string;
  readonly task?: string;
  readonly contractVersion?: string;
  readonly requiredKeys?: readonly string[];
  readonly permittedKeys?: readonly string[];
  readonly sourceStage?: StageModel;
  readonly payloadStage?: StageModel;
  readonly destinationStage?: StageModel;
  /** Further attributes; they replace those made from the members above. */
  readonly attributes?: Attributes;
  /** Anything of the span itself; ids are otherwise derived from handoff id, role, attempt and execution. */
  readonly span?: Partial<Omit<SpanModel, 'attributes'>>;
}

const START_UNIX_NANO = 1_767_225_600_000_000_000n;
const INTERNAL = 1;

/**
 * A span as our instrumentation would stamp it (wire contract, sections 2 and 3): schema version, identity, contract,
 * and stage evidence whose count and digest fit the keys. It lasts 100 ms from the start of 2026.
 */
export function handoffSpan(model: HandoffSpanModel): SpanModel {
  const { role, handoffId, attempt = 1, execution = 1 } = model;
  const identity = `${handoffId}/${attempt}/${execution}/${role}`;
  return {
    traceId: hexOf(`trace ${handoffId}`, 32),
    spanId: hexOf(`span ${identity}`, 16),
    name: spanName(model),
    kind: INTERNAL,
    startUnixNano: START_UNIX_NANO,
    endUnixNano: START_UNIX_NANO + 100_000_000n,
    ...model.span,
    attributes: handoffAttributes(model),
  };
}

function hexOf(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}

function spanName({ role, target, route, destination }: HandoffSpanModel): string {
  if (role === 'dispatch') return `handoff ${target ?? 'unknown'}`;
  if (role === 'ingest') return `ingest ${route ?? 'unknown'}`;
  return `invoke_agent ${destination ?? 'unknown'}`;
}

function handoffAttributes(model: HandoffSpanModel): ReadonlyMap<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  const put = (key: string, value: AttributeValue | undefined) => {
    if (value !== undefined) attributes.set(key, value);
  };
  put(ATTR_SEAMTRACE_SCHEMA_VERSION, SCHEMA_VERSION);
  put(ATTR_SEAMTRACE_HANDOFF_ROLE, model.role);
  put(ATTR_SEAMTRACE_HANDOFF_ID, model.handoffId);
  put(ATTR_SEAMTRACE_HANDOFF_ATTEMPT, asInt(model.attempt));
  put(ATTR_SEAMTRACE_HANDOFF_EXECUTION, asInt(model.execution));
  put(ATTR_SEAMTRACE_HANDOFF_ROUTE, model.route);
  put(ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME, model.source);
  put(ATTR_SEAMTRACE_HANDOFF_TARGET_NAME, model.target);
  put(ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME, model.destination);
  put(ATTR_SEAMTRACE_TASK_ID, model.task);
  put(ATTR_SEAMTRACE_CONTRACT_VERSION, model.contractVersion);
  put(ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS, model.requiredKeys);
  put(ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS, model.permittedKeys);
  if (model.role === 'destination') put(ATTR_GEN_AI_OPERATION_NAME, 'invoke_agent');
  if (model.role !== 'dispatch') put(ATTR_GEN_AI_AGENT_NAME, model.destination);
  for (const [stage, evidence] of Object.entries({
    source: model.sourceStage,
    payload: model.payloadStage,
    destination: model.destinationStage,
  })) {
    if (evidence !== undefined) {
      put(ATTR_SEAMTRACE_CAPTURE_BY, 'testkit@0.1.0');
      for (const [key, value] of stageAttributes(stage as Stage, evidence)) put(key, value);
    }
  }
  for (const [key, value] of attributePairs(model.attributes)) attributes.set(key, value);
  return attributes;
}

function asInt(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

/** The `seamtrace.<stage>.*` attributes of one capture: sorted keys, completeness, count and digest (section 3). */
export function stageAttributes(stage: Stage, evidence: StageModel): ReadonlyMap<string, AttributeValue> {
  const { keys, incomplete } = isList(evidence) ? { keys: evidence, incomplete: undefined } : evidence;
  const names = sortUnique(keys);
  const attributes = new Map<string, AttributeValue>([
    [`seamtrace.${stage}.keys`, names],
    [`seamtrace.${stage}.complete`, incomplete === undefined],
    [`seamtrace.${stage}.key_count`, BigInt(names.length)],
    [`seamtrace.${stage}.keys_digest`, keysDigest(names)],
  ]);
  if (incomplete !== undefined && incomplete !== 'unstated') {
    attributes.set(`seamtrace.${stage}.incomplete_reason`, incomplete);
  }
  return attributes;
}

function isList(evidence: StageModel): evidence is readonly string[] {
  return Array.isArray(evidence);
}

/** The span as the decoder hands it on, for tests that begin behind it. All attributes are kept. */
export function decodedSpan(span: SpanModel, serviceName = 'test-agent'): DecodedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? '',
    name: span.name,
    kind: span.kind ?? 0,
    startUnixNano: span.startUnixNano,
    endUnixNano: span.endUnixNano,
    statusCode: span.statusCode ?? 0,
    attributes: new Map(attributePairs(span.attributes)),
    links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
    resource: { serviceName },
    scope: { name: 'test', version: '1' },
  };
}
