import http2 from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import { Client, Metadata, compressionAlgorithms, credentials } from '@grpc/grpc-js';
import type { CallOptions, ChannelCredentials, ChannelOptions, ServiceError } from '@grpc/grpc-js';
import { otlpTypes } from '@seamtrace/testkit';
import protobuf from 'protobufjs';
import { afterEach } from 'vitest';
import { createOtlpGrpcReceiver } from '../src/receive/grpc/receiver.js';
import type { OtlpGrpcReceiverOptions } from '../src/receive/grpc/receiver.js';
import type { Receiver } from '../src/receive/receiver.js';
import type { AcceptOutcome, AnsweredRequest, BatchMeta, ReceivedBatch } from '../src/receive/types.js';

// A gRPC receiver on a free port, and clients that speak to it over real sockets: grpc-js, as the SDKs use it, and bare
// HTTP/2 frames for what a well-behaved client cannot be made to send. Importing it ends all of them after each test.

export const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

export interface RunningGrpc {
  readonly port: number;
  readonly receiver: Receiver;
  readonly batches: { readonly batch: ReceivedBatch; readonly meta: BatchMeta }[];
  readonly answered: AnsweredRequest[];
  readonly failures: unknown[];
  readonly handshakes: Error[];
  /** Resolves with the wire bytes of the next aborted call. */
  readonly aborted: Promise<number>;
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

export async function startGrpc(options: Partial<OtlpGrpcReceiverOptions> = {}): Promise<RunningGrpc> {
  const batches: RunningGrpc['batches'] = [];
  const answered: AnsweredRequest[] = [];
  const failures: unknown[] = [];
  const handshakes: Error[] = [];
  let sawAbort: (wireBytes: number) => void = () => undefined;
  const aborted = new Promise<number>((resolve) => (sawAbort = resolve));
  const { accept = () => Promise.resolve<AcceptOutcome>({ kind: 'accepted' }), ...rest } = options;
  const receiver = createOtlpGrpcReceiver({
    host: '127.0.0.1',
    port: 0,
    observe: {
      answered: (request) => answered.push(request),
      aborted: (wireBytes) => sawAbort(wireBytes),
      connectionRefused: () => undefined,
      handshakeFailed: (_transport, error) => handshakes.push(error),
      acceptFailed: (error) => failures.push(error),
    },
    accept(batch, meta) {
      batches.push({ batch, meta });
      return accept(batch, meta);
    },
    ...rest,
  });
  cleanUps.push(() => receiver.close(0));
  const { port } = await receiver.listen();
  return { port, receiver, batches, answered, failures, handshakes, aborted };
}

export interface GrpcReply {
  /** 0 is success. */
  readonly code: number;
  readonly message: string;
  readonly response:
    { readonly partialSuccess?: { readonly rejectedSpans?: unknown; readonly errorMessage?: string } } | undefined;
  /** Type and fields of each detail of the `google.rpc.Status`. */
  readonly details: readonly { readonly type: string; readonly value: Record<string, unknown> }[];
  readonly responseBytes: number;
}

export interface GrpcCall {
  readonly path?: string;
  readonly metadata?: Record<string, string>;
  readonly gzip?: boolean | 'deflate';
  readonly options?: CallOptions;
}

export function grpcClient(
  port: number,
  channel: ChannelCredentials = credentials.createInsecure(),
  more: ChannelOptions = {},
) {
  // A channel of its own for each client, so that no test gets another's connection; nor may it hide a refusal by retrying.
  const options = { 'grpc.use_local_subchannel_pool': 1, 'grpc.enable_retries': 0, ...more };
  const client = new Client(`127.0.0.1:${port}`, channel, options);
  cleanUps.push(() => client.close());
  return client;
}

export function grpcSend(client: Client, body: Uint8Array, call: GrpcCall = {}): Promise<GrpcReply> {
  return new Promise((resolve) => {
    const metadata = new Metadata();
    for (const [name, value] of Object.entries(call.metadata ?? {})) metadata.set(name, value);
    const bytes = (value: Uint8Array): Buffer => Buffer.from(value);
    client.makeUnaryRequest(
      call.path ?? EXPORT,
      bytes,
      (buffer) => buffer,
      body,
      metadata,
      call.options ?? {},
      (error, response) => resolve(error === null ? success(response!) : failure(error)),
    );
  });
}

export const gzipClient = (port: number, name: 'gzip' | 'deflate' = 'gzip') =>
  grpcClient(port, undefined, { 'grpc.default_compression_algorithm': compressionAlgorithms[name] });

function success(response: Buffer): GrpcReply {
  const decoded = otlpTypes.traceResponse.toObject(otlpTypes.traceResponse.decode(response), { longs: Number });
  return {
    code: 0,
    message: '',
    response: decoded as GrpcReply['response'],
    details: [],
    responseBytes: response.length,
  };
}

const { root } = protobuf.parse(`
syntax = "proto3";
message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
message Any { string type_url = 1; bytes value = 2; }
message Duration { int64 seconds = 1; int32 nanos = 2; }
message RetryInfo { Duration retry_delay = 1; }
message BadRequest { repeated FieldViolation field_violations = 1; }
message FieldViolation { string field = 1; string description = 2; }
`);

function failure(error: ServiceError): GrpcReply {
  const [encoded] = error.metadata.get('grpc-status-details-bin');
  const Status = root.lookupType('Status');
  const status = encoded === undefined ? {} : (Status.toObject(Status.decode(encoded as Buffer)) as StatusMessage);
  const details = (status.details ?? []).map(({ typeUrl, value }) => {
    const type = typeUrl.replace('type.googleapis.com/google.rpc.', '');
    const Detail = root.lookupType(type);
    return { type, value: Detail.toObject(Detail.decode(value), { longs: Number }) as Record<string, unknown> };
  });
  return { code: error.code, message: error.details, response: undefined, details, responseBytes: 0 };
}

interface StatusMessage {
  readonly details?: readonly { readonly typeUrl: string; readonly value: Uint8Array }[];
}

/** A message with its prefix. */
export function framed(body: Uint8Array, flag = 0, length = body.length): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(flag, 0);
  prefix.writeUInt32BE(length, 1);
  return Buffer.concat([prefix, body]);
}

export function bareSession(port: number): ClientHttp2Session {
  // What a test sends at once may wait here; Node would end calls for it.
  const session = http2.connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 1024 });
  session.on('error', () => undefined);
  cleanUps.push(() => session.destroy());
  return session;
}

export function bareCall(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':path': EXPORT,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  stream.on('error', () => undefined);
  return stream;
}

export interface BareReply {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  /** `grpc-status` of the trailers, which are the headers where nothing else was answered. */
  readonly code: number | undefined;
  readonly message: string;
  readonly body: Buffer;
  readonly rstCode: number | undefined;
}

/** Waits for the end of a call. */
export function bareReply(stream: ClientHttp2Stream): Promise<BareReply> {
  return new Promise((resolve) => {
    let headers: Record<string, unknown> = {};
    let trailers: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => (headers = received));
    stream.on('trailers', (received) => (trailers = received));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('close', () => {
      const code = (trailers['grpc-status'] ?? headers['grpc-status']) as string | undefined;
      const message = (trailers['grpc-message'] ?? headers['grpc-message'] ?? '') as string;
      resolve({
        status: headers[':status'] as number | undefined,
        headers,
        code: code === undefined ? undefined : Number(code),
        message: decodeURIComponent(message),
        body: Buffer.concat(chunks),
        rstCode: stream.rstCode,
      });
    });
  });
}
