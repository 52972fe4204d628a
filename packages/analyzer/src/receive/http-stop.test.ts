import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { BODY, head, PROTOBUF, rawSocket, readUntil, start } from '../../test/receiver.js';

const LENGTH = `Content-Length: ${BODY.length}`;
const TYPE = `Content-Type: ${PROTOBUF}`;
const whole = (text: string) => text.includes('\r\n\r\n');

/** A connection on which the receiver has begun to read a body; it answers `Expect` when it has. */
async function halfSent(port: number) {
  const socket = await rawSocket(port);
  socket.write(head([TYPE, LENGTH, 'Expect: 100-continue']));
  expect(await readUntil(socket, whole)).toMatch(/^HTTP\/1\.1 100 /);
  socket.write(BODY.subarray(0, 10));
  return socket;
}

describe('a stop answers whoever is connected', () => {
  test('a request that is being received is taken when it is complete in time, and its connection ended', async () => {
    const { port, receiver, batches } = await start();
    const socket = await halfSent(port);
    const stopped = receiver.stopIntake();
    socket.write(BODY.subarray(10));
    const reply = await readUntil(socket, () => false);
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(reply).toMatch(/connection: close/i);
    await stopped;
    expect(batches).toHaveLength(1);
    await receiver.close();
  });

  test('a request that is not complete in time is told to come again before its connection is closed', async () => {
    const { port, receiver, batches, answered } = await start();
    const socket = await halfSent(port);
    const closed = receiver.close(20);
    const reply = await readUntil(socket, (text) => text.includes('stopping'));
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/retry-after: 5/i);
    expect(reply).toMatch(/connection: close/i);
    await closed;
    expect(batches).toEqual([]);
    expect(answered).toMatchObject([{ status: 503, reason: 'stopping', wireBytes: 10 }]);
  });

  test('a connection that is kept alive hears 503 once more when it is used, and is then ended', async () => {
    const { port, receiver } = await start();
    const socket = await rawSocket(port);
    const request = Buffer.concat([Buffer.from(head([TYPE, LENGTH])), BODY]);
    socket.write(request);
    expect(await readUntil(socket, whole)).toMatch(/^HTTP\/1\.1 200 OK/);
    const closed = receiver.close();
    socket.write(request);
    const reply = await readUntil(socket, () => false);
    expect(reply).toMatch(/^HTTP\/1\.1 503 /);
    expect(reply).toMatch(/retry-after: 5/i);
    await closed;
  });

  test('a connection that says nothing holds nothing up', async () => {
    const { port, receiver } = await start();
    const socket = await rawSocket(port);
    await receiver.close();
    await once(socket.resume(), 'close');
  });
});
