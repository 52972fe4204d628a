import { createSecureServer, createServer } from 'node:http2';
import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { TlsSource } from '../../security/guard.js';
import { keepRenewed, tlsOptions } from '../../security/tls.js';

/** Calls on one connection at once; a collector has ten consumers. */
const MAX_CALLS = 100;
/** What a sender may send on one call before it is read. Larger ones only help over long distances. */
const WINDOW_BYTES = 256 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;

/** The same for all calls on a connection together. */
export const CONNECTION_WINDOW_BYTES = 1024 * 1024;
/** Off: beyond it Node refuses calls that are well within our limits. What it counts is bounded by them and the allowance. */
const MAX_SESSION_MEMORY = Number.MAX_SAFE_INTEGER;

const OPTIONS = {
  maxSessionMemory: MAX_SESSION_MEMORY,
  settings: { maxConcurrentStreams: MAX_CALLS, initialWindowSize: WINDOW_BYTES, maxHeaderListSize: MAX_HEADER_BYTES },
};

/** The HTTP/2 server under the receiver, in TLS where there is material for it. */
export function createHttp2Server(tls: TlsSource | undefined, timeoutMs: number): Http2Server | Http2SecureServer {
  if (tls === undefined) return createServer(OPTIONS);
  const server = createSecureServer({ ...OPTIONS, ...tlsOptions(tls, timeoutMs) });
  keepRenewed(server, tls);
  return server;
}
