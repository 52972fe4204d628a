import { gzipSync } from 'node:zlib';
import { encodeJson, encodeProtobuf, handoffSpan, otlpTypes, traceRequest } from '@seamtrace/testkit';
import type { Attributes, SpanModel } from '@seamtrace/testkit';
import { describe, expect, test } from 'vitest';
import { BODY, call, JSON_TYPE, PROTOBUF, send, start, statusOf } from '../../test/receiver.js';
import type { Call } from '../../test/receiver.js';
import type { AcceptOutcome } from './types.js';

const MIB = 1024 * 1024;
const dispatch = (handoffId: string) => handoffSpan({ role: 'dispatch', handoffId, target: 'billing' });
const foreign = (index: number, attributes: Attributes): SpanModel => ({
  ...dispatch('h-1'),
  spanId: (index + 1).toString(16).padStart(16, '0'),
  attributes,
});

const encodings = [
  ['protobuf', PROTOBUF, encodeProtobuf],
  ['JSON', JSON_TYPE, encodeJson],
] as const;

describe.each(encodings)('%s', (_name, type, encode) => {
  test('attribute values that are empty, bytes, mixed arrays and kvlists are accepted, ours and others', async () => {
    const { port, batches } = await start();
    const values = {
      empty: null,
      text: '',
      bytes: Uint8Array.of(0, 255),
      mixed: ['a', 1n, 0.5, true, null, [], Uint8Array.of(1)],
      kvlist: new Map([['k', new Map([['nested', [null]]])]]),
    };
    const ours = Object.fromEntries(Object.entries(values).map(([key, value]) => [`seamtrace.${key}`, value]));
    const reply = await send(
      port,
      encode(traceRequest([foreign(0, { ...values, ...ours }), foreign(1, values)])),
      type,
    );
    expect([reply.status, reply.body.toString()]).toEqual([200, type === JSON_TYPE ? '{}' : '']);
    const batch = batches[0]?.batch;
    expect(batch).toMatchObject({ received: 2, ignored: 1, rejections: [] });
    expect(batch?.spans[0]?.attributes).toEqual(new Map(Object.entries(ours)));
  });

  test("a collector's batch of 8192 spans, and one four times as large", async () => {
    const { port, batches } = await start();
    const prompt = { 'gen_ai.input.messages': 'x'.repeat(300), 'http.route': '/a' };
    for (const count of [8192, 4 * 8192]) {
      const spans = Array.from({ length: count }, (_, index) =>
        index % 16 === 0 ? dispatch(`h-${index}`) : foreign(index, prompt),
      );
      const body = encode(traceRequest(spans));
      expect((await send(port, body, type)).status).toBe(200);
      expect(batches.at(-1)?.batch).toMatchObject({ received: count, ignored: count - count / 16, rejections: [] });
    }
  });

  test('spans of several hundred kilobytes, whose prompts are nowhere in what is handed on', async () => {
    const { port, batches } = await start();
    const prompt = 'the prompt '.repeat(50_000);
    const large = (id: string): SpanModel => {
      const span = dispatch(id);
      return { ...span, attributes: [...(span.attributes as Map<string, string>), ['gen_ai.input.messages', prompt]] };
    };
    expect((await send(port, encode(traceRequest(['h-1', 'h-2', 'h-3'].map(large))), type)).status).toBe(200);
    const { batch } = batches[0]!;
    expect(batch.spans.map((span) => span.attributes.get('seamtrace.handoff.id'))).toEqual(['h-1', 'h-2', 'h-3']);
    for (const { attributes } of batch.spans) expect([...attributes.values()].join()).not.toContain('the prompt');
  });

  test('one trace of 50,000 spans in one request', async () => {
    const { port, batches } = await start();
    const spans = Array.from({ length: 50_000 }, (_, index) => foreign(index, { 'seamtrace.task.id': 'long' }));
    expect((await send(port, gzipSync(encode(traceRequest(spans))), type, { 'content-encoding': 'gzip' })).status).toBe(
      200,
    );
    expect(batches[0]?.batch).toMatchObject({ received: 50_000, ignored: 0, rejections: [] });
  });

  test('the answer stays far below 4 MiB, whatever was sent', async () => {
    const { port } = await start();
    const names = Array.from({ length: 9_999 }, (_, index) => ({
      ...foreign(index, {}),
      name: `${index} `.repeat(100),
      traceId: 'abcd',
    }));
    const reply = await send(port, encode(traceRequest(names)), type);
    expect(reply.status).toBe(200);
    expect(reply.body.length).toBeLessThan(4_096);
  });

  test('an answer of accept that is far too long is cut', async () => {
    const message = 'é'.repeat(5 * MIB);
    const said: AcceptOutcome[] = [
      { kind: 'accepted', partial: { rejectedSpans: 1, message } },
      { kind: 'unavailable', retryAfterSeconds: 1, message },
    ];
    const { port } = await start({ accept: () => Promise.resolve(said.shift() as AcceptOutcome) });
    for (const status of [200, 503]) {
      const reply = await send(port, encode(traceRequest([])), type);
      expect(reply.status).toBe(status);
      expect(reply.body.length).toBeLessThan(4 * MIB);
    }
  });

  test('a string that is no UTF-8 is replaced and counted, as collectors forward it', async () => {
    const { port, batches } = await start();
    const bytes = Buffer.from(encode(traceRequest([foreign(0, { 'seamtrace.task.id': 'task@1' })])));
    bytes[bytes.indexOf('@')] = 0xff;
    expect((await send(port, bytes, type)).status).toBe(200);
    const { batch } = batches[0]!;
    expect(batch.spans[0]?.attributes.get('seamtrace.task.id')).toBe('task\ufffd1');
    expect(batch.invalidUtf8).toBe(1);
  });
});

