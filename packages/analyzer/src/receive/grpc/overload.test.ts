import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import { describe, expect, test, vi } from 'vitest';
import {
  bareCall,
  bareReply,
  bareSession,
  framed,
  grpcClient,
  grpcSend,
  startGrpc,
} from '../../../test/grpc-receiver.js';
import { heldAccept } from '../../../test/held-accept.js';
import { BODY, send, start } from '../../../test/receiver.js';
import { createAllowance } from '../allowance.js';
import type { AcceptOutcome } from '../types.js';

const retryAfter = (seconds: number) => [{ type: 'RetryInfo', value: { retryDelay: { seconds } } }];

describe('overload', () => {
  test('UNAVAILABLE with RetryInfo when nothing can be taken, RESOURCE_EXHAUSTED with it when this sender should slow down', async () => {
    const said: AcceptOutcome[] = [
      { kind: 'unavailable', retryAfterSeconds: 30, message: 'the journal is full' },
      { kind: 'throttled', retryAfterSeconds: 0.2, message: 'slower' },
    ];
    const { port, answered } = await startGrpc({ accept: () => Promise.resolve(said.shift()!) });
    const client = grpcClient(port);
    expect(await grpcSend(client, BODY)).toMatchObject({
      code: status.UNAVAILABLE,
      message: 'the journal is full',
      details: retryAfter(30),
    });
    expect(await grpcSend(client, BODY)).toMatchObject({ code: status.RESOURCE_EXHAUSTED, details: retryAfter(1) });
    expect(answered.map(({ reason, received }) => [reason, received])).toEqual([
      ['unavailable', 0],
      ['throttled', 0],
    ]);
  });

  test('a failing accept is UNAVAILABLE with RetryInfo, and says nothing of the fault', async () => {
    const fault = new Error('disk /secret/path is full');
    const { port, failures } = await startGrpc({ accept: () => Promise.reject(fault) });
    const reply = await grpcSend(grpcClient(port), BODY);
    expect(reply).toMatchObject({ code: status.UNAVAILABLE, details: retryAfter(5) });
    expect(reply.message).not.toContain('secret');
    expect(failures).toEqual([fault]);
  });

  test('HTTP and gRPC hold one allowance together', async () => {
    const allowance = createAllowance(4096 + BODY.length);
    const first = heldAccept();
    const { port: grpcPort } = await startGrpc({ allowance, accept: first.accept });
    const { port: httpPort } = await start({ allowance });
    const client = grpcClient(grpcPort);
    const underWay = grpcSend(client, BODY);
    await first.entered;
    expect((await send(httpPort, BODY)).status).toBe(503);
    expect(await grpcSend(client, BODY)).toMatchObject({ code: status.UNAVAILABLE, details: retryAfter(1) });
    first.release();
    expect((await underWay).code).toBe(status.OK);
    expect((await send(httpPort, BODY)).status).toBe(200);
    expect(allowance.heldBytes).toBe(0);
  });

  test('messages that are held back hold no more together than the allowance', async () => {
    const allowance = createAllowance(1024 * 1024);
    const { port } = await startGrpc({ maxBodyBytes: 512 * 1024, allowance });
    const session = bareSession(port);
    const most: number[] = [];
    const streams = Array.from({ length: 20 }, () => {
      const stream = bareCall(session);
      stream.write(framed(Buffer.alloc(500 * 1024), 0, 512 * 1024), () => most.push(allowance.heldBytes));
      return stream;
    });
    const refused = await Promise.race(streams.map(bareReply));
    expect(refused.code).toBe(status.UNAVAILABLE);
    expect(Math.max(...most, allowance.heldBytes)).toBeLessThanOrEqual(1024 * 1024);
    for (const stream of streams) stream.close(8);
    await vi.waitFor(() => expect(allowance.heldBytes).toBe(0));
  });
});

