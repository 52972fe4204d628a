import type { IncomingHttpHeaders, OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants } from 'node:http2';
import { setImmediate } from 'node:timers/promises';
import type { Account, Allowance } from '../allowance.js';
import { CONTENT_TYPES, encodeAnswer, RPC_CODE_NAMES } from '../answer.js';
import type { Answer, Refusal, Success } from '../answer.js';
import type { Authorize } from '../authorize.js';
import { readBody } from '../body.js';
import { CODINGS } from '../coding.js';
import type { Coding } from '../coding.js';
import { exportTraces } from '../export.js';
import { refuseBody } from '../refuse-body.js';
import * as common from '../refusals.js';
import type { Accept, ReceiveObserver } from '../types.js';
import { createMessageFraming } from './frame.js';
import * as refuse from './refusals.js';
import { parseTimeout } from './timeout.js';
import { refusalTrailers } from './trailers.js';

export interface GrpcCallOptions {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  readonly allowance: Allowance;
  readonly accept: Accept;
  readonly observe: ReceiveObserver;
  readonly authorize: Authorize;
  readonly isStopping: () => boolean;
  /** Ends the reading of messages that are still incomplete. */
  readonly hurry: AbortSignal;
  /** Told when a call begins and ends to be read and taken on. */
  readonly taking: { add(stream: ServerHttp2Stream): void; delete(stream: ServerHttp2Stream): void };
}

interface Sizes {
  readonly wireBytes?: number;
  readonly bodyBytes?: number;
  readonly received?: number;
  readonly ignored?: number;
  readonly rejected?: number;
}

const ACCEPTED_CODINGS = ['identity', ...CODINGS].join(',');
const NO_COMPRESSION = 0;
const PREFIX_BYTES = 5;

/** Answers one unary call after another: the part of the gRPC receiver that knows no connections. */
export function createGrpcCall(options: GrpcCallOptions) {
  const { maxBodyBytes, timeoutMs, allowance, accept, observe, authorize, isStopping, hurry, taking } = options;

  return async function call(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    // Whoever reads sees a call that breaks off; nobody else needs to know.
    stream.on('error', () => undefined);
    const contentType = headers['content-type'];
    if (contentType === undefined || !/^application\/grpc(?:[+;]|$)/i.test(contentType)) {
      return answerInHttp(stream, refuse.notGrpc(contentType));
    }
    const account = allowance.open();
    try {
      const coding = codingOf(headers['grpc-encoding']);
      const deadlineMs = parseTimeout(one(headers['grpc-timeout']));
      const refusal = refuseByHead(headers, contentType, coding, deadlineMs, account);
      if (refusal !== undefined) return answer(stream, refusal);
      taking.add(stream);
      await takeMessage(stream, coding!, deadlineMs!, account);
    } finally {
      if (!stream.readableEnded) stream.resume();
      taking.delete(stream);
      account.close();
    }
  };

  /** Everything that can be refused before a byte of the message is read. */
  function refuseByHead(
    headers: IncomingHttpHeaders,
    contentType: string,
    coding: Coding | undefined,
    deadlineMs: number | undefined,
    account: Account,
  ): Refusal | undefined {
    const path = one(headers[':path']) ?? '';
    const unauthorized = authorize(headers.authorization);
    if (unauthorized !== undefined) return unauthorized;
    if (path !== refuse.EXPORT_PATH) return refuse.unknownMethod(path);
    if (!/^application\/grpc(?:\+proto)?(?:;|$)/i.test(contentType)) return refuse.unsupportedCodec(contentType);
    if (coding === undefined) return refuse.unsupportedEncoding(one(headers['grpc-encoding']) ?? '');
    if (deadlineMs === undefined) return refuse.badTimeout(one(headers['grpc-timeout']) ?? '');
    if (isStopping()) return common.stopping();
    return account.hold(0) ? undefined : common.inFlightLimit(allowance);
  }

  async function takeMessage(
    stream: ServerHttp2Stream,
    coding: Coding,
    deadlineMs: number,
    account: Account,
  ): Promise<void> {
    const framing = createMessageFraming(coding, maxBodyBytes);
    const limits = { maxBodyBytes, timeoutMs: Math.min(timeoutMs, deadlineMs), hurry };
    const result = await readBody(stream, framing, limits, account);
    const { wireBytes } = result;
    if (result.kind === 'aborted' || (result.kind === 'malformed' && (await wasReset(stream)))) {
      return observe.aborted(wireBytes, 'protobuf', 'grpc');
    }
    if (result.kind !== 'read') {
      const refusal =
        result.kind === 'malformed'
          ? refuse.malformed(result.detail)
          : result.kind === 'timeout' && deadlineMs < timeoutMs
            ? refuse.deadlinePassed(deadlineMs)
            : refuseBody(result, coding, { maxBodyBytes, timeoutMs, allowance });
      return answer(stream, refusal, { wireBytes });
    }
    const bodyBytes = result.body.length;
    const meta = { transport: 'grpc', encoding: 'protobuf', wireBytes, bodyBytes } as const;
    // A message that is complete is taken, also when its sender gives up meanwhile: it comes again and is a duplicate.
    const exported = await exportTraces(result.body, meta, accept, observe);
    answer(stream, exported.answer, { ...exported, wireBytes, bodyBytes });
  }

  function answer(stream: ServerHttp2Stream, given: Answer, sizes: Sizes = {}): void {
    if (given.status === 200) respond(stream, given);
    else endWith(stream, { ...grpcHeaders(), ...refusalTrailers(given) });
    tell(given, given.status === 200 ? 'OK' : RPC_CODE_NAMES[given.code], sizes);
  }

  function answerInHttp(stream: ServerHttp2Stream, refusal: Refusal): void {
    const headers = { ':status': refusal.status, 'content-type': CONTENT_TYPES.json };
    if (!stream.destroyed && !stream.headersSent) {
      stream.respond(headers);
      stream.end(encodeAnswer(refusal, 'json'));
      cutRequest(stream);
    }
    observe.answered({
      transport: 'grpc',
      encoding: undefined,
      status: refusal.status,
      reason: refusal.reason,
      ...NO_SIZES,
    });
  }

  function tell(
    { reason }: Answer,
    status: 'OK' | (typeof RPC_CODE_NAMES)[keyof typeof RPC_CODE_NAMES],
    sizes: Sizes,
  ): void {
    const { wireBytes = 0, bodyBytes = 0, received = 0, ignored = 0, rejected = 0 } = sizes;
    const counted = { wireBytes, bodyBytes, received, ignored, rejected };
    observe.answered({ transport: 'grpc', encoding: 'protobuf', status, reason, ...counted });
  }
}

