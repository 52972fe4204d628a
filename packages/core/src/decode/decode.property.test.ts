import { decodeFully, encodeJson, encodeProtobuf } from '@seamtrace/testkit';
import type { RecordedSpan, SpanModel, TraceRequestModel } from '@seamtrace/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeTracesJson } from './json/request.js';
import { decodeTracesProtobuf } from './protobuf/request.js';
import type { AttributeValue, DecodedSpan } from './types.js';
import { WANTED_KEYS, wantedName } from './wanted.js';

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

const request: fc.Arbitrary<TraceRequestModel> = fc.record({
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

/** What our decoder must say of a span that a full decoder has read; `undefined` when it has nothing to say. */
function reduce(full: RecordedSpan): DecodedSpan | undefined {
  const wanted = new Map<string, AttributeValue>();
  for (const [name, held] of full.attributes) {
    const kept = wantedName(name);
    if (kept !== undefined) wanted.set(kept, held);
  }
  if (wanted.size === 0) return undefined;
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

describe('decodeTracesProtobuf', () => {
  test('equals a full protobufjs decode, reduced to wanted attributes', () => {
    fc.assert(
      fc.property(request, (model) => {
        const bytes = encodeProtobuf(model);
        const full = decodeFully(bytes);
        const spans = full.map(reduce).filter((reduced) => reduced !== undefined);
        expect(decodeTracesProtobuf(bytes)).toEqual({
          ok: true,
          spans,
          received: full.length,
          ignored: full.length - spans.length,
          rejections: [],
        });
      }),
      { numRuns: 250 },
    );
  });

  test('two requests, one after the other, are one request: protobuf merges messages by concatenation', () => {
    fc.assert(
      fc.property(request, request, (a, b) => {
        const joined = Buffer.concat([encodeProtobuf(a), encodeProtobuf(b)]);
        expect(decodeTracesProtobuf(joined)).toEqual(
          decodeTracesProtobuf(encodeProtobuf({ resources: [...a.resources, ...b.resources] })),
        );
      }),
    );
  });

  test('a request cut off at any byte is read or refused, never an exception', () => {
    fc.assert(
      fc.property(request, (model) => {
        const bytes = encodeProtobuf(model);
        for (let length = 0; length < bytes.length; length++) {
          const cut = decodeTracesProtobuf(bytes.subarray(0, length));
          // Only a cut between two top-level frames leaves a sound request, and that holds fewer resources.
          if (!cut.ok) expect(cut.message).toMatch(/^at byte \d+: expected /);
          else expect(decodeFully(bytes.subarray(0, length)).length).toBe(cut.received);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('any bytes flipped: read or refused, never an exception, and every span accounted for', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(request, flips, (model, changes) => {
        const bytes = Uint8Array.from(encodeProtobuf(model));
        for (const [at, mask] of changes) {
          if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ mask;
        }
        const result = decodeTracesProtobuf(bytes);
        if (result.ok) {
          expect(result.spans.length + result.ignored + result.rejections.length).toBe(result.received);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('garbage: read or refused, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof decodeTracesProtobuf(bytes).ok).toBe('boolean');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('decodeTracesJson', () => {
  test('gives for any request what the protobuf decoder gives', () => {
    fc.assert(
      fc.property(request, (model) => {
        expect(decodeTracesJson(encodeJson(model))).toEqual(decodeTracesProtobuf(encodeProtobuf(model)));
      }),
      { numRuns: 250 },
    );
  });

  test('snake_case member names mean the same, as collectors accept them', () => {
    const snake = (json: string) =>
      json.replace(/"([a-z]+(?:[A-Z][a-z]+)+)":/g, (_all, name: string) => {
        return `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`;
      });
    fc.assert(
      fc.property(request, (model) => {
        const json = encodeJson(model);
        expect(decodeTracesJson(snake(json))).toEqual(decodeTracesJson(json));
      }),
    );
  });

  test('a document cut off at any character is refused with a position, never an exception', () => {
    fc.assert(
      fc.property(request, fc.nat(), (model, at) => {
        const json = encodeJson(model);
        const cut = decodeTracesJson(json.slice(0, at % json.length));
        expect(cut.ok ? '' : cut.message).toMatch(/^at line \d+, column \d+ \(offset \d+\): expected /);
      }),
      { numRuns: 250 },
    );
  });

  test('a document of any JSON is read or refused, never an exception', () => {
    const members = ['resourceSpans', 'scopeSpans', 'spans', 'resource', 'attributes', 'key', 'value', 'intValue'];
    const json = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'medium' }, fc.jsonValue(), tie('array'), tie('object')),
      array: fc.array(tie('any'), { maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom(...members), tie('any'), { maxKeys: 4 }),
    })).object;
    fc.assert(
      fc.property(json, (document) => {
        expect(typeof decodeTracesJson(JSON.stringify(document)).ok).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });
});
