import { once } from 'node:events';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BODY, call, head, JSON_TYPE, PROTOBUF, rawSocket, readUntil, send, start } from '../../test/receiver.js';

describe('connections', () => {
  test('keep-alive: requests of any outcome share one connection', async () => {
    const { port } = await start({ maxBodyBytes: 4096 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number>();
    agent.on('free', (socket: Socket) => ports.add(socket.localPort as number));
    const headers = { 'content-type': PROTOBUF };
    const statuses: number[] = [];
    for (const request of [
      { body: BODY, headers },
      { body: 'hello', headers },
      { body: BODY, headers, path: '/nowhere' },
      { body: new Uint8Array(5000), headers },
      { body: BODY, headers },
    ]) {
      statuses.push((await call(port, { ...request, agent })).status);
    }
    agent.destroy();
    expect(statuses).toEqual([200, 400, 404, 413, 200]);
    expect(ports.size).toBe(1);
  });

  test('chunked transfer, a byte at a time', async () => {
    const { port, batches } = await start();
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${PROTOBUF}`, 'Transfer-Encoding: chunked', 'Connection: close']));
    for (const byte of BODY) socket.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    socket.write('0\r\n\r\n');
    expect(await readUntil(socket, () => false)).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(batches[0]?.batch.received).toBe(1);
  });

  test('an oversize chunked body is cut at the limit, and the sender sees the 413 while it is still sending', async () => {
    const { port, answered } = await start({ maxBodyBytes: 100_000 });
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${PROTOBUF}`, 'Transfer-Encoding: chunked']));
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000), Buffer.from('\r\n')]);
    socket.write(chunk);
    socket.write(chunk);
    const reply = await readUntil(socket, (text) => text.includes('max_body_bytes'));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toMatch(/connection: close/i);
    // The sender goes on for a while; the receiver takes it without a reset, and ends the connection in good order.
    socket.write(chunk);
    socket.end('0\r\n\r\n');
    expect(await readUntil(socket, () => false)).toBe('');
    expect(answered[0]?.reason).toBe('too_large');
    expect(answered[0]?.wireBytes).toBeLessThanOrEqual(2 * 0x10000);
  });

  test('a sender that goes on sending regardless of its 413 is cut off', async () => {
    const { port } = await start({ maxBodyBytes: 100_000 });
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${PROTOBUF}`, 'Content-Length: 99999999999']));
    const flood = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
    };
    socket.on('drain', flood);
    flood();
    let reply = '';
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString('latin1')));
    // Not `once`: it would reject with the EPIPE that this sender has earned.
    await new Promise((resolve) => socket.on('close', resolve));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('an oversize Content-Length is refused before a byte is read', async () => {
    const { port, answered } = await start({ maxBodyBytes: 1000 });
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${JSON_TYPE}`, 'Content-Length: 99999999999']));
    const reply = await readUntil(socket, (text) => text.includes('permitted'));
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(answered[0]).toMatchObject({ reason: 'too_large', wireBytes: 0 });
  });

  test('a sender that asks first (Expect: 100-continue) hears 413 without sending, or is told to go on', async () => {
    const { port } = await start({ maxBodyBytes: 1000 });
    const headers = (length: number) => [
      `Content-Type: ${PROTOBUF}`,
      `Content-Length: ${length}`,
      'Expect: 100-continue',
      'Connection: close',
    ];
    const refused = await rawSocket(port);
    refused.write(head(headers(1001)));
    expect(await readUntil(refused, (text) => text.includes('permitted'))).toMatch(/^HTTP\/1\.1 413 /);
    const welcome = await rawSocket(port);
    welcome.write(head(headers(BODY.length)));
    expect(await readUntil(welcome, (text) => text.includes('\r\n\r\n'))).toMatch(/^HTTP\/1\.1 100 Continue/);
    welcome.write(BODY);
    expect(await readUntil(welcome, () => false)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('an aborted upload is reported and nothing of it is taken', async () => {
    const { port, batches, answered, aborted } = await start();
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${PROTOBUF}`, `Content-Length: ${BODY.length}`]));
    socket.write(BODY.subarray(0, 20), () => socket.destroy());
    expect(await aborted).toBe(20);
    expect([batches, answered]).toEqual([[], []]);
    expect((await send(port, BODY)).status).toBe(200);
  });

  test('an aborted gzip upload is reported, too', async () => {
    const { port, aborted } = await start();
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${PROTOBUF}`, 'Content-Encoding: gzip', 'Content-Length: 1000']));
    socket.write(gzipSync(BODY).subarray(0, 25), () => socket.destroy());
    expect(await aborted).toBe(25);
  });

  test('a body that does not come is cut off with 408 and the connection closed', async () => {
    const { port, answered } = await start({ requestTimeoutMs: 50 });
    const socket = await rawSocket(port);
    socket.write(head([`Content-Type: ${JSON_TYPE}`, 'Content-Length: 10']));
    const reply = await readUntil(socket, (text) => text.includes('was not complete after 50 ms'));
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).toMatch(/connection: close/i);
    expect(answered[0]).toMatchObject({ status: 408, reason: 'timeout' });
    socket.end();
    await once(socket, 'close');
  });

  test('listen rejects where the address is taken', async () => {
    const { port } = await start();
    await expect(start({ port })).rejects.toThrow('EADDRINUSE');
  });

  test('close ends at once where nothing is in flight, and may be called twice', async () => {
    const { receiver, port } = await start();
    const idle = await rawSocket(port);
    await receiver.close();
    await receiver.close();
    await once(idle.resume(), 'close');
  });
});