describe('JSON as a collector takes it', () => {
  const span = {
    trace_id: '0AF7651916CD43DD8448EB211C80319C',
    spanId: 'B7AD6B7169203331',
    kind: 'SPAN_KIND_INTERNAL',
    start_time_unix_nano: 1767225600000000000,
    endTimeUnixNano: '1767225600000000001',
    status: { code: 'STATUS_CODE_OK' },
    attributes: [{ key: 'seamtrace.handoff.attempt', value: { int_value: '2', later: {} }, later: 1 }],
    later: [],
  };

  test('snake_case names, enum names, integers as numbers or strings, ids in capitals, unknown members', async () => {
    const { port, batches } = await start();
    const document = { resource_spans: [{ scope_spans: [{ spans: [span], later: null }] }], later: true };
    const reply = await send(port, JSON.stringify(document), JSON_TYPE);
    expect([reply.status, reply.body.toString()]).toEqual([200, '{}']);
    expect(batches[0]?.batch.spans[0]).toMatchObject({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      kind: 1,
      startUnixNano: 1767225600000000000n,
      endUnixNano: 1767225600000000001n,
      statusCode: 1,
      attributes: new Map([['seamtrace.handoff.attempt', 2n]]),
    });
  });
});

describe('what a sender makes of an answer', () => {
  const outcome = (kind: 'throttled' | 'unavailable'): AcceptOutcome => ({ kind, retryAfterSeconds: 2, message: 'm' });
  const typed = (type: string, body: Uint8Array | string): Call => ({ headers: { 'content-type': type }, body });
  // Of all statuses that a sender tries again after, and of the others that the table of OTLP names.
  test.each<[string, Call, AcceptOutcome, number, number, boolean]>([
    ['undecodable', typed(PROTOBUF, 'hello'), { kind: 'accepted' }, 400, 3, false],
    ['too large', typed(PROTOBUF, new Uint8Array(5_000)), { kind: 'accepted' }, 413, 8, false],
    ['no path', { ...typed(PROTOBUF, BODY), path: '/v1/logs' }, { kind: 'accepted' }, 404, 12, false],
    ['wrong method', { ...typed(PROTOBUF, BODY), method: 'PUT' }, { kind: 'accepted' }, 405, 12, false],
    ['wrong type', typed('text/plain', BODY), { kind: 'accepted' }, 415, 3, false],
    ['throttled', typed(PROTOBUF, BODY), outcome('throttled'), 429, 8, true],
    ['unavailable', typed(JSON_TYPE, '{}'), outcome('unavailable'), 503, 14, true],
  ])(
    '%s: Retry-After exactly where the status is one to retry',
    async (_name, request, said, status, code, retried) => {
      const { port } = await start({ maxBodyBytes: 4_096, accept: () => Promise.resolve(said) });
      const reply = await call(port, request);
      expect([reply.status, statusOf(reply).code]).toEqual([status, code]);
      expect(reply.headers['retry-after']).toBe(retried ? '2' : undefined);
    },
  );

  test('an answer of success says nothing that the specification does not know', async () => {
    const { port } = await start({
      accept: () => Promise.resolve({ kind: 'accepted', partial: { rejectedSpans: 3, message: 'why' } }),
    });
    expect(JSON.parse((await send(port, '{}', JSON_TYPE)).body.toString())).toEqual({
      partialSuccess: { rejectedSpans: '3', errorMessage: 'why' },
    });
    const { body } = await send(port, '');
    const message = otlpTypes.traceResponse.decode(body);
    expect(otlpTypes.traceResponse.toObject(message, { longs: String })).toEqual({
      partialSuccess: { rejectedSpans: '3', errorMessage: 'why' },
    });
  });
});
