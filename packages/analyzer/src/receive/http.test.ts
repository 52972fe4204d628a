import { deflateSync, gzipSync } from 'node:zlib';
import { encodeJson, encodeProtobuf, handoffSpan, otlpTypes, traceRequest } from '@seamtrace/testkit';
import { describe, expect, test } from 'vitest';
import { heldAccept } from '../../test/held-accept.js';
import { BODY, call, JSON_TYPE, MODEL, PROTOBUF, send, start, statusOf } from '../../test/receiver.js';
import type { Call } from '../../test/receiver.js';
import type { AcceptOutcome } from './types.js';

describe('success', () => {
  test.each<[string, Uint8Array | string, string, string]>([
    ['protobuf', BODY, PROTOBUF, PROTOBUF],
    ['JSON', encodeJson(MODEL), JSON_TYPE, JSON_TYPE],
    ['JSON with parameters in any case', encodeJson(MODEL), 'Application/JSON; Charset="UTF-8"; x=1', JSON_TYPE],
  ])('%s on one port, answered in the encoding of the request', async (_name, body, type, answeredAs) => {
    const { port, batches } = await start();
    const reply = await send(port, body, type);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, answeredAs]);
    expect(batches[0]?.batch.spans[0]?.attributes.get('seamtrace.handoff.id')).toBe('h-001');
  });

  test('partial_success is unset on full success', async () => {
    const { port } = await start();
    expect((await send(port, BODY)).body.length).toBe(0);
    expect((await send(port, encodeJson(MODEL), JSON_TYPE)).body.toString()).toBe('{}');
  });

  test('an empty request succeeds in both encodings', async () => {
    const { port, batches } = await start();
    expect((await send(port, '')).status).toBe(200);
    expect((await send(port, '{}', JSON_TYPE)).status).toBe(200);
    expect((await send(port, '', JSON_TYPE)).body.toString()).toBe('{}');
    expect(batches.map(({ batch }) => batch.received)).toEqual([0, 0, 0]);
  });

  test.each<[string, string, Uint8Array]>([
    ['none', 'identity', BODY],
    ['gzip', 'gzip', gzipSync(BODY)],
    ['gzip in capitals', 'GZIP', gzipSync(BODY)],
    ['deflate', 'deflate', deflateSync(BODY)],
    ['gzip of nothing', 'gzip', gzipSync('')],
  ])('accepts compression: %s', async (_name, coding, body) => {
    const { port, batches } = await start();
    expect((await send(port, body, PROTOBUF, { 'content-encoding': coding })).status).toBe(200);
    expect(batches[0]?.meta).toMatchObject({ transport: 'http', encoding: 'protobuf', wireBytes: body.length });
  });

  test('the answer waits until the batch is accepted', async () => {
    const { accept, entered: inAccept, release } = heldAccept();
    const { port, answered } = await start({
      accept,
    });
    const reply = send(port, BODY);
    await inAccept;
    expect(answered).toEqual([]);
    release();
    expect((await reply).status).toBe(200);
  });
});

describe('partial success', () => {
  const broken = traceRequest([
    ...(MODEL.resources[0]?.scopes[0]?.spans ?? []),
    ...Array.from({ length: 7 }, (_, index) => ({
      ...handoffSpan({ role: 'ingest', handoffId: `h-${index}` }),
      traceId: 'abcd',
    })),
  ]);

  test('protobuf: 200 with rejected_spans and a message that names the first of them', async () => {
    const { port, batches } = await start();
    const reply = await send(port, encodeProtobuf(broken));
    const { partialSuccess } = otlpTypes.traceResponse.toObject(otlpTypes.traceResponse.decode(reply.body), {
      longs: Number,
    }) as { partialSuccess: { rejectedSpans: number; errorMessage: string } };
    expect(reply.status).toBe(200);
    expect(partialSuccess.rejectedSpans).toBe(7);
    expect(partialSuccess.errorMessage).toMatch(/^7 of 8 spans rejected, the rest was used: span 1: trace_id at /);
    expect(partialSuccess.errorMessage).toMatch(/span 5: [^;]*; and 2 more$/);
    expect(batches[0]?.batch.spans).toHaveLength(1);
  });

  test('JSON: the count is a string, as proto3 JSON writes 64-bit integers', async () => {
    const { port, answered } = await start();
    const reply = await send(port, encodeJson(broken), JSON_TYPE);
    const { partialSuccess } = JSON.parse(reply.body.toString()) as { partialSuccess: Record<string, unknown> };
    expect(partialSuccess['rejectedSpans']).toBe('7');
    expect(partialSuccess['errorMessage']).toContain('span 1: traceId: expected 32 hex digits, found 4 characters');
    expect(answered[0]).toMatchObject({ status: 200, reason: 'partial', received: 8, rejected: 7 });
  });

  test('what accept says replaces what the decoder says; 0 rejected with a message is a warning', async () => {
    const said: AcceptOutcome[] = [
      { kind: 'accepted', partial: { rejectedSpans: 2, message: 'two bad handoff ids' } },
      { kind: 'accepted', partial: { rejectedSpans: 0, message: 'schema version 7 is read as far as it is known' } },
    ];
    const { port } = await start({ accept: () => Promise.resolve(said.shift() as AcceptOutcome) });
    const partial = async () => JSON.parse((await send(port, '{}', JSON_TYPE)).body.toString()) as unknown;
    expect(await partial()).toEqual({ partialSuccess: { rejectedSpans: '2', errorMessage: 'two bad handoff ids' } });
    expect(await partial()).toEqual({
      partialSuccess: { errorMessage: 'schema version 7 is read as far as it is known' },
    });
  });
});

