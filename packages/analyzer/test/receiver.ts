import { once } from 'node:events';
import { request as httpRequest, type Agent } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { encodeProtobuf, handoffSpan, otlpTypes, traceRequest } from '@seamtrace/testkit';
import { afterEach, expect } from 'vitest';
import { createOtlpHttpReceiver } from '../src/receive/http.js';
import type { OtlpHttpReceiverOptions } from '../src/receive/http.js';
import type { Receiver } from '../src/receive/receiver.js';
import type { AcceptOutcome, AnsweredRequest, BatchMeta, ReceivedBatch } from '../src/receive/types.js';

// A receiver on a free port, and clients that speak to it over real sockets. Importing it ends both after each test.

export const PROTOBUF = 'application/x-protobuf';
export const JSON_TYPE = 'application/json';
export const MODEL = traceRequest([handoffSpan({ role: 'dispatch', handoffId: 'h-001', target: 'billing' })]);
export const BODY = encodeProtobuf(MODEL);

export interface Running {
  readonly port: number;
  readonly receiver: Receiver;
  readonly batches: { readonly batch: ReceivedBatch; readonly meta: BatchMeta }[];
  readonly answered: AnsweredRequest[];
  readonly failures: unknown[];
  /** Connections that were refused so far. */
  refused(): number;
  /** Resolves with the wire bytes of the next aborted request. */
  readonly aborted: Promise<number>;
}

const receivers: Receiver[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const receiver of receivers.splice(0)) await receiver.close(0);
});

export async function start(options: Partial<OtlpHttpReceiverOptions> = {}): Promise<Running> {
  const batches: Running['batches'] = [];
  const answered: AnsweredRequest[] = [];
  const failures: unknown[] = [];
  let refused = 0;
  let sawAbort: (wireBytes: number) => void = () => undefined;
  const aborted = new Promise<number>((resolve) => (sawAbort = resolve));
  const { accept = () => Promise.resolve<AcceptOutcome>({ kind: 'accepted' }), ...rest } = options;
  const receiver = createOtlpHttpReceiver({
    host: '127.0.0.1',
    port: 0,
    observe: {
      answered: (request) => answered.push(request),
      aborted: (wireBytes) => sawAbort(wireBytes),
      connectionRefused: () => void (refused += 1),
      handshakeFailed: () => undefined,
      acceptFailed: (error) => failures.push(error),
    },
    accept(batch, meta) {
      batches.push({ batch, meta });
      return accept(batch, meta);
    },
    ...rest,
  });
  receivers.push(receiver);
  const { port } = await receiver.listen();
  return { port, receiver, batches, answered, failures, refused: () => refused, aborted };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: Uint8Array | string;
  readonly agent?: Agent;
}

export function call(
  port: number,
  { method = 'POST', path = '/v1/traces', headers, body = '', agent }: Call = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: headers ?? {}, agent: agent ?? false };
    const outgoing = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export const send = (port: number, body: Uint8Array | string, type = PROTOBUF, headers: Record<string, string> = {}) =>
  call(port, { body, headers: { 'content-type': type, ...headers } });

export interface Status {
  readonly code: number;
  readonly message: string;
}

export function statusOf({ headers, body }: Reply): Status {
  if (headers['content-type'] === JSON_TYPE) return JSON.parse(body.toString()) as Status;
  expect(headers['content-type']).toBe(PROTOBUF);
  return otlpTypes.rpcStatus.toObject(otlpTypes.rpcStatus.decode(body)) as Status;
}

export async function rawSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** Reads until `done` holds or the other side ends. */
export async function readUntil(socket: Socket, done: (text: string) => boolean): Promise<string> {
  let text = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString('latin1');
    if (done(text)) break;
  }
  return text;
}

export const head = (lines: readonly string[]) =>
  ['POST /v1/traces HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');
