import type { DecodeResult } from '@seamtrace/core';
import type { GrpcCodeName } from './answer.js';

/** The two encodings of OTLP; on HTTP the Content-Type chooses, gRPC is always protobuf. */
export type OtlpEncoding = 'protobuf' | 'json';

export type OtlpTransport = 'http' | 'grpc';

/** A decoded request. */
export type ReceivedBatch = Extract<DecodeResult, { readonly ok: true }>;

export interface BatchMeta {
  readonly transport: OtlpTransport;
  readonly encoding: OtlpEncoding;
  /** Size of the body as it came over the wire. */
  readonly wireBytes: number;
  /** Size of the body after inflating. */
  readonly bodyBytes: number;
}

/**
 * What became of a batch. The sender hears of success only through `accepted`, so whoever answers it has made the
 * evidence as safe as it gets.
 *
 * - `accepted`: `partial` says what the sender should know of spans that were not used, the decoder's rejections
 *   included; 0 rejected spans with a message is a warning. Left out, the decoder's rejections are all there is.
 * - `throttled`: this sender should slow down (429). `unavailable`: nothing can be taken for now (503). Both make the
 *   sender come again with the whole batch, so nothing of it may have been kept.
 */
export type AcceptOutcome =
  | { readonly kind: 'accepted'; readonly partial?: PartialSuccess | undefined }
  | { readonly kind: 'throttled' | 'unavailable'; readonly retryAfterSeconds: number; readonly message: string };

export interface PartialSuccess {
  /** Spans that the sender must not send again. */
  readonly rejectedSpans: number;
  /** English; empty or left out when there is nothing to say. */
  readonly message?: string | undefined;
}

/** Takes a batch on. A rejected promise is answered like `unavailable` and reported as `acceptFailed`. */
export type Accept = (batch: ReceivedBatch, meta: BatchMeta) => Promise<AcceptOutcome>;

/** Why a request was answered as it was. */
export type AnswerReason =
  | 'ok'
  | 'partial'
  | 'malformed_request'
  | 'headers_too_large'
  | 'unmet_expectation'
  | 'unauthenticated'
  | 'forbidden'
  | 'undecodable'
  | 'broken_compression'
  | 'unsupported_encoding'
  | 'unsupported_media_type'
  | 'unknown_path'
  | 'wrong_method'
  | 'too_large'
  | 'too_large_inflated'
  | 'timeout'
  | 'in_flight_limit'
  | 'connection_limit'
  | 'stopping'
  | 'throttled'
  | 'unavailable';

export interface AnsweredRequest {
  readonly transport: OtlpTransport;
  /** `undefined` where no encoding was recognised. */
  readonly encoding: OtlpEncoding | undefined;
  /** HTTP status code on HTTP, the name of the gRPC code on gRPC. */
  readonly status: number | GrpcCodeName;
  readonly reason: AnswerReason;
  /** Bytes of the body that were read; 0 when the request was answered without reading it. */
  readonly wireBytes: number;
  readonly bodyBytes: number;
  /** Spans by what became of them; all 0 unless the request was accepted. */
  readonly received: number;
  readonly ignored: number;
  readonly rejected: number;
}

/** Told of everything that happens to a request, so that others can count it. Must not throw. */
export interface ReceiveObserver {
  answered(request: AnsweredRequest): void;
  /** The sender went away before its body was complete: nothing was taken, and nobody is there to hear an answer. */
  aborted(wireBytes: number, encoding: OtlpEncoding | undefined, transport: OtlpTransport): void;
  /** A connection was refused because too many are open: no request was read from it, so none is answered. */
  connectionRefused(transport: OtlpTransport): void;
  /** A connection ended in its TLS handshake, such as for want of a client certificate. */
  handshakeFailed(transport: OtlpTransport, error: Error): void;
  acceptFailed(error: unknown): void;
}
