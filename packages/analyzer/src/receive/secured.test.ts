import { request } from 'node:https';
import type { RequestOptions } from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { ConnectionOptions, PeerCertificate } from 'node:tls';
import { credentials, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { grpcClient, grpcSend, startGrpc } from '../../test/grpc-receiver.js';
import { BODY, PROTOBUF, send, start, statusOf } from '../../test/receiver.js';
import { AUTHORITY, STRANGER, secrets } from '../../test/secrets.js';
import type { SecurityOptions } from '../config/types.js';
import { createGuard } from '../security/guard.js';
import type { Guard } from '../security/guard.js';

const guards: Guard[] = [];
afterEach(() => {
  for (const guard of guards.splice(0)) guard.close();
});

function guardOf(security: SecurityOptions, elsewhere?: Guard): Guard {
  const guard = createGuard({ security, elsewhere: () => elsewhere, told: () => undefined, everyMs: 10 });
  guards.push(guard);
  return guard;
}

/** Bytes that no receiver must read before it knows who sends them. */
const BROKEN = Buffer.from([0xff]);

describe('bearer tokens', () => {
  const ask = async (authorization: string | undefined) => {
    const guard = guardOf({ tokens: ['one', 'two'] }, guardOf({ tokens: ['for-admin'] }));
    const http = await start({ guard });
    const grpc = await startGrpc({ guard });
    const headers = authorization === undefined ? {} : { authorization };
    const overHttp = await send(http.port, BROKEN, PROTOBUF, headers);
    const overGrpc = await grpcSend(grpcClient(grpc.port), BROKEN, { metadata: headers });
    return { overHttp, overGrpc, answered: [http.answered[0], grpc.answered[0]] };
  };

  test.each([
    ['none', undefined, /send Authorization: Bearer/, 'Bearer realm="seamtrace"'],
    ['another scheme', 'Basic b25l', /send Authorization: Bearer/, 'Bearer realm="seamtrace"'],
    ['an unknown one', 'Bearer three', /is not known here/, 'Bearer realm="seamtrace", error="invalid_token"'],
  ])('%s: 401 and UNAUTHENTICATED, on which no sender tries again', async (_, header, message, challenge) => {
    const { overHttp, overGrpc, answered } = await ask(header);
    expect([overHttp.status, overHttp.headers['www-authenticate']]).toEqual([401, challenge]);
    expect(statusOf(overHttp)).toEqual({ code: 16, message: expect.stringMatching(message) });
    expect(overHttp.headers).not.toHaveProperty('retry-after');
    expect(overGrpc).toMatchObject({
      code: status.UNAUTHENTICATED,
      message: expect.stringMatching(message),
      details: [],
    });
    expect(answered.map((request) => [request?.status, request?.reason, request?.wireBytes])).toEqual([
      [401, 'unauthenticated', 0],
      ['UNAUTHENTICATED', 'unauthenticated', 0],
    ]);
  });

  test('one for another listener: 403 and PERMISSION_DENIED', async () => {
    const { overHttp, overGrpc } = await ask('Bearer for-admin');
    expect([overHttp.status, statusOf(overHttp).code]).toEqual([403, 7]);
    expect(overGrpc).toMatchObject({ code: status.PERMISSION_DENIED, details: [] });
  });

  test.each(['Bearer one', 'bearer two'])('%s gets as far as its body', async (header) => {
    const { overHttp, overGrpc } = await ask(header);
    expect([overHttp.status, overGrpc.code]).toEqual([400, status.INVALID_ARGUMENT]);
  });

  test('say nothing of what is there to whom they are missing', async () => {
    const guard = guardOf({ tokens: ['one'] });
    const { port } = await startGrpc({ guard });
    expect((await grpcSend(grpcClient(port), BODY, { path: '/any/Method' })).code).toBe(status.UNAUTHENTICATED);
  });
});

interface HttpsReply {
  readonly status: number | undefined;
  readonly peer: string;
}

function overHttps(port: number, options: RequestOptions = {}): Promise<HttpsReply> {
  return new Promise((resolve, reject) => {
    const defaults = { host: '127.0.0.1', port, method: 'POST', path: '/v1/traces', agent: false, ca: AUTHORITY.cert };
    const outgoing = request({ ...defaults, headers: { 'content-type': PROTOBUF }, ...options }, (response) => {
      const { CN } = (response.socket as unknown as { getPeerCertificate(): PeerCertificate }).getPeerCertificate()
        .subject;
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, peer: String(CN) }));
    });
    outgoing.on('error', reject);
    outgoing.end(BODY);
  });
}

