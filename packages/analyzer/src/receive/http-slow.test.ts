import type { Socket } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { heldAccept } from '../../test/held-accept.js';
import { BODY, head, JSON_TYPE, PROTOBUF, rawSocket, readUntil, send, start } from '../../test/receiver.js';
import type { AcceptOutcome } from './types.js';

const TYPE = `Content-Type: ${PROTOBUF}`;
const JSON_POST = head([`Content-Type: ${JSON_TYPE}`, 'Content-Length: 2']) + '{}';
const POST = Buffer.concat([Buffer.from(head([TYPE, `Content-Length: ${BODY.length}`])), BODY]);
const closed = (socket: Socket) => new Promise((resolve) => socket.on('close', resolve));
const statuses = (reply: string) => [...reply.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

/** Sends one piece after another, each when the one before has left, until the connection ends. */
function trickle(socket: Socket, piece: string | Buffer): void {
  const next = () => {
    if (!socket.destroyed) socket.write(piece, () => setTimeout(next, 5));
  };
  next();
}

describe('slow senders are cut, and told why where they can hear it', () => {
  test('headers that never end, one after the other', async () => {
    const { port, answered } = await start({ requestTimeoutMs: 60 });
    const socket = await rawSocket(port);
    socket.write('POST /v1/traces HTTP/1.1\r\nHost: x\r\n');
    trickle(socket, 'X-Slow: 1\r\n');
    const reply = await readUntil(socket, (text) => text.includes('}'));
    expect(statuses(reply)).toEqual([408]);
    expect(answered).toMatchObject([{ status: 408, reason: 'timeout' }]);
    await closed(socket);
  });

  test('a body that keeps coming, a byte at a time: the clock is for the whole of it', async () => {
    const { port, answered, batches } = await start({ requestTimeoutMs: 60 });
    const socket = await rawSocket(port);
    socket.write(head([TYPE, 'Content-Length: 1000000']));
    trickle(socket, 'x');
    expect(statuses(await readUntil(socket, (text) => text.includes('not complete after 60 ms')))).toEqual([408]);
    await closed(socket);
    expect(answered).toMatchObject([{ status: 408, reason: 'timeout' }]);
    expect(batches).toEqual([]);
  });

  test('a chunked gzip body that never ends', async () => {
    const { port, answered } = await start({ requestTimeoutMs: 60 });
    const socket = await rawSocket(port);
    socket.write(head([TYPE, 'Transfer-Encoding: chunked', 'Content-Encoding: gzip']));
    // An empty stored block of deflate, for ever.
    socket.write(Buffer.concat([Buffer.from('a\r\n'), gzipSync('').subarray(0, 10), Buffer.from('\r\n')]));
    trickle(socket, Buffer.from('5\r\n\x00\x00\x00\xff\xff\r\n', 'latin1'));
    expect(statuses(await readUntil(socket, (text) => text.includes('not complete')))).toEqual([408]);
    await closed(socket);
    expect(answered).toHaveLength(1);
  });

  test('a connection that never says anything is closed, and is no request', async () => {
    const { port, answered } = await start({ requestTimeoutMs: 50 });
    const socket = await rawSocket(port);
    expect(await readUntil(socket, () => false)).toBe('');
    await closed(socket);
    expect(answered).toEqual([]);
  });

  test('a connection that nobody uses any more is closed', async () => {
    const { port } = await start({ idleTimeoutMs: 50 });
    const socket = await rawSocket(port);
    socket.write(POST);
    expect(statuses(await readUntil(socket, () => false))).toEqual([200]);
  });

  test('a sender that never reads its answers is cut when nothing moves any more', async () => {
    const { port, batches } = await start({ requestTimeoutMs: 200 });
    const socket = await rawSocket(port);
    const many = JSON_POST.repeat(1_000);
    const flood = () => {
      while (!socket.destroyed && socket.write(many));
    };
    socket.on('drain', flood);
    flood();
    await closed(socket);
    // It was taken at its word as long as its answers had somewhere to go, and no further.
    expect(batches.length).toBeGreaterThan(0);
    expect((await send(port, BODY)).status).toBe(200);
  });

  test('a journal that takes longer than any sender may is waited for', async () => {
    const { accept, entered: inAccept, release } = heldAccept();
    const { port } = await start({ requestTimeoutMs: 30, accept });
    const reply = send(port, BODY);
    await inAccept;
    await new Promise((resolve) => setTimeout(resolve, 200));
    release();
    expect((await reply).status).toBe(200);
  });
});

describe('too many connections', () => {
  const busy = async (port: number) => {
    const socket = await rawSocket(port);
    socket.write(head([TYPE, 'Content-Length: 10', 'Expect: 100-continue']));
    await readUntil(socket, (text) => text.includes('\r\n\r\n'));
    return socket;
  };

  test('one more than may be hears 503 with Retry-After, is closed and counted; a place that is left is taken', async () => {
    const running = await start({ maxConnections: 3 });
    const { port } = running;
    const sockets = [await busy(port), await busy(port), await busy(port)];
    const late = await rawSocket(port);
    late.write(POST);
    const reply = await readUntil(late, () => false);
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/retry-after: 5\r\n/i);
    expect(reply).toContain('3 connections are open, which is the limit');
    expect([running.refused(), running.answered, running.batches]).toEqual([1, [], []]);
    sockets[0]!.write('0123456789');
    expect(statuses(await readUntil(sockets[0]!, (text) => text.includes('400')))).toEqual([400]);
    sockets[0]!.destroy();
    await expect.poll(async () => (await send(port, BODY).catch(() => undefined))?.status).toBe(200);
  });

  test('those that nobody uses make room', async () => {
    const { port, refused } = await start({ maxConnections: 3 });
    for (let count = 0; count < 3; count += 1) {
      const socket = await rawSocket(port);
      socket.write(POST);
      expect(statuses(await readUntil(socket, (text) => text.includes('\r\n\r\n')))).toEqual([200]);
    }
    const late = await rawSocket(port);
    expect(statuses(await readUntil(late, () => false))).toEqual([503]);
    expect((await send(port, BODY)).status).toBe(200);
    expect(refused()).toBe(1);
  });

  test('a flood of them is bounded, too: each is refused, those that cannot be told are closed', async () => {
    const running = await start({ maxConnections: 2 });
    const { port } = running;
    await busy(port);
    await busy(port);
    const flood = await Promise.all(Array.from({ length: 200 }, () => rawSocket(port)));
    const heard = await Promise.all(flood.map((socket) => readUntil(socket, () => false).catch(() => '')));
    expect(running.refused()).toBe(200);
    expect(heard.filter((reply) => reply.startsWith('HTTP/1.1 503 ')).length).toBeGreaterThan(0);
    expect(heard.filter((reply) => reply !== '' && !reply.startsWith('HTTP/1.1 503 '))).toEqual([]);
  });
});