test('calls that are refused while they send take nothing from the other calls on their connection', async () => {
  const limit = 4 * 1024 * 1024;
  const allowance = createAllowance(2 * limit);
  const { port } = await startGrpc({ maxBodyBytes: limit, allowance });
  const session = bareSession(port);
  const streams = Array.from({ length: 20 }, () => {
    const stream = bareCall(session);
    stream.write(framed(Buffer.alloc(limit - 1), 0, limit));
    return stream;
  });
  const codes: (number | undefined)[] = [];
  for (const stream of streams) void bareReply(stream).then(({ code }) => codes.push(code));
  // Two fit; each of the others has its answer although none of them had sent all it wanted.
  await vi.waitFor(() => expect(codes.length).toBeGreaterThanOrEqual(18), 10_000);
  expect(new Set(codes)).toEqual(new Set([status.UNAVAILABLE]));
  for (const stream of streams) stream.close(8);
  await vi.waitFor(() => expect(allowance.heldBytes).toBe(0));
  const last = bareCall(session);
  last.end(framed(BODY));
  expect((await bareReply(last)).code).toBe(status.OK);
});

test('a gzip bomb is cut at the limit: a gigabyte of zeros costs no more memory than the limit', async () => {
  const limit = 4 * 1024 * 1024;
  const { port, answered } = await startGrpc({ maxBodyBytes: limit });
  const member = gzipSync(new Uint8Array(16 * 1024 * 1024));
  const bomb = Buffer.concat(Array<Buffer>(64).fill(member));
  expect(bomb.length).toBeLessThan(limit);
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  let watching = true;
  const watch = () => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
    if (watching) setImmediate(watch);
  };
  watch();
  const stream = bareCall(bareSession(port), { 'grpc-encoding': 'gzip' });
  stream.end(framed(bomb, 1));
  const reply = await bareReply(stream);
  watching = false;
  expect(reply.code).toBe(status.RESOURCE_EXHAUSTED);
  expect(reply.headers).not.toHaveProperty('grpc-status-details-bin');
  expect(answered[0]?.reason).toBe('too_large_inflated');
  expect(most - before).toBeLessThan(4 * limit);
});

