import type { RecordedSpan, SpanModel, TraceRequestModel } from '@seamtrace/testkit';
import fc from 'fast-check';
import type { AttributeValue, DecodedSpan } from '../src/decode/types.js';
import { WANTED_KEYS, WANTED_PREFIX, wantedName } from '../src/decode/wanted.js';

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .filter((id) => id.some((byte) => byte !== 0))
    .map((id) => Buffer.from(id).toString('hex'));

const value: fc.Arbitrary<AttributeValue> = fc.letrec<{ value: AttributeValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.bigInt(INT64),
    fc.double(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Uint8Array.from(bytes)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(fc.string({ unit: 'binary' }), tie('value')), { maxLength: 3 }).map((pairs) => new Map(pairs)),
  ),
})).value;

const key = fc.oneof(
  fc.constantFrom(...WANTED_KEYS),
  fc.stringMatching(/^seamtrace\.[a-z.]{0,12}$/),
  fc.stringMatching(/^mastra\.metadata\.(seamtrace\.)?[a-z]{0,4}$/),
  fc.constantFrom('gen_ai.input.messages', 'gen_ai.agent.nam', 'gen_ai.agent.names', 'http.route', 'seamtrace', ''),
  fc.string({ unit: 'binary' }),
);

// Unique after the metadata prefix is cut, since what a repeated key means is a rule of its own.
const attributes = fc.uniqueArray(fc.tuple(key, value), {
  maxLength: 8,
  selector: ([name]) => wantedName(name) ?? name,
});

const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const span: fc.Arbitrary<SpanModel> = fc.record(
  {
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: fc.oneof(fc.constant(''), fc.constant('00'.repeat(8)), hex(8)),
    traceState: fc.string(),
    name: fc.string({ unit: 'binary' }),
    kind: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer()),
    startUnixNano: uint64,
    endUnixNano: uint64,
    statusCode: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer()),
    statusMessage: fc.string(),
    attributes,
    events: fc.array(fc.record({ timeUnixNano: uint64, name: fc.string(), attributes }), { maxLength: 2 }),
    links: fc.array(fc.record({ traceId: hex(16), spanId: hex(8), traceState: fc.string(), attributes }), {
      maxLength: 2,
    }),
    flags: fc.nat(),
  },
  { requiredKeys: ['traceId', 'spanId', 'name', 'startUnixNano', 'endUnixNano'] },
);

/** Any request that OTLP allows, with what we read and what we pass over. */
export const anyRequest: fc.Arbitrary<TraceRequestModel> = fc.record({
  resources: fc.array(
    fc.record({
      attributes: fc.tuple(attributes, fc.option(value)).map(([others, service]) => {
        const rest = others.filter(([name]) => name !== 'service.name');
        return service === null ? rest : [...rest, ['service.name', service] as const];
      }),
      scopes: fc.array(
        fc.record({ name: fc.string(), version: fc.string(), spans: fc.array(span, { maxLength: 4 }) }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 3 },
  ),
});

/** What our decoder must say of a span that a full decoder has read; `undefined` when it carries nothing of ours. */
export function reduce(full: RecordedSpan): DecodedSpan | undefined {
  const wanted = new Map<string, AttributeValue>();
  for (const [name, held] of full.attributes) {
    const kept = wantedName(name);
    if (kept !== undefined) wanted.set(kept, held);
  }
  if (![...wanted.keys()].some((name) => name.startsWith(WANTED_PREFIX))) return undefined;
  const service = full.resource.get('service.name');
  const { traceId, spanId, name, kind, startUnixNano, endUnixNano, statusCode, links, scope } = full;
  return {
    traceId,
    spanId,
    parentSpanId: /^0*$/.test(full.parentSpanId) ? '' : full.parentSpanId,
    name,
    kind,
    startUnixNano,
    endUnixNano,
    statusCode,
    attributes: wanted,
    links,
    resource: { serviceName: typeof service === 'string' ? service : undefined },
    scope,
  };
}
