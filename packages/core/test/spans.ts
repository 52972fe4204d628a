import { keysDigest, sortUnique } from '@seamtrace/contracts';
import type { AttributeValue, DecodedSpan, Evidence } from '../src/index.js';
import { extractEvidence } from '../src/index.js';

export type Attributes = Record<string, AttributeValue>;
export type StageName = 'source' | 'payload' | 'destination';

let nextSpan = 1;

/** A span as the decoder yields it, with ids of its own. */
export function span(attributes: Attributes, over: Partial<DecodedSpan> = {}): DecodedSpan {
  const id = (nextSpan++).toString(16).padStart(16, '0');
  return {
    traceId: 'a'.repeat(32),
    spanId: id,
    parentSpanId: '',
    name: 'span',
    kind: 1,
    startUnixNano: 1_000_000_000n,
    endUnixNano: 2_000_000_000n,
    statusCode: 0,
    attributes: new Map(Object.entries(attributes)),
    links: [],
    resource: { serviceName: 'app' },
    scope: { name: 'test', version: '1' },
    ...over,
  };
}

/** Evidence attributes of one stage as an instrumentation writes them. */
export function stage(name: StageName, keys: readonly string[], complete = true, reason?: string): Attributes {
  const sorted = sortUnique(keys);
  return {
    [`seamtrace.${name}.keys`]: sorted,
    [`seamtrace.${name}.complete`]: complete,
    [`seamtrace.${name}.key_count`]: BigInt(sorted.length),
    [`seamtrace.${name}.keys_digest`]: keysDigest(sorted),
    ...(reason === undefined ? {} : { [`seamtrace.${name}.incomplete_reason`]: reason }),
  };
}

/** The evidence of spans that must be readable. */
export function evidenceOf(spans: readonly DecodedSpan[]): Evidence[] {
  return spans.flatMap((one) => {
    const result = extractEvidence(one);
    if (!result.ok) throw new Error(result.reason);
    return result.evidence === undefined ? [] : [result.evidence];
  });
}

/** A whole handoff that passes, as the one destination span of an app in one process. */
export function passing(id = 'h-0001'): Attributes {
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'billing',
    'seamtrace.schema.version': '1',
    'seamtrace.handoff.id': id,
    'seamtrace.handoff.role': 'destination',
    'seamtrace.handoff.attempt': 1n,
    'seamtrace.handoff.execution': 1n,
    'seamtrace.handoff.route': 'triage_to_billing',
    'seamtrace.handoff.source.name': 'triage',
    'seamtrace.handoff.target.name': 'billing',
    'seamtrace.handoff.destination.name': 'billing',
    'seamtrace.task.id': 'task-1',
    'seamtrace.case.id': 'case-1',
    'seamtrace.contract.version': '2',
    'seamtrace.contract.required_keys': ['customer_id', 'invoice_id'],
    'seamtrace.contract.permitted_keys': ['customer_id', 'invoice_id', 'locale'],
    ...stage('source', ['customer_id', 'invoice_id', 'locale', 'note']),
    ...stage('payload', ['customer_id', 'invoice_id', 'locale']),
    ...stage('destination', ['customer_id', 'invoice_id', 'locale']),
  };
}
