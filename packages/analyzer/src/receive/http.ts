import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Account } from './allowance.js';
import { CONTENT_TYPES, encodeAnswer, refusalHeaders } from './answer.js';
import type { Answer, Refusal } from './answer.js';
import { createAuthorize } from './authorize.js';
import { bare, readBody } from './body.js';
import { exportTraces } from './export.js';
import type { Coding } from './coding.js';
import { limitConnections } from './crowd.js';
import { parseContentEncoding, parseContentLength, parseContentType } from './headers.js';
import { createHttpServer } from './http-server.js';
import { createInFlight } from './in-flight.js';
import { writeAnswer } from './linger.js';
import { type Receiver, type ReceiverOptions, receiverLimits } from './receiver.js';
import { refuseBody } from './refuse-body.js';
import * as refuse from './refusals.js';
import { pathOf } from './target.js';
import type { OtlpEncoding } from './types.js';
import { refuseUnparsed, writeRaw } from './unparsed.js';
import type { ParserError } from './unparsed.js';

export interface OtlpHttpReceiverOptions extends ReceiverOptions {
  /**
   * How long a connection may stay open between two requests. Default 120 s: longer than the 90 s after which Go's
   * client, a collector's, lets it go, so that no request meets a connection that is being closed.
   */
  readonly idleTimeoutMs?: number;
}

const DEFAULT_IDLE_TIMEOUT_MS = 120_000;
/** How late a sender that is too slow may be cut. */
const MAX_CHECK_EVERY_MS = 30_000;
/** A sender in full flow uses its connection again within this, and hears on it that it should leave. */
const LAST_CALL_MS = 250;
/** What an answer may take to be read by a sender that is still sending. */
const LAST_WORDS_MS = 500;
/** Senders that connect again and again must not keep a stop from ending. */
const MAX_TURNS = 1_000;

/**
 * An OTLP/HTTP receiver for traces (OTLP specification 1.11): `POST /v1/traces` in protobuf and JSON, plain, gzip or
 * deflate. Success is answered only after `accept` has resolved. Every refusal carries a `google.rpc.Status` in the
 * encoding of the request, JSON where it named none.
 */
