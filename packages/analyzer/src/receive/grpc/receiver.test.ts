import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import {
  bareCall,
  bareReply,
  bareSession,
  framed,
  grpcClient,
  grpcSend,
  gzipClient,
  startGrpc,
} from '../../../test/grpc-receiver.js';
import { BODY } from '../../../test/receiver.js';
import { CODINGS, CODINGS_IN_WORDS } from '../coding.js';

describe('an export over gRPC', () => {
  test('is taken, and on full success partial_success is unset', async () => {
    const { port, batches, answered } = await startGrpc();
    const reply = await grpcSend(grpcClient(port), BODY);
    expect(reply).toMatchObject({ code: status.OK, response: {} });
    expect(reply.response).not.toHaveProperty('partialSuccess');
    expect(reply.responseBytes).toBe(0);
    expect(batches[0]?.batch.spans.map(({ name }) => name)).toEqual(['handoff billing']);
    expect(batches[0]?.meta).toEqual({
      transport: 'grpc',
      encoding: 'protobuf',
      wireBytes: BODY.length,
      bodyBytes: BODY.length,
    });
    expect(answered).toEqual([
      {
        transport: 'grpc',
        encoding: 'protobuf',
        status: 'OK',
        reason: 'ok',
        wireBytes: BODY.length,
        bodyBytes: BODY.length,
        received: 1,
        ignored: 0,
        rejected: 0,
      },
    ]);
  });

  test.each(['gzip', 'deflate'] as const)('is taken in %s', async (coding) => {
    const { port, batches } = await startGrpc();
    const large = Buffer.concat(Array<Uint8Array>(50).fill(BODY));
    expect((await grpcSend(gzipClient(port, coding), large)).code).toBe(status.OK);
    expect(batches[0]?.batch.received).toBe(50);
    expect(batches[0]?.meta.bodyBytes).toBe(large.length);
    expect(batches[0]?.meta.wireBytes).toBeLessThan(large.length / 2);
  });

  test('succeeds when it is empty', async () => {
    const { port, batches } = await startGrpc();
    expect(await grpcSend(grpcClient(port), Buffer.alloc(0))).toMatchObject({ code: status.OK, response: {} });
    expect(batches[0]?.batch.received).toBe(0);
  });

  test('says rejected spans, and a warning with none, in partial_success', async () => {
    const said = [
      { rejectedSpans: 3, message: 'three of them' },
      { rejectedSpans: 0, message: 'mind the gap' },
    ];
    const { port } = await startGrpc({ accept: () => Promise.resolve({ kind: 'accepted', partial: said.shift()! }) });
    const client = grpcClient(port);
    expect((await grpcSend(client, BODY)).response).toEqual({
      partialSuccess: { rejectedSpans: 3, errorMessage: 'three of them' },
    });
    expect((await grpcSend(client, BODY)).response).toEqual({ partialSuccess: { errorMessage: 'mind the gap' } });
  });
});