describe('refusals carry a google.rpc.Status in the encoding of the request', () => {
  const post = (body: Uint8Array | string, type: string, headers: Record<string, string> = {}): Call => ({
    body,
    headers: { 'content-type': type, ...headers },
  });
  const gzip = { 'content-encoding': 'gzip' };

  test.each<[string, Call, number, number, RegExp]>([
    [
      'truncated protobuf',
      post(BODY.subarray(0, 40), PROTOBUF),
      400,
      3,
      /protobuf: at byte 1: expected resource_spans of/,
    ],
    ['garbage as protobuf', post('hello', PROTOBUF), 400, 3, /at byte 3: .*group end/],
    [
      'truncated JSON',
      post('{"resourceSpans":[', JSON_TYPE),
      400,
      3,
      /json: at line 1, column 19 \(offset 18\): expected/,
    ],
    ['JSON of another shape', post('[]', JSON_TYPE), 400, 3, /an object with an array resourceSpans, found an array/],
    [
      'an unknown content coding',
      post(BODY, PROTOBUF, { 'content-encoding': 'zstd' }),
      400,
      3,
      /"zstd": send gzip or deflate/,
    ],
    ['two content codings', post(BODY, PROTOBUF, { 'content-encoding': 'gzip, gzip' }), 400, 3, /"gzip, gzip"/],
    ['gzip that is none', post(BODY, PROTOBUF, gzip), 400, 3, /cannot be inflated as gzip \(incorrect header check\)/],
    [
      'gzip cut off',
      post(gzipSync(BODY).subarray(0, 30), PROTOBUF, gzip),
      400,
      3,
      /as gzip \(unexpected end of file\)/,
    ],
    ['an unknown path', { path: '/v1/trace', ...post(BODY, PROTOBUF) }, 404, 12, /"\/v1\/trace": .* \/v1\/traces/],
    [
      'metrics',
      { path: '/v1/metrics', ...post('{}', JSON_TYPE) },
      404,
      12,
      /traces only; route only the traces pipeline/,
    ],
    ['no Content-Type', { body: BODY }, 415, 3, /no Content-Type: send application\/x-protobuf or application\/json/],
    ['another Content-Type', post(BODY, 'text/plain'), 415, 3, /"text\/plain"/],
    ['another charset', post('{}', 'application/json; charset=utf-16'), 415, 3, /UTF-8/],
    ['too large by Content-Length', post(new Uint8Array(5000), PROTOBUF), 413, 8, /has 5000 bytes; 4096 are permitted/],
    [
      'too large after inflating',
      post(gzipSync(new Uint8Array(5000)), PROTOBUF, gzip),
      413,
      8,
      /4096 bytes after inflating/,
    ],
  ])('%s', async (_name, request, status, code, message) => {
    const { port, batches } = await start({ maxBodyBytes: 4096 });
    const reply = await call(port, request);
    const said = statusOf(reply);
    const wantsProtobuf = request.headers?.['content-type'] === PROTOBUF;
    expect(reply.headers['content-type']).toBe(wantsProtobuf ? PROTOBUF : JSON_TYPE);
    expect([reply.status, said.code]).toEqual([status, code]);
    expect(said.message).toMatch(message);
    expect(batches).toEqual([]);
  });

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('405 with Allow for %s', async (method) => {
    const { port } = await start();
    const reply = await call(port, { method });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST']);
    expect(statusOf(reply)).toMatchObject({ code: 12, message: expect.stringContaining('POST') as string });
  });

  test('405 for HEAD has no body', async () => {
    const { port } = await start();
    const reply = await call(port, { method: 'HEAD' });
    expect([reply.status, reply.headers.allow, reply.body.length]).toEqual([405, 'POST', 0]);
  });

  test('bytes behind a complete gzip body are ignored, as gzip itself ignores them', async () => {
    const { port, batches } = await start();
    const padded = Buffer.concat([gzipSync(BODY), Buffer.alloc(200_000)]);
    expect((await send(port, padded, PROTOBUF, gzip)).status).toBe(200);
    expect(batches[0]?.batch.received).toBe(1);
  });

  test('a body of exactly the limit is accepted, before and after inflating', async () => {
    const { port } = await start({ maxBodyBytes: BODY.length });
    expect((await send(port, BODY)).status).toBe(200);
    expect((await send(port, gzipSync(BODY), PROTOBUF, gzip)).status).toBe(200);
  });

  test('what a stranger sent is quoted short and escaped', async () => {
    const { port } = await start();
    const reply = await send(port, BODY, `text/${'x'.repeat(5000)}`);
    expect(statusOf(reply).message.length).toBeLessThan(250);
  });
});
