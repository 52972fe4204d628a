import { RPC_CODE } from '../answer.js';
import type { Refusal } from '../answer.js';
import { CODINGS_IN_WORDS } from '../coding.js';
import { quote } from '../refusals.js';

/** The one method that is served. */
export const EXPORT_PATH = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

const OTHER_SIGNAL = /^\/opentelemetry\.proto\.collector\.(logs|metrics|profiles)\./;

export function unknownMethod(path: string): Refusal {
  const signal = OTHER_SIGNAL.exec(path)?.[1];
  const message =
    signal === undefined
      ? `There is no method ${quote(path)} here: this receiver takes ${EXPORT_PATH} only.`
      : `This receiver takes traces only, no ${signal}: route only the traces pipeline to it.`;
  return { status: 404, reason: 'unknown_path', code: RPC_CODE.unimplemented, message };
}

/** Answered in HTTP alone, since the sender does not speak gRPC (gRPC over HTTP/2, "Requests"). */
export function notGrpc(contentType: string | undefined): Refusal {
  const found = contentType === undefined ? 'The request has no Content-Type' : `Content-Type is ${quote(contentType)}`;
  return {
    status: 415,
    reason: 'unsupported_media_type',
    code: RPC_CODE.invalidArgument,
    message: `${found}: this port takes OTLP over gRPC (application/grpc); OTLP over HTTP has a port of its own.`,
  };
}

export function unsupportedCodec(contentType: string): Refusal {
  return {
    status: 415,
    reason: 'unsupported_media_type',
    code: RPC_CODE.unimplemented,
    message: `Content-Type is ${quote(contentType)}: send messages in protobuf (application/grpc or application/grpc+proto).`,
  };
}

export function unsupportedEncoding(coding: string): Refusal {
  return {
    status: 400,
    reason: 'unsupported_encoding',
    code: RPC_CODE.unimplemented,
    message: `grpc-encoding is ${quote(coding)}: send ${CODINGS_IN_WORDS}, or leave the message as it is.`,
  };
}

export function malformed(detail: string): Refusal {
  return {
    status: 400,
    reason: 'malformed_request',
    code: RPC_CODE.invalidArgument,
    field: 'message',
    message: `The call does not carry one message of an ExportTraceServiceRequest: ${detail}.`,
  };
}

export function badTimeout(header: string): Refusal {
  return {
    status: 400,
    reason: 'malformed_request',
    code: RPC_CODE.invalidArgument,
    field: 'grpc-timeout',
    message: `grpc-timeout is ${quote(header)}: send at most eight digits and one of H, M, S, m, u, n.`,
  };
}

/** The sender's own deadline, which may be shorter than ours. */
export function deadlinePassed(timeoutMs: number): Refusal {
  return {
    status: 408,
    reason: 'timeout',
    code: RPC_CODE.deadlineExceeded,
    message: `The deadline of the call (${timeoutMs} ms) passed before its message was complete; nothing of it was taken.`,
  };
}