describe('pipelining', () => {
  test('answers come in the order of the requests, whichever is taken first', async () => {
    const turns: ((outcome: AcceptOutcome) => void)[] = [];
    let allIn: () => void = () => undefined;
    const inAccept = new Promise<void>((resolve) => (allIn = resolve));
    const { port } = await start({
      accept: () =>
        new Promise((resolve) => {
          turns.push(resolve);
          if (turns.length === 3) allIn();
        }),
    });
    const socket = await rawSocket(port);
    socket.write(Buffer.concat([POST, POST, POST]));
    await inAccept;
    for (const [at, kind] of (['throttled', 'accepted', 'unavailable'] as const).entries()) {
      turns[2 - at]!({ kind, retryAfterSeconds: 1, message: 'm' });
    }
    expect(statuses(await readUntil(socket, (text) => statuses(text).length === 3))).toEqual([503, 200, 429]);
  });

  test('garbage behind a request that is being taken waits for that answer before it gets its own', async () => {
    const { accept, entered: inAccept, release } = heldAccept();
    const { port, answered } = await start({
      accept,
    });
    const socket = await rawSocket(port);
    socket.write(Buffer.concat([POST, Buffer.from('this is no request\r\n\r\n')]));
    await inAccept;
    setImmediate(release);
    expect(statuses(await readUntil(socket, () => false))).toEqual([200, 400]);
    expect(answered.map(({ status }) => status)).toEqual([200, 400]);
  });
});

describe('floods and resets', () => {
  test.each<[string, string, number]>([
    ['an extension of a chunk without end', `1;${'e'.repeat(40_000)}`, 400],
    ['trailers without end', `0\r\nX: ${'t'.repeat(40_000)}`, 431],
  ])('%s', async (_name, bytes, status) => {
    const { port, answered, batches } = await start();
    const socket = await rawSocket(port);
    socket.write(head([TYPE, 'Transfer-Encoding: chunked']) + bytes);
    expect(statuses(await readUntil(socket, (text) => text.includes('}')))).toEqual([status]);
    expect([answered.map((request) => request.status), batches]).toEqual([[status], []]);
  });

  test.each([
    ['identity', BODY],
    ['gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
  ])('a connection reset in the middle of a body (%s) is one aborted request', async (coding, body) => {
    const { port, aborted, answered, batches } = await start();
    const socket = await rawSocket(port);
    socket.write(head([TYPE, `Content-Encoding: ${coding}`, 'Content-Length: 100000', 'Expect: 100-continue']));
    await readUntil(socket, (text) => text.includes('\r\n\r\n'));
    socket.write(body.subarray(0, 15), () => socket.resetAndDestroy());
    await aborted;
    expect([answered, batches]).toEqual([[], []]);
    expect((await send(port, BODY)).status).toBe(200);
  });
});
