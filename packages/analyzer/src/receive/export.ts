import { constants, isUtf8 } from 'node:buffer';
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
const MAX_MESSAGE_CHARACTERS = 4_096;
const REPLACEMENT = '\ufffd';

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
  try {
    // In here, since a runtime that is short of memory throws where nothing else does.
    const batch = decode(body, meta.encoding);
    if (!batch.ok) return { answer: undecodable(meta.encoding, batch.message), ...NO_SPANS };
    const outcome = await accept(batch, meta);
    if (outcome.kind !== 'accepted') {
      const refuse = outcome.kind === 'throttled' ? throttled : unavailable;
      return { answer: refuse(shortened(outcome.message), outcome.retryAfterSeconds), ...NO_SPANS };
    }
    return accepted(batch, outcome.partial ?? decoderRejections(batch));
  } catch (error) {
    observe.acceptFailed(error);
    const message =
      'The batch could not be stored: send it again after the time stated. The log of the receiver says why.';
    return { answer: unavailable(message, RETRY_AFTER_FAULT_SECONDS), ...NO_SPANS };
  }
}

function decode(body: Buffer, encoding: OtlpEncoding): DecodeResult {
  // A sender with nothing to say may say it with no byte at all, which in protobuf is an empty request as it is.
  if (body.length === 0) return decodeTracesProtobuf(body);
  return encoding === 'json' ? decodeJson(body) : decodeTracesProtobuf(body);
}

function decodeJson(body: Buffer): DecodeResult {
  const text = body.toString('utf8');
  const result = decodeTracesJson(text);
  // How many of its strings the invalid bytes stand in cannot be seen any more: the body counts as one.
  return result.ok && text.includes(REPLACEMENT) && !isUtf8(body) ? { ...result, invalidUtf8: 1 } : result;
}

/** Answers are limited, and what a stage behind this one says may quote what a stranger sent. */
function shortened(message: string): string {
  return message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message;
}

function accepted(batch: ReceivedBatch, { rejectedSpans, message = '' }: PartialSuccess): ExportResult {
  const said =
    message === '' && rejectedSpans > 0
      ? `${rejectedSpans} ${rejectedSpans === 1 ? 'span was' : 'spans were'} rejected.`
      : shortened(message);
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
