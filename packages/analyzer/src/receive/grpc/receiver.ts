import { setMaxListeners } from 'node:events';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthorize } from '../authorize.js';
import { limitConnections } from '../crowd.js';
import { createInFlight } from '../in-flight.js';
import { type Receiver, type ReceiverOptions, receiverLimits } from '../receiver.js';
import { createGrpcCall } from './call.js';
import { createKeepalive } from './keepalive.js';
import { CONNECTION_WINDOW_BYTES, createHttp2Server } from './server.js';

export interface OtlpGrpcReceiverOptions extends ReceiverOptions {
  /** How often connections are asked for a sign of life; one that gave none until the next time is cut. Default 30 s. */
  readonly keepaliveMs?: number;
}

const DEFAULT_KEEPALIVE_MS = 30_000;
const LAST_WORDS_MS = 500;

/**
 * An OTLP/gRPC receiver for traces (OTLP specification 1.11), on `node:http2`: why not on a gRPC library, see
 * docs/adr/0009. Success is answered only after `accept` has resolved.
 */
export function createOtlpGrpcReceiver(options: OtlpGrpcReceiverOptions): Receiver {
  const { host, port, accept, observe } = options;
  const { maxBodyBytes, timeoutMs, maxConnections, allowance } = receiverLimits(options);
  const taking = createInFlight<ServerHttp2Stream>();
  const answering = createInFlight<ServerHttp2Stream>();
  const sessions = createInFlight<Http2Session>();
  const open = new Set<Http2Session>();
  const hurry = new AbortController();
  setMaxListeners(0, hurry.signal);
  let isStopping = false;
  let closing: Promise<void> | undefined;

  const call = createGrpcCall({
    maxBodyBytes,
    timeoutMs,
    allowance,
    accept,
    observe,
    authorize: createAuthorize(options.guard),
    isStopping: () => isStopping,
    hurry: hurry.signal,
    taking,
  });

  const server = createHttp2Server(options.guard?.tls, timeoutMs);
  const keepalive = createKeepalive(open, options.keepaliveMs ?? DEFAULT_KEEPALIVE_MS);

  limitConnections(
    server,
    maxConnections,
    () => undefined,
    (socket) => {
      observe.connectionRefused('grpc');
      socket?.destroy();
    },
  );
  server.on('session', (session) => {
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    open.add(session);
    sessions.add(session);
    session.on('close', () => {
      open.delete(session);
      sessions.delete(session);
    });
  });
  // Bytes that are no HTTP/2 end their connection; there is nobody to whom an answer could be given in HTTP/2.
  server.on('sessionError', () => undefined);
  server.on('tlsClientError', (error: Error, socket: Socket) => {
    observe.handshakeFailed('grpc', error);
    socket.destroy();
  });
  server.on('stream', (stream, headers) => {
    answering.add(stream);
    stream.on('close', () => answering.delete(stream));
    void call(stream, headers);
  });

  async function stopIntake(graceMs: number): Promise<void> {
    isStopping = true;
    await taking.quiet(graceMs);
    hurry.abort();
    await taking.quiet(Math.min(graceMs, LAST_WORDS_MS));
  }

  async function end(graceMs: number): Promise<void> {
    await stopIntake(graceMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const session of open) session.close();
    await Promise.all([
      answering.quiet(Math.min(graceMs, LAST_WORDS_MS)),
      sessions.quiet(Math.min(graceMs, LAST_WORDS_MS)),
    ]);
    keepalive.stop();
    for (const session of open) session.destroy();
    await closed;
  }

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          server.off('error', reject);
          const bound = server.address() as AddressInfo;
          resolve({ host: bound.address, port: bound.port });
        });
      }),
    stopIntake: (graceMs = timeoutMs) => stopIntake(graceMs),
    close: (graceMs = timeoutMs) => (closing ??= end(graceMs)),
  };
}
