import type { Server as SecureServer, ServerOptions as HttpsOptions } from 'node:https';
import { fastify } from 'fastify';
import type { ListenAddress } from '../config/types.js';
import type { Guard } from '../security/guard.js';
import { keepRenewed, tlsOptions } from '../security/tls.js';
import type { MetricsSink } from '../sinks/metrics/sink.js';
import { refuseAdmin } from './admin-access.js';
import { preferredFormat } from './format.js';

/** `starting` and `stopping` are not ready: a balancer should send nothing here. */
export type Phase = 'starting' | 'ready' | 'stopping';

export interface AdminServer {
  /** Binds, and resolves with the address that it got. Rejects when it cannot be had. */
  listen(address: ListenAddress): Promise<ListenAddress>;
  close(): Promise<void>;
}

export interface AdminOptions {
  readonly scrape: MetricsSink['scrape'];
  readonly phase: () => Phase;
  /** Who may read metrics. The probes are for everybody: whoever asks them holds no credentials. */
  readonly guard: Guard;
}

const PATHS = ['/metrics', '/healthz', '/readyz'];

const HANDSHAKE_TIMEOUT_MS = 10_000;

function serverOptions({ tls }: Guard): { logger: false; forceCloseConnections: true; https: HttpsOptions | null } {
  const options = { logger: false, forceCloseConnections: true } as const;
  if (tls === undefined) return { ...options, https: null };
  // A client without a certificate gets as far as the probes.
  return { ...options, https: { ...tlsOptions(tls, HANDSHAKE_TIMEOUT_MS), rejectUnauthorized: false } };
}

/** `/metrics`, `/healthz` and `/readyz`, for operators: bound to loopback unless configured otherwise. */
export function createAdminServer({ scrape, phase, guard }: AdminOptions): AdminServer {
  const server = fastify(serverOptions(guard));
  if (guard.tls !== undefined) keepRenewed(server.server as SecureServer, guard.tls);
  server.get('/metrics', async (request, reply) => {
    const refusal = refuseAdmin(guard, request.raw);
    if (refusal !== undefined) return reply.code(refusal.status).headers(refusal.headers).send(refusal.text);
    const { contentType, body } = await scrape(preferredFormat(request.headers.accept));
    return reply.type(contentType).send(body);
  });
  server.get('/healthz', async (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n'));
  server.get('/readyz', async (_request, reply) => {
    const current = phase();
    return reply
      .code(current === 'ready' ? 200 : 503)
      .type('text/plain; charset=utf-8')
      .send(`${current}\n`);
  });
  // Whatever else is asked with whatever body gets one of the two answers below.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  server.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?', 1)[0]!;
    const known = PATHS.includes(path);
    if (known) reply.header('allow', 'GET, HEAD');
    const message = known ? `${path} takes GET and HEAD` : `nothing here; there are ${PATHS.join(', ')}`;
    return reply
      .code(known ? 405 : 404)
      .type('text/plain; charset=utf-8')
      .send(`${message}\n`);
  });
  return {
    async listen({ host, port }) {
      await server.listen({ host, port });
      const bound = server.server.address();
      return { host, port: typeof bound === 'object' && bound !== null ? bound.port : port };
    },
    close: () => server.close(),
  };
}
