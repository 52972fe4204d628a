import { maxHeaderSize } from 'node:http';
import type { Allowance } from './allowance.js';
import { RPC_CODE } from './answer.js';
import type { Refusal } from './answer.js';
import { CODINGS_IN_WORDS } from './coding.js';
import type { OtlpEncoding } from './types.js';

/** The one path that is served. */
export const TRACES_PATH = '/v1/traces';

const MAX_QUOTED = 100;

// What a stranger sent is quoted short and with its control characters escaped, since answers end up in logs.
export function quote(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

/** Whole seconds, as `Retry-After` wants them; never 0, which would make senders come back at once. */
function wholeSeconds(seconds: number): number {
  return Math.max(1, Math.ceil(seconds));
}

export function unknownPath(path: string): Refusal {
  const others =
    path === '/v1/metrics' || path === '/v1/logs'
      ? 'route only the traces pipeline to it'
      : `send traces to ${TRACES_PATH} (OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is used as it is, with the path)`;
  const message = `There is nothing at ${quote(path)}: this receiver takes traces only; ${others}.`;
  return { status: 404, reason: 'unknown_path', code: RPC_CODE.unimplemented, message };
}

export function wrongMethod(method: string): Refusal {
  return {
    status: 405,
    reason: 'wrong_method',
    code: RPC_CODE.unimplemented,
    message: `${TRACES_PATH} does not take ${quote(method)}: send traces with POST.`,
    headers: { allow: 'POST' },
  };
}

export function malformed(detail: string): Refusal {
  return {
    status: 400,
    reason: 'malformed_request',
    code: RPC_CODE.invalidArgument,
    message: `This is no request in HTTP/1.1 (${detail}): send OTLP over plain HTTP (OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf).`,
  };
}

export function missingHost(): Refusal {
  return {
    status: 400,
    reason: 'malformed_request',
    code: RPC_CODE.invalidArgument,
    message: 'The request has no Host header, which HTTP/1.1 asks for: send one.',
  };
}

export function headersTooLarge(): Refusal {
  return {
    status: 431,
    reason: 'headers_too_large',
    code: RPC_CODE.resourceExhausted,
    message: `The headers are larger than ${maxHeaderSize} bytes: send fewer or shorter ones.`,
  };
}

export function headTimedOut(): Refusal {
  return {
    status: 408,
    reason: 'timeout',
    code: RPC_CODE.deadlineExceeded,
    message: 'The request was not complete in time: send it faster.',
  };
}

export function unauthenticated(found: 'missing' | 'unknown'): Refusal {
  const challenge = 'Bearer realm="seamtrace"';
  return {
    status: 401,
    reason: 'unauthenticated',
    code: RPC_CODE.unauthenticated,
    message:
      found === 'missing'
        ? 'This receiver takes spans with a bearer token only: send Authorization: Bearer and the token.'
        : 'The bearer token is not known here: send the one that this receiver was given for ingest.',
    headers: { 'www-authenticate': found === 'missing' ? challenge : `${challenge}, error="invalid_token"` },
  };
}

export function forbidden(): Refusal {
  return {
    status: 403,
    reason: 'forbidden',
    code: RPC_CODE.permissionDenied,
    message: 'The bearer token is for another listener of this service: send the one for ingest.',
    headers: { 'www-authenticate': 'Bearer realm="seamtrace", error="insufficient_scope"' },
  };
}

export function unmetExpectation(expectation: string): Refusal {
  return {
    status: 417,
    reason: 'unmet_expectation',
    code: RPC_CODE.invalidArgument,
    message: `Expect is ${quote(expectation)}: send 100-continue, or no Expect at all.`,
  };
}

export function unsupportedMediaType(contentType: string | undefined): Refusal {
  const found = contentType === undefined ? 'The request has no Content-Type' : `Content-Type is ${quote(contentType)}`;
  return {
    status: 415,
    reason: 'unsupported_media_type',
    code: RPC_CODE.invalidArgument,
    message: `${found}: send application/x-protobuf or application/json (UTF-8).`,
  };
}

export function unsupportedEncoding(coding: string): Refusal {
  return {
    status: 400,
    reason: 'unsupported_encoding',
    code: RPC_CODE.invalidArgument,
    message: `Content-Encoding is ${quote(coding)}: send ${CODINGS_IN_WORDS}, or leave the body as it is.`,
  };
}

export function brokenCompression(coding: string, detail: string): Refusal {
  return {
    status: 400,
    reason: 'broken_compression',
    code: RPC_CODE.invalidArgument,
    message: `The body cannot be inflated as ${coding} (${detail}): check that it is compressed once, and whole.`,
  };
}

export function tooLarge(limit: number, found: number | undefined): Refusal {
  const size = found === undefined ? `is larger than ${limit} bytes` : `has ${found} bytes; ${limit} are permitted`;
  return {
    status: 413,
    reason: 'too_large',
    code: RPC_CODE.resourceExhausted,
    message: `The body ${size}: send smaller batches (send_batch_max_size in a collector) or raise max_body_bytes.`,
  };
}

export function tooLargeInflated(limit: number): Refusal {
  return {
    status: 413,
    reason: 'too_large_inflated',
    code: RPC_CODE.resourceExhausted,
    message:
      `The body is larger than ${limit} bytes after inflating, which is the limit: ` +
      'send smaller batches (send_batch_max_size in a collector) or raise max_body_bytes.',
  };
}

export function timedOut(timeoutMs: number): Refusal {
  return {
    status: 408,
    reason: 'timeout',
    code: RPC_CODE.deadlineExceeded,
    message: `The body was not complete after ${timeoutMs} ms: send it faster, or in smaller batches.`,
  };
}

export function inFlightLimit({ limitBytes, retryAfterSeconds }: Allowance): Refusal {
  return {
    status: 503,
    reason: 'in_flight_limit',
    code: RPC_CODE.unavailable,
    message: `Requests in flight hold ${limitBytes} bytes, which is the limit: send this one again after the time stated.`,
    retryAfterSeconds: retryAfterSeconds(),
  };
}

export function tooManyConnections(limit: number): Refusal {
  return {
    status: 503,
    reason: 'connection_limit',
    code: RPC_CODE.unavailable,
    message:
      `${limit} connections are open, which is the limit: come again after the time stated, ` +
      'and send all requests of one sender over one connection.',
    retryAfterSeconds: 5,
  };
}

export function stopping(): Refusal {
  return {
    status: 503,
    reason: 'stopping',
    code: RPC_CODE.unavailable,
    message: 'The receiver is stopping: send this request again after the time stated.',
    retryAfterSeconds: 5,
  };
}

export function undecodable(encoding: OtlpEncoding, detail: string): Refusal {
  return {
    status: 400,
    reason: 'undecodable',
    code: RPC_CODE.invalidArgument,
    field: encoding === 'json' ? 'resourceSpans' : 'resource_spans',
    message:
      `The body is not an ExportTraceServiceRequest in ${encoding}: ${detail}. ` +
      'Send what Content-Type states; sending the same bytes again cannot help.',
  };
}

export function throttled(message: string, retryAfterSeconds: number): Refusal {
  return {
    status: 429,
    reason: 'throttled',
    code: RPC_CODE.resourceExhausted,
    message,
    retryAfterSeconds: wholeSeconds(retryAfterSeconds),
  };
}

export function unavailable(message: string, retryAfterSeconds: number): Refusal {
  return {
    status: 503,
    reason: 'unavailable',
    code: RPC_CODE.unavailable,
    message,
    retryAfterSeconds: wholeSeconds(retryAfterSeconds),
  };
}
