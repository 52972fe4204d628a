import { constants } from 'node:buffer';
import { decodeTracesJson, decodeTracesProtobuf } from '@seamtrace/core';
import type { DecodeResult } from '@seamtrace/core';
import type { Answer } from './answer.js';
import { undecodable, unavailable, throttled, tooLarge } from './refusals.js';
import { sayRejected } from './rejected.js';
import type { Accept, BatchMeta, OtlpEncoding, PartialSuccess, ReceivedBatch, ReceiveObserver } from './types.js';

/** An answer and what it means for the spans of the batch. */
export interface ExportResult {
  readonly answer: Answer;
  readonly received: number;
  readonly ignored: number;
  readonly rejected: number;
}

const NO_SPANS = { received: 0, ignored: 0, rejected: 0 };
const RETRY_AFTER_FAULT_SECONDS = 5;

/** Decodes a body and hands the batch on: the part of an export that knows no transport. Never rejects. */
export async function exportTraces(
  body: Buffer,
  meta: BatchMeta,
  accept: Accept,
  observe: ReceiveObserver,
): Promise<ExportResult> {
  if (meta.encoding === 'json' && body.length > constants.MAX_STRING_LENGTH) {
    return { answer: tooLarge(constants.MAX_STRING_LENGTH, body.length), ...NO_SPANS };
  }
  const batch = decode(body, meta.encoding);
  if (!batch.ok) return { answer: undecodable(meta.encoding, batch.message), ...NO_SPANS };
  try {
    const outcome = await accept(batch, meta);
    if (outcome.kind !== 'accepted') {
      const refuse = outcome.kind === 'throttled' ? throttled : unavailable;
      return { answer: refuse(outcome.message, outcome.retryAfterSeconds), ...NO_SPANS };
    }
    return accepted(batch, outcome.partial ?? decoderRejections(batch));
  } catch (error) {
    observe.acceptFailed(error);
    const message = 'The batch could not be stored: send it again after Retry-After. The log of the receiver says why.';
    return { answer: unavailable(message, RETRY_AFTER_FAULT_SECONDS), ...NO_SPANS };
  }
}

function decode(body: Buffer, encoding: OtlpEncoding): DecodeResult {
  // A sender with nothing to say may say it with no byte at all, which in protobuf is an empty request as it is.
  if (body.length === 0) return decodeTracesProtobuf(body);
  return encoding === 'json' ? decodeTracesJson(body.toString('utf8')) : decodeTracesProtobuf(body);
}

function accepted(batch: ReceivedBatch, { rejectedSpans, message = '' }: PartialSuccess): ExportResult {
  const said =
    message === '' && rejectedSpans > 0
      ? `${rejectedSpans} ${rejectedSpans === 1 ? 'span was' : 'spans were'} rejected.`
      : message;
  return {
    answer: { status: 200, reason: said === '' ? 'ok' : 'partial', rejectedSpans, message: said },
    received: batch.received,
    ignored: batch.ignored,
    rejected: rejectedSpans,
  };
}

function decoderRejections({ rejections, received }: ReceivedBatch): PartialSuccess {
  if (rejections.length === 0) return { rejectedSpans: 0 };
  const reasons = rejections.map(({ index, reason }) => `span ${index}: ${reason}`);
  return { rejectedSpans: rejections.length, message: sayRejected(reasons, received) };
}
