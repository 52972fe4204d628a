import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { heldAccept } from '../../test/held-accept.js';
import { BODY, PROTOBUF, send, start, statusOf } from '../../test/receiver.js';
import type { AcceptOutcome } from './types.js';

describe('overload', () => {
  test('429 and 503 with Retry-After when accept says so', async () => {
    const said: AcceptOutcome[] = [
      { kind: 'throttled', retryAfterSeconds: 0.2, message: 'slower' },
      { kind: 'unavailable', retryAfterSeconds: 30, message: 'the journal is full' },
    ];
    const { port, answered } = await start({ accept: () => Promise.resolve(said.shift() as AcceptOutcome) });
    const first = await send(port, BODY);
    expect([first.status, first.headers['retry-after'], statusOf(first)]).toEqual([
      429,
      '1',
      { code: 8, message: 'slower' },
    ]);
    const second = await send(port, BODY);
    expect([second.status, second.headers['retry-after']]).toEqual([503, '30']);
    expect(statusOf(second)).toEqual({ code: 14, message: 'the journal is full' });
    expect(answered.map(({ reason, received }) => [reason, received])).toEqual([
      ['throttled', 0],
      ['unavailable', 0],
    ]);
  });

  test('a failing accept is 503 with Retry-After, so that the sender keeps the batch; the fault is reported', async () => {
    const fault = new Error('disk /secret/path is full');
    const { port, failures } = await start({ accept: () => Promise.reject(fault) });
    const reply = await send(port, BODY);
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5']);
    expect(statusOf(reply).message).not.toContain('secret');
    expect(failures).toEqual([fault]);
  });

  test('bytes in flight are bounded: 503 with Retry-After while full, 200 afterwards', async () => {
    const { accept, entered: inAccept, release } = heldAccept();
    let count = 0;
    const { port } = await start({
      maxInFlightBytes: 4096 + BODY.length,
      accept: () => {
        return ++count === 1 ? accept() : Promise.resolve({ kind: 'accepted' });
      },
    });
    const first = send(port, BODY);
    await inAccept;
    const second = await send(port, BODY);
    expect([second.status, second.headers['retry-after'], statusOf(second).code]).toEqual([503, '1', 14]);
    release();
    expect((await first).status).toBe(200);
    expect((await send(port, BODY)).status).toBe(200);
  });

  test('while stopping: 503 with Retry-After for new requests, the usual answer for those under way', async () => {
    const { accept, entered: inAccept, release } = heldAccept();
    const { port, receiver } = await start({
      accept,
    });
    const underWay = send(port, BODY);
    await inAccept;
    void receiver.stopIntake();
    const late = await send(port, BODY);
    expect([late.status, late.headers['retry-after'], late.headers.connection]).toEqual([503, '5', 'close']);
    expect(statusOf(late).message).toContain('stopping');
    const closed = receiver.close();
    release();
    expect((await underWay).status).toBe(200);
    await closed;
    await expect(send(port, BODY)).rejects.toThrow('ECONNREFUSED');
  });
});

test('a gzip bomb is cut at the limit: a gigabyte of zeros costs no more memory than the limit', async () => {
  const limit = 4 * 1024 * 1024;
  const { port, answered } = await start({ maxBodyBytes: limit });
  // Gzip members may stand one after the other; 64 of 16 MiB each.
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
  const reply = await send(port, bomb, PROTOBUF, { 'content-encoding': 'gzip' });
  watching = false;
  expect(reply.status).toBe(413);
  expect(answered[0]?.reason).toBe('too_large_inflated');
  // The limit, the client's own copy of the bomb, and a few buffers of zlib and sockets.
  expect(most - before).toBeLessThan(4 * limit);
});