describe('refusals', () => {
  test('what is no request is INVALID_ARGUMENT with BadRequest, and says where it breaks', async () => {
    const { port, answered } = await startGrpc();
    const reply = await grpcSend(grpcClient(port), Buffer.from([0x0a, 0xff, 0x01]));
    expect(reply.code).toBe(status.INVALID_ARGUMENT);
    expect(reply.message).toMatch(/not an ExportTraceServiceRequest in protobuf: .*at byte/);
    expect(reply.details).toEqual([
      {
        type: 'BadRequest',
        value: { fieldViolations: [{ field: 'resource_spans', description: reply.message }] },
      },
    ]);
    expect(answered[0]).toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'undecodable', received: 0 });
  });

  test.each([
    ['logs', '/opentelemetry.proto.collector.logs.v1.LogsService/Export', /traces only, no logs/],
    ['metrics', '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export', /traces only, no metrics/],
    ['another method', '/grpc.health.v1.Health/Check', /no method "\/grpc\.health/],
  ])('%s are UNIMPLEMENTED', async (_, path, message) => {
    const { port, answered } = await startGrpc();
    const reply = await grpcSend(grpcClient(port), BODY, { path });
    expect(reply).toMatchObject({ code: status.UNIMPLEMENTED, details: [] });
    expect(reply.message).toMatch(message);
    expect(answered[0]).toMatchObject({ status: 'UNIMPLEMENTED', reason: 'unknown_path' });
  });

  test('an unknown coding is UNIMPLEMENTED, and says which are understood', async () => {
    const { port } = await startGrpc();
    const stream = bareCall(bareSession(port), { 'grpc-encoding': 'snappy' });
    stream.end(framed(BODY, 1));
    const reply = await bareReply(stream);
    expect(reply.code).toBe(status.UNIMPLEMENTED);
    expect(reply.message).toContain(`"snappy": send ${CODINGS_IN_WORDS}, or leave`);
    expect(reply.headers['grpc-accept-encoding']).toBe(`identity,${CODINGS.join(',')}`);
  });

  test('broken compression is INVALID_ARGUMENT', async () => {
    const { port, answered } = await startGrpc();
    const stream = bareCall(bareSession(port), { 'grpc-encoding': 'gzip' });
    stream.end(framed(gzipSync(BODY).subarray(0, -4), 1));
    expect((await bareReply(stream)).code).toBe(status.INVALID_ARGUMENT);
    expect(answered[0]?.reason).toBe('broken_compression');
  });

  test.each([
    ['no message', Buffer.alloc(0), /it is missing/],
    ['half a prefix', Buffer.from([0, 0]), /prefix has 2 of 5 bytes/],
    ['less than stated', framed(BODY, 0, BODY.length + 1), /it has \d+ of the \d+ bytes/],
    ['more than stated', framed(BODY, 0, 1), /longer than the 1 bytes/],
    ['two messages', Buffer.concat([framed(BODY), framed(BODY)]), /longer than/],
    ['an unknown flag', framed(BODY, 2), /starts with 2/],
    ['a compressed flag without a coding', framed(BODY, 1), /no grpc-encoding is named/],
  ])('%s is INVALID_ARGUMENT, and nothing is taken', async (_, bytes, message) => {
    const { port, batches } = await startGrpc();
    const stream = bareCall(bareSession(port));
    stream.end(bytes);
    const reply = await bareReply(stream);
    expect(reply.code).toBe(status.INVALID_ARGUMENT);
    expect(reply.message).toMatch(message);
    expect(batches).toEqual([]);
  });

  test('a message may come a byte at a time', async () => {
    const { port, batches } = await startGrpc();
    const session = bareSession(port);
    const stream = bareCall(session, { 'grpc-encoding': 'gzip' });
    for (const byte of framed(gzipSync(BODY), 1)) stream.write(Buffer.from([byte]));
    stream.end();
    expect((await bareReply(stream)).code).toBe(status.OK);
    expect(batches[0]?.batch.received).toBe(1);
  });

  test.each(['text/plain', 'application/json', 'application/grpc-web+proto', undefined])(
    'Content-Type %s is 415 with a word about the port',
    async (type) => {
      const { port, answered } = await startGrpc();
      const session = bareSession(port);
      const stream = bareCall(session, { 'content-type': type as string });
      stream.end(BODY);
      const reply = await bareReply(stream);
      expect(reply.status).toBe(415);
      expect(JSON.parse(reply.body.toString())).toMatchObject({ code: 3, message: expect.stringContaining('gRPC') });
      expect(answered[0]).toMatchObject({ transport: 'grpc', encoding: undefined, status: 415 });
    },
  );

  test('messages in JSON are UNIMPLEMENTED', async () => {
    const { port } = await startGrpc();
    const stream = bareCall(bareSession(port), { 'content-type': 'application/grpc+json' });
    stream.end(framed(Buffer.from('{}')));
    expect((await bareReply(stream)).code).toBe(status.UNIMPLEMENTED);
  });
});

describe('sizes', () => {
  const limit = 1024 * 1024;
  /** Fills a request up to `bytes`: an unknown field is skipped by whoever decodes. */
  function requestOf(bytes: number): Buffer {
    const head = Buffer.from([0x7a, 0, 0, 0, 0]);
    const length = bytes - head.length;
    for (let i = 0; i < 4; i += 1) head[1 + i] = ((length >> (7 * i)) & 0x7f) | (i < 3 ? 0x80 : 0);
    return Buffer.concat([head, Buffer.alloc(length, 1)]);
  }

  test('a message of exactly the limit is taken; one byte more is RESOURCE_EXHAUSTED for good', async () => {
    const { port, answered } = await startGrpc({ maxBodyBytes: limit });
    const client = grpcClient(port);
    expect((await grpcSend(client, requestOf(limit))).code).toBe(status.OK);
    const reply = await grpcSend(client, requestOf(limit + 1));
    expect(reply).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: [] });
    expect(reply.message).toContain(`has ${limit + 1} bytes; ${limit} are permitted`);
    expect(answered[1]).toMatchObject({ reason: 'too_large', status: 'RESOURCE_EXHAUSTED', wireBytes: 0 });
    // The connection is still good for the next call.
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
  });

  test('so it is after inflating', async () => {
    const { port, answered } = await startGrpc({ maxBodyBytes: limit });
    const client = gzipClient(port);
    expect((await grpcSend(client, requestOf(limit))).code).toBe(status.OK);
    expect(await grpcSend(client, requestOf(limit + 1))).toMatchObject({
      code: status.RESOURCE_EXHAUSTED,
      details: [],
    });
    expect(answered.map(({ reason }) => reason)).toEqual(['ok', 'too_large_inflated']);
  });

  test('the default takes 64 MiB and no byte more', async () => {
    const { port, batches } = await startGrpc();
    const client = grpcClient(port, undefined, { 'grpc.max_send_message_length': -1 });
    expect((await grpcSend(client, requestOf(64 * 1024 * 1024))).code).toBe(status.OK);
    expect((await grpcSend(client, requestOf(64 * 1024 * 1024 + 1))).code).toBe(status.RESOURCE_EXHAUSTED);
    expect(batches).toHaveLength(1);
  });
});
