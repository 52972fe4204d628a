import { fastify } from 'fastify';
import type { ListenAddress } from '../config/types.js';
import type { MetricsSink } from '../sinks/metrics/sink.js';
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
}

const PATHS = ['/metrics', '/healthz', '/readyz'];

/** `/metrics`, `/healthz` and `/readyz`, for operators: bound to loopback unless configured otherwise. */
export function createAdminServer({ scrape, phase }: AdminOptions): AdminServer {
  const server = fastify({ logger: false, forceCloseConnections: true });
  server.get('/metrics', async (request, reply) => {
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