describe('senders that give up or never get on', () => {
  test('a call that is cancelled before its message is whole takes nothing, and is counted', async () => {
    const { port, aborted, batches, answered } = await startGrpc();
    const session = bareSession(port);
    const stream = bareCall(session);
    stream.write(framed(BODY).subarray(0, 25));
    // The answer of another call on the connection proves that what was sent before it has arrived.
    const other = bareCall(session);
    other.end(framed(Buffer.alloc(0)));
    await bareReply(other);
    stream.close(8);
    expect(await aborted).toBe(20);
    expect(batches).toHaveLength(1);
    expect(answered).toHaveLength(1);
  });

  test('a call that is cancelled after its message was whole is taken, and the account is closed', async () => {
    const allowance = createAllowance(1024 * 1024);
    const { accept, entered, release } = heldAccept();
    const { port, batches, answered } = await startGrpc({ allowance, accept });
    const stream = bareCall(bareSession(port));
    stream.end(framed(BODY));
    await entered;
    stream.close(8);
    await once(stream, 'close');
    expect(allowance.heldBytes).toBeGreaterThan(0);
    release();
    await expect.poll(() => answered.length).toBe(1);
    expect(answered[0]).toMatchObject({ status: 'OK', received: 1 });
    expect(batches).toHaveLength(1);
    expect(allowance.heldBytes).toBe(0);
  });

  test('the deadline of a sender ends the reading of its message', async () => {
    const { port, answered } = await startGrpc();
    const stream = bareCall(bareSession(port), { 'grpc-timeout': '50m' });
    stream.write(framed(BODY).subarray(0, 10));
    const reply = await bareReply(stream);
    expect(reply.code).toBe(status.DEADLINE_EXCEEDED);
    expect(reply.message).toContain('(50 ms)');
    expect(answered[0]).toMatchObject({ status: 'DEADLINE_EXCEEDED', reason: 'timeout' });
  });

  test('so does the receiver, for a sender without one', async () => {
    const { port } = await startGrpc({ requestTimeoutMs: 50 });
    const stream = bareCall(bareSession(port));
    stream.write(framed(BODY).subarray(0, 10));
    expect((await bareReply(stream)).code).toBe(status.DEADLINE_EXCEEDED);
  });

  test.each(['5', '5s', '123456789S', '-1S', ''])('grpc-timeout %j is INVALID_ARGUMENT', async (timeout) => {
    const { port } = await startGrpc();
    const stream = bareCall(bareSession(port), { 'grpc-timeout': timeout });
    stream.end(framed(BODY));
    const reply = await bareReply(stream);
    expect([reply.code, reply.message]).toEqual([status.INVALID_ARGUMENT, expect.stringContaining('eight digits')]);
  });

  test('a connection without a sign of life is cut; one that answers stays', async () => {
    const { port } = await startGrpc({ keepaliveMs: 50 });
    const client = grpcClient(port);
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
    const mute = connect(port, '127.0.0.1');
    mute.on('error', () => undefined);
    mute.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0');
    mute.resume();
    await once(mute, 'close');
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
    expect(client.getChannel().getConnectivityState(false)).toBe(2);
  });

  test('pings of a sender are answered', async () => {
    const { port } = await startGrpc();
    const session = bareSession(port);
    await once(session, 'connect');
    const error = await new Promise((resolve) => session.ping((failed) => resolve(failed)));
    expect(error).toBeNull();
  });

  test('connections above the limit are refused and counted', async () => {
    const refused: string[] = [];
    const { port } = await startGrpc({
      maxConnections: 1,
      observe: {
        answered: () => undefined,
        aborted: () => undefined,
        connectionRefused: (transport) => refused.push(transport),
        handshakeFailed: () => undefined,
        acceptFailed: () => undefined,
      },
    });
    expect((await grpcSend(grpcClient(port), BODY)).code).toBe(status.OK);
    const second = connect(port, '127.0.0.1');
    second.on('error', () => undefined);
    second.resume();
    await once(second, 'close');
    expect(refused).toEqual(['grpc']);
  });

  test('more headers than there is room for end the call, not the receiver', async () => {
    const { port } = await startGrpc();
    const session = bareSession(port);
    await once(session, 'remoteSettings');
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`x-${i}`, 'y'.repeat(100)]));
    const stream = bareCall(session, many);
    stream.end(framed(BODY));
    expect((await bareReply(stream)).code).not.toBe(status.OK);
    expect((await grpcSend(grpcClient(port), BODY)).code).toBe(status.OK);
  });

  test('bytes that are no HTTP/2 end their connection, not the receiver', async () => {
    const { port } = await startGrpc();
    for (const bytes of [
      '\0\u0001\u0002\u0003nonsense',
      '\u0016\u0003\u0001\0\u0005hello',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff',
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.end(Buffer.from(bytes, 'latin1'));
      socket.resume();
      await once(socket, 'close');
    }
    expect((await grpcSend(grpcClient(port), BODY)).code).toBe(status.OK);
  });
});

describe('stopping', () => {
  test('answers what is under way, and tells new calls to come again', async () => {
    const { accept, entered, release } = heldAccept();
    const { port, receiver, answered } = await startGrpc({ accept });
    const client = grpcClient(port);
    const underWay = grpcSend(client, BODY);
    await entered;
    const stopped = receiver.stopIntake();
    const late = await grpcSend(client, BODY);
    expect(late).toMatchObject({ code: status.UNAVAILABLE, details: retryAfter(5) });
    expect(late.message).toContain('stopping');
    release();
    expect((await underWay).code).toBe(status.OK);
    await stopped;
    await receiver.close();
    expect(answered.map(({ reason }) => reason)).toEqual(['stopping', 'ok']);
    expect((await grpcSend(grpcClient(port), BODY)).code).toBe(status.UNAVAILABLE);
  });

  test('tells senders of half a message to come again when the time is up', async () => {
    const { port, receiver } = await startGrpc();
    const session = bareSession(port);
    const stream = bareCall(session);
    stream.write(framed(BODY).subarray(0, 25));
    const other = bareCall(session);
    other.end(framed(Buffer.alloc(0)));
    await bareReply(other);
    const reply = bareReply(stream);
    await receiver.close(50);
    expect((await reply).code).toBe(status.UNAVAILABLE);
  });

  test('close ends at once where nothing is in flight, and may be called twice', async () => {
    const { receiver, port } = await startGrpc();
    await grpcSend(grpcClient(port), BODY);
    await Promise.all([receiver.close(), receiver.close()]);
  });
});