const NO_SIZES = { wireBytes: 0, bodyBytes: 0, received: 0, ignored: 0, rejected: 0 };

function grpcHeaders(): OutgoingHttpHeaders {
  return { ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': ACCEPTED_CODINGS };
}

function respond(stream: ServerHttp2Stream, success: Success): void {
  if (stream.destroyed || stream.headersSent) return;
  const body = encodeAnswer(success, 'protobuf');
  const frame = Buffer.alloc(PREFIX_BYTES + body.length);
  frame.writeUInt8(NO_COMPRESSION, 0);
  frame.writeUInt32BE(body.length, 1);
  frame.set(body, PREFIX_BYTES);
  stream.respond(grpcHeaders(), { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(frame);
}

/** A refusal is all in one block of headers. */
function endWith(stream: ServerHttp2Stream, headers: OutgoingHttpHeaders): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond(headers, { endStream: true });
  cutRequest(stream);
}

/**
 * Asks a sender that is still sending to stop, after it has its answer: its connection serves other calls. What has come
 * in must be taken off first: Node gives the room for it back to the connection only then, and without room the other calls
 * would stand still.
 */
function cutRequest(stream: ServerHttp2Stream): void {
  if (stream.readableEnded) return;
  stream.resume();
  void setImmediate().then(() => stream.close(constants.NGHTTP2_NO_ERROR));
}

function codingOf(header: string | string[] | undefined): Coding | undefined {
  const name = one(header) ?? 'identity';
  return name === 'identity' ? name : CODINGS.find((coding) => coding === name);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

/** Node ends a stream that was reset as if it were complete, and only then says that it was. */
async function wasReset(stream: ServerHttp2Stream): Promise<boolean> {
  if (stream.readableEnded) await setImmediate();
  return stream.aborted || stream.destroyed;
}
