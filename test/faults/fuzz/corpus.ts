import { type SpanModel, encodeJson, encodeProtobuf, traceRequest } from '@seamtrace/testkit';
import { spanOf } from '../client/span.js';
import { tellStory } from '../client/story.js';
import type { Random } from '../random.js';

export type Encoding = 'protobuf' | 'json';

export interface Input {
  readonly encoding: Encoding;
  readonly body: Buffer;
}

const START = 1_767_225_600_000_000_000n;
const PACE = { settleMs: 0, deadlineMs: 0 };

/** Which handoffs and tasks the spans of a request speak of. */
export interface Names {
  readonly handoff: (random: Random) => string;
  readonly task: (random: Random) => string;
}

/** Few, so that the evidence of different requests meets in one record. */
const FEW: Names = {
  handoff: (random) => `f-${random.below(500)}`,
  task: (random) => `task-${random.below(50)}`,
};

/** A request as real senders make them: a few spans with evidence of ours among spans of agents, tools and models. */
export function realRequest(random: Random, names: Names = FEW): Input {
  const stories = Array.from({ length: random.chance(0.3) ? 2 : 1 }, () =>
    tellStory(names.handoff(random), random, PACE).map(({ piece }) => spanOf(piece)),
  ).flat();
  const others = Array.from({ length: random.below(4) }, () => agentSpan(random, names));
  const request = traceRequest(random.shuffled([...stories.map((span) => dressed(span, random, names)), ...others]));
  return random.chance(0.5)
    ? { encoding: 'json', body: Buffer.from(encodeJson(request)) }
    : { encoding: 'protobuf', body: Buffer.from(encodeProtobuf(request)) };
}

/** What else our instrumentation writes: task, hops, budgets, digests, ingest and dispatch outcomes. */
function dressed(span: SpanModel, random: Random, names: Names): SpanModel {
  const extra: readonly (readonly [string, unknown])[] = [
    ['seamtrace.schema.version', '1'],
    ['seamtrace.task.id', names.task(random)],
    ['seamtrace.hop.path', ['triage', 'billing']],
    ['seamtrace.hop.index', BigInt(random.below(5))],
    ['seamtrace.hop.limit', 4n],
    ['seamtrace.handoff.mode', random.pick(['delegation', 'transfer'])],
    ['seamtrace.payload.size', BigInt(random.below(1 << 20))],
    ['seamtrace.ingest.outcome', random.pick(['accepted', 'warned', 'rejected'])],
    ['seamtrace.ingest.violations', ['/invoice/*/id required', '/_unknown additionalProperties']],
    ['seamtrace.ingest.offset', 0.25],
    ['seamtrace.budget.limit.tokens', 1000n],
    ['seamtrace.budget.consumed.tokens', BigInt(random.below(2000))],
    ['seamtrace.handoff.dispatched_ids', [names.handoff(random)]],
    ['seamtrace.state.digest', 'hmac-sha256:k1:00ff'],
    ['seamtrace.source.value_digests', ['customer_id=hmac-sha256:k1:aa']],
    ['gen_ai.input.messages', 'x'.repeat(random.below(2_000))],
  ];
  const chosen = random.some(extra, 0.4) as [string, never][];
  return {
    ...span,
    attributes: [...(span.attributes as Iterable<[string, never]>), ...chosen],
    ...(random.chance(0.3) ? { parentSpanId: hex(random, 16) } : {}),
    ...(random.chance(0.2) ? { links: [{ traceId: hex(random, 32), spanId: hex(random, 16) }] } : {}),
    ...(random.chance(0.2) ? { events: [{ timeUnixNano: START, name: 'exception', attributes: { 'a.b': 1n } }] } : {}),
    ...(random.chance(0.2) ? { statusCode: 2, statusMessage: 'timeout' } : {}),
  };
}

function agentSpan(random: Random, names: Names): SpanModel {
  const operation = random.pick(['chat', 'execute_tool', 'invoke_agent', 'embeddings']);
  const values = [1n, -1n, 0.5, true, null, 'text', new Uint8Array([1, 2, 255]), ['a', 1n], new Map([['k', ['v']]])];
  const attributes: [string, unknown][] = [
    ['gen_ai.operation.name', operation],
    ['gen_ai.agent.name', random.pick(['triage', 'billing', 'Ünïcode-Ägent'])],
    ['gen_ai.tool.name', 'lookup_invoice'],
    ['gen_ai.tool.call.arguments', '{"invoice_id":"i-1"}'],
    ['gen_ai.usage.input_tokens', 12n],
    ['seamtrace.run.handoff.id', names.handoff(random)],
    ['seamtrace.task.id', names.task(random)],
    ['other', random.pick(values)],
  ];
  return {
    traceId: hex(random, 32),
    spanId: hex(random, 16),
    name: `${operation} something`,
    startUnixNano: START + BigInt(random.below(1_000_000)),
    endUnixNano: START + BigInt(random.below(1_000_000_000)),
    attributes: random.some(attributes, 0.8) as [string, never][],
  };
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join('');
}
