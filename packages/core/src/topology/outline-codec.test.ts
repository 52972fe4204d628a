import { decodeFully, encodeJson, encodeProtobuf, type RecordedSpan } from '@seamtrace/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyRequest, reduce } from '../../test/any-request.js';
import { anySeed, oddRequest } from '../../test/odd-request.js';
import { decodeTracesJson } from '../decode/json/request.js';
import { OUTLINE_OPS } from '../decode/outline.js';
import { decodeTracesProtobuf } from '../decode/protobuf/request.js';
import type { DecodeResult } from '../decode/types.js';
import { type TraceInterest, isOutline, packOutline, readOutline } from './outline-codec.js';

const ALL: TraceInterest = { knows: () => true };
const NONE: TraceInterest = { knows: () => false };

interface Row {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly op: number;
  readonly [fact: string]: unknown;
}

function rowsOf(packed: Uint8Array | undefined): Row[] {
  const rows: Row[] = [];
  if (packed === undefined) return rows;
  const reader = readOutline(packed);
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    const { trace, op, spanHigh, spanLow, parentHigh, parentLow, startHigh, startLow, endHigh, endLow, ...named } = row;
    const facts = { ...named, start: time(startHigh, startLow), end: time(endHigh, endLow) };
    const ids = {
      traceId: Buffer.from(reader.traces[trace] ?? '', 'latin1').toString('hex'),
      spanId: hex(spanHigh) + hex(spanLow),
      parentSpanId: hex(parentHigh) + hex(parentLow),
      op,
    };
    rows.push(op === 0 ? ids : { ...ids, ...facts });
  }
  return rows;
}

const hex = (half: number) => (half >>> 0).toString(16).padStart(8, '0');
const time = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);

/** A tool call of before there were operations. */
function speaksDialect(span: RecordedSpan): boolean {
  const [tool, operation] = ['gen_ai.tool.name', 'gen_ai.operation.name'].map((key) => span.attributes.get(key));
  const stated = (value: unknown) => typeof value === 'string' && value !== '';
  return stated(tool) && !stated(operation);
}

/** What an outline must say of a span that a full decoder has read. */
function outlined(span: RecordedSpan): Row {
  const operation = span.attributes.get('gen_ai.operation.name');
  const ids = {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? '0'.repeat(16) : span.parentSpanId,
    op: (typeof operation === 'string' ? OUTLINE_OPS.get(operation) : undefined) ?? 0,
  };
  if (ids.op === 0) return ids;
  const name = (key: string) => {
    const value = span.attributes.get(key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const count = (key: string) => {
    const value = span.attributes.get(key);
    return typeof value === 'bigint' && value >= 0n && value < 2n ** 53n ? Number(value) : undefined;
  };
  return {
    ...ids,
    failed: span.statusCode === 2,
    start: span.startUnixNano,
    end: span.endUnixNano,
    agent: name('gen_ai.agent.name'),
    tool: name('gen_ai.tool.name'),
    error: name('error.type'),
    inputTokens: count('gen_ai.usage.input_tokens'),
    outputTokens: count('gen_ai.usage.output_tokens'),
  };
}

function packedOf(result: DecodeResult, interest = ALL): Uint8Array | undefined {
  return result.ok && result.outline !== undefined ? packOutline(result.outline, interest) : undefined;
}

const genAi = fc.record({
  operation: fc.constantFrom(...OUTLINE_OPS.keys(), 'plan', 'CHAT', ''),
  agent: fc.option(fc.oneof(fc.constantFrom('billing', 'triage', ''), fc.string({ unit: 'binary' }))),
  tool: fc.option(fc.constantFrom('find', 'refund')),
  input: fc.option(fc.oneof(fc.maxSafeNat(), fc.constantFrom(-1, 2 ** 60))),
});

/** A request in which about every other span has a GenAI operation. */
const request = fc.tuple(anyRequest, fc.infiniteStream(fc.option(genAi))).map(([model, facts]) => ({
  resources: model.resources.map((resource) => ({
    ...resource,
    scopes: resource.scopes.map((scope) => ({
      ...scope,
      spans: scope.spans.map((span) => {
        const said = facts.next().value;
        if (said === null || said === undefined) return span;
        const attributes = new Map(span.attributes as Iterable<readonly [string, never]>) as Map<string, unknown>;
        attributes.set('gen_ai.operation.name', said.operation);
        if (said.agent !== null) attributes.set('gen_ai.agent.name', said.agent.toWellFormed());
        if (said.tool !== null) attributes.set('gen_ai.tool.name', said.tool);
        if (said.input !== null) attributes.set('gen_ai.usage.input_tokens', BigInt(said.input));
        return { ...span, attributes: attributes as never };
      }),
    })),
  })),
}));

describe('an outline', () => {
  test('tells of every span without anything of ours what a full decode of the same bytes tells', () => {
    fc.assert(
      fc.property(request, anySeed, (model, seed) => {
        for (const bytes of [encodeProtobuf(model), oddRequest(encodeProtobuf(model), seed)]) {
          const silent = decodeFully(bytes).filter((span) => reduce(span) === undefined);
          expect(rowsOf(packedOf(decodeTracesProtobuf(bytes)))).toEqual(silent.map(outlined));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('is the same from JSON, byte for byte', () => {
    fc.assert(
      fc.property(request, (model) => {
        const packed = packedOf(decodeTracesProtobuf(encodeProtobuf(model)));
        expect(packedOf(decodeTracesJson(encodeJson(model)))).toEqual(packed);
        if (packed !== undefined) expect(isOutline(packed)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('leaves out traces in which nothing speaks, unless somebody knows them', () => {
    fc.assert(
      fc.property(request, fc.func(fc.boolean()), (model, knows) => {
        const bytes = encodeProtobuf(model);
        const full = decodeFully(bytes);
        const speaking = new Set(
          full
            .filter((span) => reduce(span) !== undefined || outlined(span).op > 0 || speaksDialect(span))
            .map((span) => span.traceId),
        );
        const result = decodeTracesProtobuf(bytes);
        const rows = rowsOf(packedOf(result));
        expect(rowsOf(packedOf(result, NONE))).toEqual(rows.filter(({ traceId }) => speaking.has(traceId)));
        const known = (traceId: string) => knows(Buffer.from(traceId, 'hex').toString('latin1'));
        expect(rowsOf(packedOf(result, { knows }))).toEqual(
          rows.filter(({ traceId }) => speaking.has(traceId) || known(traceId)),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('that was damaged is refused or read, and nothing else', () => {
    fc.assert(
      fc.property(request, fc.nat(), fc.nat({ max: 255 }), (model, at, byte) => {
        const packed = packedOf(decodeTracesProtobuf(encodeProtobuf(model)));
        if (packed === undefined) return;
        packed[at % packed.length] = byte;
        try {
          rowsOf(packed.subarray(0, packed.length - (at % 3)));
        } catch (error) {
          expect((error as Error).name).toBe('CorruptEvidenceError');
        }
      }),
    );
  });
});
