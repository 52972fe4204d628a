import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { BODY, call, head, JSON_TYPE, PROTOBUF, rawSocket, readUntil, send, start } from '../../test/receiver.js';
import type { Status } from '../../test/receiver.js';

const TYPE = `Content-Type: ${JSON_TYPE}`;
const request = (...lines: string[]) => [...lines, '', ''].join('\r\n');
const POST = 'POST /v1/traces HTTP/1.1';

describe('what Node itself refuses is answered with a google.rpc.Status, and counted', () => {
  test.each<[string, string, number, RegExp]>([
    ['no Host', request(POST, TYPE, 'Content-Length: 2') + '{}', 400, /no Host header/],
    ['a Content-Length that is none', head([TYPE, 'Content-Length: -2']), 400, /Content-Length/],
    [
      'both Content-Length and Transfer-Encoding',
      head([TYPE, 'Transfer-Encoding: chunked', 'Content-Length: 2']),
      400,
      /Transfer-Encoding/,
    ],
    ['a chunk that is none', head([TYPE, 'Transfer-Encoding: chunked']) + 'zz\r\n', 400, /chunk/],
    ['headers without end', head([TYPE, `X: ${'a'.repeat(20_000)}`]), 431, /larger than 16384 bytes/],
    ['an unknown Expect', head([TYPE, 'Expect: the-unexpected', 'Content-Length: 2']) + '{}', 417, /"the-unexpected"/],
    ['CONNECT', request('CONNECT x:1 HTTP/1.1', 'Host: x'), 405, /"CONNECT"/],
    ['a TLS handshake', '\x16\x03\x01\x02\x00hello\r\n\r\n', 400, /does not speak TLS/],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, /does not speak HTTP\/2 or gRPC/],
  ])('%s', async (_name, bytes, status, message) => {
    const { port, answered, batches } = await start();
    const socket = await rawSocket(port);
    socket.write(Buffer.from(bytes, 'latin1'));
    const reply = await readUntil(socket, (text) => /\r\n\r\n.*\}$/.test(text));
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).toMatch(/content-type: application\/json/i);
    const said = JSON.parse(reply.slice(reply.indexOf('\r\n\r\n'))) as Status;
    expect(said.code).toBeGreaterThan(0);
    expect(said.message).toMatch(message);
    expect(answered.map((request) => request.status)).toEqual([status]);
    expect(batches).toEqual([]);
    expect((await send(port, BODY)).status).toBe(200);
  });

  test('headers are limited by their size and not by their number', async () => {
    const { port } = await start();
    const socket = await rawSocket(port);
    const many = Array<string>(2_100).fill('X: a');
    socket.write(request(POST, ...many, TYPE, 'Host: x', 'Content-Length: 2', 'Connection: close') + '{}');
    expect(await readUntil(socket, () => false)).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('a sender that goes away in the middle of its headers is reported', async () => {
    const { port, aborted, answered } = await start();
    const socket = await rawSocket(port);
    socket.end(`${POST}\r\nHost: x\r\n`);
    expect(await aborted).toBe(0);
    await once(socket.resume(), 'close');
    expect(answered).toEqual([]);
  });
});

test.each(['http://127.0.0.1:4318/v1/traces', 'HTTP://collector/v1/traces?x=1'])(
  'takes a request target in absolute form: %s',
  async (path) => {
    const { port, batches } = await start();
    expect((await call(port, { path, body: BODY, headers: { 'content-type': PROTOBUF } })).status).toBe(200);
    expect(batches).toHaveLength(1);
    expect((await call(port, { path: 'http://x/nowhere', body: BODY })).status).toBe(404);
  },
);
