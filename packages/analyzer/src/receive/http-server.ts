import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { TlsSource } from '../security/guard.js';
import { keepRenewed, tlsOptions } from '../security/tls.js';

export interface HttpServerOptions {
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly checkEveryMs: number;
  readonly tls: TlsSource | undefined;
}

/** The HTTP/1.1 server under the receiver, in TLS where there is material for it. */
export function createHttpServer({ timeoutMs, idleTimeoutMs, checkEveryMs, tls }: HttpServerOptions): Server {
  const options = {
    headersTimeout: timeoutMs,
    // The body has its own clock, whose answer says what was wrong; this one only catches what that cannot see.
    requestTimeout: timeoutMs * 2,
    keepAliveTimeout: idleTimeoutMs,
    connectionsCheckingInterval: checkEveryMs,
    // Node's own refusal has no body and is told to nobody.
    requireHostHeader: false,
  };
  if (tls === undefined) return createServer(options);
  const server = createSecureServer({ ...options, ...tlsOptions(tls, timeoutMs) });
  keepRenewed(server, tls);
  return server;
}
