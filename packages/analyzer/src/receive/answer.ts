import protobuf from 'protobufjs/minimal.js';
import type { AnswerReason, OtlpEncoding } from './types.js';

/** Codes of `google.rpc.Code` that a receiver gives. */
export const RPC_CODE = {
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  unavailable: 14,
  unauthenticated: 16,
} as const;

export type RpcCode = (typeof RPC_CODE)[keyof typeof RPC_CODE];

/** The names of the codes, as gRPC writes them. */
export const RPC_CODE_NAMES = {
  3: 'INVALID_ARGUMENT',
  4: 'DEADLINE_EXCEEDED',
  7: 'PERMISSION_DENIED',
  8: 'RESOURCE_EXHAUSTED',
  12: 'UNIMPLEMENTED',
  14: 'UNAVAILABLE',
  16: 'UNAUTHENTICATED',
} as const satisfies Record<RpcCode, string>;

export type GrpcCodeName = 'OK' | (typeof RPC_CODE_NAMES)[RpcCode];

/** An answer before it is written out. */
export type Answer = Success | Refusal;

export interface Success {
  readonly status: 200;
  readonly reason: 'ok' | 'partial';
  /** Spans that the sender must not send again; 0 with a message is a warning. */
  readonly rejectedSpans: number;
  /** Empty when there is nothing to say; `partial_success` is unset then. */
  readonly message: string;
}

/** A refusal for either transport: `code` is what gRPC answers, `status` what HTTP does. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 417 | 429 | 431 | 503;
  readonly reason: Exclude<AnswerReason, 'ok' | 'partial'>;
  readonly code: RpcCode;
  /** What is wrong, where, and what to do about it. */
  readonly message: string;
  /** When to come again with the same request; left out where that cannot help. */
  readonly retryAfterSeconds?: number;
  /** The member of the request that is at fault, where one is. */
  readonly field?: string;
  /** Further headers on HTTP. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers of a refusal on HTTP. */
export function refusalHeaders({ headers, retryAfterSeconds }: Refusal): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? { ...headers } : { ...headers, 'retry-after': String(retryAfterSeconds) };
}

export const CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  protobuf: 'application/x-protobuf',
  json: 'application/json',
};

/** The body of an answer: `ExportTraceServiceResponse` or `google.rpc.Status`, in the encoding of the request. */
export function encodeAnswer(answer: Answer, encoding: OtlpEncoding): Uint8Array {
  if (encoding === 'json') return Buffer.from(JSON.stringify(jsonBody(answer)));
  const writer = protobuf.Writer.create();
  if (answer.status !== 200) {
    writer.uint32((1 << 3) | VARINT).int32(answer.code);
    writer.uint32((2 << 3) | LENGTH_DELIMITED).string(answer.message);
  } else if (answer.message !== '') {
    writer.uint32((1 << 3) | LENGTH_DELIMITED).fork();
    if (answer.rejectedSpans > 0) writer.uint32((1 << 3) | VARINT).int64(answer.rejectedSpans);
    writer.uint32((2 << 3) | LENGTH_DELIMITED).string(answer.message);
    writer.ldelim();
  }
  return writer.finish();
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;

// proto3 JSON writes 64-bit integers as strings and leaves defaults out.
function jsonBody(answer: Answer): object {
  if (answer.status !== 200) return { code: answer.code, message: answer.message };
  if (answer.message === '') return {};
  const rejected = answer.rejectedSpans > 0 ? { rejectedSpans: String(answer.rejectedSpans) } : {};
  return { partialSuccess: { ...rejected, errorMessage: answer.message } };
}