export function createOtlpHttpReceiver(options: OtlpHttpReceiverOptions): Receiver {
  const { host, port, accept, observe } = options;
  const { maxBodyBytes, timeoutMs, maxConnections, allowance } = receiverLimits(options);
  const connections = createInFlight<Socket>();
  const answering = createInFlight<ServerResponse>();
  const taking = createInFlight<ServerResponse>();
  const lastOn = new WeakMap<Socket, ServerResponse>();
  const refusedRaw = new WeakSet<Socket>();
  const hurry = new AbortController();
  setMaxListeners(0, hurry.signal);
  let connected = 0;
  let isStopping = false;
  let closing: Promise<void> | undefined;

  const authorize = createAuthorize(options.guard);
  const server = createHttpServer({
    timeoutMs,
    idleTimeoutMs: options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS,
    checkEveryMs: Math.min(timeoutMs, MAX_CHECK_EVERY_MS),
    tls: options.guard?.tls,
  });
  // The size of the headers is limited; beyond this number Node would drop the others silently.
  server.maxHeadersCount = 0;
  server.on('request', (request, response) => void handle(request, response, 'none'));
  server.on('checkContinue', (request, response) => void handle(request, response, 'continue'));
  server.on('checkExpectation', (request, response) => void handle(request, response, 'unknown'));
  server.on('connect', (_request, socket) => answerRaw(socket as Socket, refuse.wrongMethod('CONNECT')));
  server.on('clientError', (error: ParserError, socket) => onUnparsed(error, socket as Socket));
  server.on('tlsClientError', (error: Error, socket: Socket) => {
    observe.handshakeFailed('http', error);
    socket.destroy();
  });
  server.on('connection', (socket) => {
    connected += 1;
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });

  limitConnections(
    server,
    maxConnections,
    () => server.closeIdleConnections(),
    (socket) => {
      observe.connectionRefused('http');
      // What is written before a TLS handshake nobody could read.
      if (options.guard?.tls !== undefined) socket?.destroy();
      else if (socket !== undefined) sayRaw(socket, refuse.tooManyConnections(maxConnections));
    },
  );
  // Nothing has moved on the connection for a while. Only what is being accepted may take its time.
  server.setTimeout(timeoutMs * 2, (socket) => {
    const response = lastOn.get(socket);
    if (response === undefined || response.headersSent) socket.destroy();
  });

  function onUnparsed(error: ParserError, socket: Socket): void {
    if (refusedRaw.has(socket)) return;
    const refusal = refuseUnparsed(error, socket);
    const response = lastOn.get(socket);
    // The request before it is whole and waits for its answer, which has to come first.
    if (response?.req.complete === true && !response.writableEnded) {
      response.on('close', () => onUnparsed(error, socket));
      return;
    }
    if (refusal !== undefined && socket.writable && response?.headersSent !== true) return answerRaw(socket, refusal);
    // Whoever reads a body sees the end of it; a request that broke off in its headers has no reader.
    if (response === undefined && error.code === 'HPE_INVALID_EOF_STATE') observe.aborted(0, undefined, 'http');
    socket.destroy();
  }

  function answerRaw(socket: Socket, refusal: Refusal): void {
    sayRaw(socket, refusal);
    tell(undefined, refusal);
  }

  function sayRaw(socket: Socket, refusal: Refusal): void {
    refusedRaw.add(socket);
    socket.on('error', () => undefined);
    writeRaw(socket, refusal);
  }

  type Expectation = 'none' | 'continue' | 'unknown';

  async function handle(request: IncomingMessage, response: ServerResponse, expects: Expectation): Promise<void> {
    const { socket } = request;
    // A request on a connection that was refused, and is being closed, is none.
    if (refusedRaw.has(socket)) return;
    answering.add(response);
    lastOn.set(socket, response);
    response.on('close', () => {
      answering.delete(response);
      taking.delete(response);
      if (lastOn.get(socket) === response) lastOn.delete(socket);
    });
    // A sender that goes away is seen by whoever is reading; nobody else needs to know.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const encoding = parseContentType(request.headers['content-type']);
    const account = allowance.open();
    try {
      const coding = parseContentEncoding(request.headers['content-encoding']);
      const refusal =
        expects === 'unknown'
          ? refuse.unmetExpectation(request.headers.expect ?? '')
          : refuseByHead(request, encoding, coding, account);
      if (refusal !== undefined) return answer(request, response, encoding, { answer: refusal });
      taking.add(response);
      if (expects === 'continue') response.writeContinue();
      await takeBody(request, response, encoding as OtlpEncoding, coding as Coding, account);
    } finally {
      account.close();
    }
  }

  /** Everything that can be refused before a byte of the body is read. */
  function refuseByHead(
    request: IncomingMessage,
    encoding: OtlpEncoding | undefined,
    coding: Coding | undefined,
    account: Account,
  ): Answer | undefined {
    const { method = '', url = '', headers } = request;
    const path = pathOf(url);
    if (headers.host === undefined && request.httpVersion === '1.1') return refuse.missingHost();
    const unauthorized = authorize(headers.authorization);
    if (unauthorized !== undefined) return unauthorized;
    if (path !== refuse.TRACES_PATH) return refuse.unknownPath(path);
    if (method !== 'POST') return refuse.wrongMethod(method);
    if (encoding === undefined) return refuse.unsupportedMediaType(headers['content-type']);
    if (coding === undefined) return refuse.unsupportedEncoding(headers['content-encoding'] ?? '');
    const length = parseContentLength(headers['content-length']);
    if (length !== undefined && length > maxBodyBytes) return refuse.tooLarge(maxBodyBytes, length);
    if (isStopping) return refuse.stopping();
    return account.hold(0) ? undefined : refuse.inFlightLimit(allowance);
  }

  async function takeBody(
    request: IncomingMessage,
    response: ServerResponse,
    encoding: OtlpEncoding,
    coding: Coding,
    account: Account,
  ): Promise<void> {
    const result = await readBody(request, bare(coding), { maxBodyBytes, timeoutMs, hurry: hurry.signal }, account);
    const { wireBytes } = result;
    if (result.kind === 'aborted') {
      if (!refusedRaw.has(request.socket)) observe.aborted(wireBytes, encoding, 'http');
      return;
    }
    if (result.kind !== 'read') {
      return answer(request, response, encoding, {
        answer: refuseBody(result, coding, { maxBodyBytes, timeoutMs, allowance }),
        wireBytes,
      });
    }
    const bodyBytes = result.body.length;
    const meta = { transport: 'http', encoding, wireBytes, bodyBytes } as const;
    const exported = await exportTraces(result.body, meta, accept, observe);
    answer(request, response, encoding, { ...exported, wireBytes, bodyBytes });
  }

  interface Told {
    readonly answer: Answer;
    readonly wireBytes?: number;
    readonly bodyBytes?: number;
    readonly received?: number;
    readonly ignored?: number;
    readonly rejected?: number;
  }

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    encoding: OtlpEncoding | undefined,
    told: Told,
  ): void {
    const spoken = encoding ?? 'json';
    const { status, reason } = told.answer;
    const headers = {
      'content-type': CONTENT_TYPES[spoken],
      ...(told.answer.status === 200 ? {} : refusalHeaders(told.answer)),
      // A sender that was too slow once has no claim on the connection; one that comes back must find another process.
      ...(isStopping || reason === 'timeout' ? { connection: 'close' } : {}),
    };
    const body = encodeAnswer(told.answer, spoken);
    writeAnswer(request, response, { status, headers, body }, maxBodyBytes);
    tell(encoding, told.answer, told);
  }

  function tell(encoding: OtlpEncoding | undefined, { status, reason }: Answer, told: Partial<Told> = {}): void {
    const { wireBytes = 0, bodyBytes = 0, received = 0, ignored = 0, rejected = 0 } = told;
    const sizes = { wireBytes, bodyBytes, received, ignored, rejected };
    observe.answered({ transport: 'http', encoding, status, reason, ...sizes });
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

  async function stopIntake(graceMs: number): Promise<void> {
    const lastCall = isStopping ? undefined : connections.quiet(Math.min(graceMs, LAST_CALL_MS));
    isStopping = true;
    await Promise.all([lastCall, taking.quiet(graceMs)]);
    hurry.abort();
    await taking.quiet(Math.min(graceMs, LAST_WORDS_MS));
  }

  /** Connections that still are in the system's queue when listening ends are cut off unheard. Node takes one a turn. */
  async function queueEmptied(): Promise<void> {
    let before: number;
    let turns = 0;
    do {
      before = connected;
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    } while (connected > before && (turns += 1) < MAX_TURNS);
  }

  async function end(graceMs: number): Promise<void> {
    await stopIntake(graceMs);
    await queueEmptied();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all([
      answering.quiet(Math.min(graceMs, LAST_WORDS_MS)),
      connections.quiet(Math.min(graceMs, LAST_CALL_MS)),
    ]);
    // Node counts a connection that has not sent a request yet as busy, and would wait for it.
    server.closeAllConnections();
    await closed;
  }
}
