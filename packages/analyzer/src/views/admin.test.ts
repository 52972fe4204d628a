import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AUTHORITY, STRANGER, secrets } from '../../test/secrets.js';
import type { SecurityOptions } from '../config/types.js';
import { createGuard } from '../security/guard.js';
import type { Guard } from '../security/guard.js';
import { createAdminServer } from './admin.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function guardOf(security: SecurityOptions, elsewhere?: Guard): Guard {
  const guard = createGuard({ security, elsewhere: () => elsewhere, told: () => undefined, everyMs: 10 });
  cleanUps.push(() => guard.close());
  return guard;
}

async function start(guard: Guard): Promise<number> {
  const scrape = () => Promise.resolve({ contentType: 'text/plain', body: 'the metrics' });
  const server = createAdminServer({ scrape, phase: () => 'ready', guard });
  cleanUps.push(() => server.close());
  return (await server.listen({ host: '127.0.0.1', port: 0 })).port;
}

interface Reply {
  readonly status: number | undefined;
  readonly challenge: string | undefined;
  readonly body: string;
}

function get(port: number, path: string, options: RequestOptions = {}): Promise<Reply> {
  const request = options.ca === undefined ? httpRequest : httpsRequest;
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      const { statusCode: status, headers } = response;
      text(response).then((body) => resolve({ status, challenge: headers['www-authenticate'], body }), reject);
    };
    request({ host: '127.0.0.1', port, path, agent: false, ...options }, answered)
      .on('error', reject)
      .end();
  });
}

const bearer = (token: string): RequestOptions => ({ headers: { authorization: `Bearer ${token}` } });

describe('with an admin token', () => {
  it('/metrics wants it, and not the one for ingest', async () => {
    const port = await start(guardOf({ tokens: ['for-admin'] }, guardOf({ tokens: ['for-ingest'] })));
    expect(await get(port, '/metrics')).toMatchObject({ status: 401, challenge: 'Bearer realm="seamtrace admin"' });
    expect(await get(port, '/metrics', bearer('other'))).toMatchObject({
      status: 401,
      challenge: expect.stringContaining('invalid_token'),
    });
    expect(await get(port, '/metrics', bearer('for-ingest'))).toMatchObject({ status: 403 });
    expect(await get(port, '/metrics', bearer('for-admin'))).toMatchObject({ status: 200, body: 'the metrics' });
  });

  it('the probes stay open', async () => {
    const port = await start(guardOf({ tokens: ['for-admin'] }));
    for (const path of ['/healthz', '/readyz']) expect(await get(port, path)).toMatchObject({ status: 200 });
  });
});

describe('with TLS', () => {
  it('shows a renewed certificate without a restart', async () => {
    const files = secrets();
    const port = await start(guardOf(files.tls(AUTHORITY.issue('first'))));
    expect(await get(port, '/metrics', { ca: AUTHORITY.cert })).toMatchObject({ status: 200 });
    await expect(get(port, '/metrics')).rejects.toThrow();
    files.tls(STRANGER.issue('second'));
    await vi.waitFor(async () =>
      expect(await get(port, '/metrics', { ca: STRANGER.cert })).toMatchObject({ status: 200 }),
    );
  });

  it('wants a client certificate for /metrics, not for the probes', async () => {
    const files = secrets();
    const clientCa = files.write('ca.crt', AUTHORITY.cert);
    const port = await start(guardOf({ ...files.tls(AUTHORITY.issue('admin')), clientCa }));
    const ca = AUTHORITY.cert;
    expect(await get(port, '/readyz', { ca })).toMatchObject({ status: 200 });
    expect(await get(port, '/metrics', { ca })).toMatchObject({ status: 403 });
    expect(await get(port, '/metrics', { ca, ...STRANGER.issue('scraper') })).toMatchObject({ status: 403 });
    expect(await get(port, '/metrics', { ca, ...AUTHORITY.issue('scraper') })).toMatchObject({ status: 200 });
  });
});