const pem = (text: string): Buffer => Buffer.from(text);
const trusting = (client?: { cert: string; key: string }) =>
  client === undefined
    ? credentials.createSsl(pem(AUTHORITY.cert))
    : credentials.createSsl(pem(AUTHORITY.cert), pem(client.key), pem(client.cert));

/** Name in the certificate that a port shows; the client makes no other use of the connection. */
function shown(port: number, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ host: '127.0.0.1', port, ca: AUTHORITY.cert, ...options }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('TLS', () => {
  test('both transports speak it, from version 1.2 on, and nothing else', async () => {
    const guard = guardOf(secrets().tls(AUTHORITY.issue('analyzer')));
    const http = await start({ guard });
    const grpc = await startGrpc({ guard });
    expect(await overHttps(http.port)).toEqual({ status: 200, peer: 'analyzer' });
    expect((await grpcSend(grpcClient(grpc.port, trusting()), BODY)).code).toBe(status.OK);
    await expect(send(http.port, BODY)).rejects.toThrow();
    expect((await grpcSend(grpcClient(grpc.port), BODY)).code).toBe(status.UNAVAILABLE);
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    await expect(overHttps(http.port, old)).rejects.toThrow();
    await expect(overHttps(http.port, { ...old, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })).resolves.toBeTruthy();
    expect(grpc.handshakes).toHaveLength(1);
  });

  test('a renewed certificate is shown to new connections, and old ones go on; a bad one changes nothing', async () => {
    const files = secrets();
    const guard = guardOf(files.tls(AUTHORITY.issue('first')));
    const http = await start({ guard });
    const grpc = await startGrpc({ guard });
    const h2 = { ALPNProtocols: ['h2'] };
    const client = grpcClient(grpc.port, trusting());
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
    expect([await shown(http.port, {}), await shown(grpc.port, h2)]).toEqual(['first', 'first']);
    files.tls(AUTHORITY.issue('second'));
    await vi.waitFor(async () => {
      expect([await shown(http.port, {}), await shown(grpc.port, h2)]).toEqual(['second', 'second']);
    });
    expect((await grpcSend(client, BODY)).code).toBe(status.OK);
    files.write('tls.key', 'no key');
    guard.reload();
    expect([await shown(http.port, {}), await shown(grpc.port, h2)]).toEqual(['second', 'second']);
    expect(await overHttps(http.port)).toMatchObject({ status: 200 });
    expect((await grpcSend(grpcClient(grpc.port, trusting()), BODY)).code).toBe(status.OK);
  });
});

describe('client certificates', () => {
  test('without one of a known authority nobody gets through the handshake, on either transport', async () => {
    const files = secrets();
    const guard = guardOf({
      ...files.tls(AUTHORITY.issue('analyzer')),
      clientCa: files.write('ca.crt', AUTHORITY.cert),
    });
    const http = await start({ guard });
    const grpc = await startGrpc({ guard });
    const known = AUTHORITY.issue('collector');
    const stranger = STRANGER.issue('collector');
    expect(guard.isOpen).toBe(false);

    await expect(overHttps(http.port)).rejects.toThrow();
    await expect(overHttps(http.port, stranger)).rejects.toThrow();
    expect(await overHttps(http.port, known)).toMatchObject({ status: 200 });
    expect(http.batches).toHaveLength(1);

    expect((await grpcSend(grpcClient(grpc.port, trusting()), BODY)).code).toBe(status.UNAVAILABLE);
    expect((await grpcSend(grpcClient(grpc.port, trusting(stranger)), BODY)).code).toBe(status.UNAVAILABLE);
    expect((await grpcSend(grpcClient(grpc.port, trusting(known)), BODY)).code).toBe(status.OK);
    expect(grpc.batches).toHaveLength(1);
    expect(grpc.handshakes.length).toBeGreaterThanOrEqual(2);
  });

  test('the known authorities can be changed without a restart', async () => {
    const files = secrets();
    const clientCa = files.write('ca.crt', AUTHORITY.cert);
    const guard = guardOf({ ...files.tls(AUTHORITY.issue('analyzer')), clientCa });
    const { port } = await start({ guard });
    const stranger = STRANGER.issue('collector');
    await expect(overHttps(port, stranger)).rejects.toThrow();
    files.write('ca.crt', STRANGER.cert + AUTHORITY.cert);
    guard.reload();
    expect(await overHttps(port, stranger)).toMatchObject({ status: 200 });
    expect(await overHttps(port, AUTHORITY.issue('another'))).toMatchObject({ status: 200 });
  });
});
