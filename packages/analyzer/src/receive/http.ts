import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAllowance } from './allowance.js';
import type { Account } from './allowance.js';
import { CONTENT_TYPES, encodeAnswer } from './answer.js';
import type { Answer } from './answer.js';
import { readBody } from './body.js';
import type { BodyResult } from './body.js';
import { exportTraces } from './export.js';
import { parseContentEncoding, parseContentLength, parseContentType } from './headers.js';
import type { Coding } from './headers.js';
import { writeAnswer } from './linger.js';
import * as refuse from './refusals.js';
import type { Accept, OtlpEncoding, ReceiveObserver } from './types.js';

export interface OtlpHttpReceiverOptions {
  readonly host: string;
  /** 0 asks the system for a free port. */
  readonly port: number;
  /** Limit of one body, before and after inflating. Default 64 MiB. */
  readonly maxBodyBytes?: number;
  /** Limit of all bodies in flight together, until they are answered. Default twice `maxBodyBytes`. */
  readonly maxInFlightBytes?: number;
  /** How long a sender may take for headers and body. Default 30 s. */
  readonly requestTimeoutMs?: number;
  readonly accept: Accept;
  readonly observe: ReceiveObserver;
}

export interface OtlpHttpReceiver {
  /** Starts to listen. Rejects where the address cannot be had. */
  listen(): Promise<{ readonly host: string; readonly port: number }>;
  /** From now on requests are told to come again (503). Those already being read or accepted are answered as usual. */
  stopIntake(): void;
  /**
   * Stops to listen, waits until every request in flight is answered, at most `graceMs` (default: the request
   * timeout), and then ends all connections. Safe to call twice.
   */
  close(graceMs?: number): Promise<void>;
}

const DEFAULT_MAX_BODY_BYTES = 64 * 1024 * 1024;
const DEFAULT_REQUEST_TIMEOUT_MS = 30_000;

/**
 * An OTLP/HTTP receiver for traces (OTLP specification 1.11): `POST /v1/traces` in protobuf and JSON, plain, gzip or
 * deflate. Success is answered only after `accept` has resolved. Every refusal carries a `google.rpc.Status` in the
 * encoding of the request, JSON where it named none.
 */
export function createOtlpHttpReceiver(options: OtlpHttpReceiverOptions): OtlpHttpReceiver {
  const { host, port, accept, observe } = options;
  const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  const maxInFlightBytes = options.maxInFlightBytes ?? 2 * maxBodyBytes;
  const timeoutMs = options.requestTimeoutMs ?? DEFAULT_REQUEST_TIMEOUT_MS;
  const allowance = createAllowance(maxInFlightBytes);
  const underWay = new Set<ServerResponse>();
  let isStopping = false;
  let closing: Promise<void> | undefined;
  let whenQuiet: () => void = () => undefined;

  const server = createServer({
    headersTimeout: timeoutMs,
    // The body has its own clock, whose answer says what was wrong; this one only catches what that cannot see.
    requestTimeout: timeoutMs * 2,
    connectionsCheckingInterval: Math.min(timeoutMs, DEFAULT_REQUEST_TIMEOUT_MS),
  });
  server.on('request', (request, response) => void handle(request, response, false));
  server.on('checkContinue', (request, response) => void handle(request, response, true));

  async function handle(request: IncomingMessage, response: ServerResponse, waits: boolean): Promise<void> {
    underWay.add(response);
    response.on('close', () => {
      underWay.delete(response);
      if (underWay.size === 0) whenQuiet();
    });
    // A sender that goes away is seen by whoever is reading; nobody else needs to know.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const encoding = parseContentType(request.headers['content-type']);
    const account = allowance.open();
    try {
      const coding = parseContentEncoding(request.headers['content-encoding']);
      const refusal = refuseByHead(request, encoding, coding, account);
      if (refusal !== undefined) return answer(request, response, encoding, { answer: refusal });
      if (waits) response.writeContinue();
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
    const path = url.split('?', 1)[0] as string;
    if (path !== refuse.TRACES_PATH) return refuse.unknownPath(path);
    if (method !== 'POST') return refuse.wrongMethod(method);
    if (encoding === undefined) return refuse.unsupportedMediaType(headers['content-type']);
    if (coding === undefined) return refuse.unsupportedEncoding(headers['content-encoding'] ?? '');
    const length = parseContentLength(headers['content-length']);
    if (length !== undefined && length > maxBodyBytes) return refuse.tooLarge(maxBodyBytes, length);
    if (isStopping) return refuse.stopping();
    return account.hold(0) ? undefined : refuse.inFlightLimit(maxInFlightBytes);
  }

  async function takeBody(
    request: IncomingMessage,
    response: ServerResponse,
    encoding: OtlpEncoding,
    coding: Coding,
    account: Account,
  ): Promise<void> {
    const result = await readBody(request, coding, { maxBodyBytes, timeoutMs }, account);
    const { wireBytes } = result;
    if (result.kind === 'aborted') return observe.aborted(wireBytes);
    if (result.kind !== 'read') {
      return answer(request, response, encoding, { answer: refuseBody(result, coding), wireBytes });
    }
    const bodyBytes = result.body.length;
    const meta = { transport: 'http', encoding, wireBytes, bodyBytes } as const;
    const exported = await exportTraces(result.body, meta, accept, observe);
    answer(request, response, encoding, { ...exported, wireBytes, bodyBytes });
  }

  function refuseBody(result: Exclude<BodyResult, { kind: 'read' | 'aborted' }>, coding: Coding): Answer {
    if (result.kind === 'broken') return refuse.brokenCompression(coding, result.detail);
    if (result.kind === 'timeout') return refuse.timedOut(timeoutMs);
    if (result.kind === 'in_flight_limit') return refuse.inFlightLimit(maxInFlightBytes);
    return result.kind === 'too_large'
      ? refuse.tooLarge(maxBodyBytes, undefined)
      : refuse.tooLargeInflated(maxBodyBytes);
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
      ...(told.answer.status === 200 ? {} : told.answer.headers),
      // A sender that was too slow once has no claim on the connection; one that comes back must find another process.
      ...(isStopping || reason === 'timeout' ? { connection: 'close' } : {}),
    };
    const body = encodeAnswer(told.answer, spoken);
    writeAnswer(request, response, { status, headers, body }, maxBodyBytes);
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
    stopIntake() {
      isStopping = true;
    },
    close(graceMs = timeoutMs) {
      isStopping = true;
      return (closing ??= end(graceMs));
    },
  };

  async function end(graceMs: number): Promise<void> {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await new Promise<void>((resolve) => {
      if (underWay.size === 0) return resolve();
      const timer = setTimeout(resolve, graceMs);
      whenQuiet = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    // Node counts a connection that has not sent a request yet as busy, and would wait for it.
    server.closeAllConnections();
    await closed;
  }
}
