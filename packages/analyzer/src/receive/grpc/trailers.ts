import protobuf from 'protobufjs/minimal.js';
import { RPC_CODE } from '../answer.js';
import type { Refusal } from '../answer.js';

/** Many clients take no more than 8 KiB of headers; the message stands in them twice, encoded. */
const MAX_MESSAGE_BYTES = 1_000;
const VARINT = 0;
const LENGTH_DELIMITED = 2;

/**
 * The trailers of a refused call: `grpc-status`, `grpc-message`, and a `google.rpc.Status` in
 * `grpc-status-details-bin` with `RetryInfo` where coming again helps, `BadRequest` where the request is at fault.
 */
export function refusalTrailers(refusal: Refusal): Record<string, string> {
  const message = shortened(refusal.message);
  const trailers = { 'grpc-status': String(refusal.code), 'grpc-message': percentEncode(message) };
  const detail = detailOf(refusal, message);
  if (detail === undefined) return trailers;
  const status = protobuf.Writer.create();
  status.uint32((1 << 3) | VARINT).int32(refusal.code);
  status.uint32((2 << 3) | LENGTH_DELIMITED).string(message);
  status.uint32((3 << 3) | LENGTH_DELIMITED).fork();
  status.uint32((1 << 3) | LENGTH_DELIMITED).string(`type.googleapis.com/google.rpc.${detail.type}`);
  status.uint32((2 << 3) | LENGTH_DELIMITED).bytes(detail.value.finish());
  status.ldelim();
  const encoded = Buffer.from(status.finish()).toString('base64').replace(/=+$/, '');
  return { ...trailers, 'grpc-status-details-bin': encoded };
}

interface Detail {
  readonly type: 'RetryInfo' | 'BadRequest';
  readonly value: protobuf.Writer;
}

function detailOf({ code, retryAfterSeconds, field }: Refusal, message: string): Detail | undefined {
  const value = protobuf.Writer.create();
  if (retryAfterSeconds !== undefined) {
    value.uint32((1 << 3) | LENGTH_DELIMITED).fork();
    value.uint32((1 << 3) | VARINT).int64(retryAfterSeconds);
    value.ldelim();
    return { type: 'RetryInfo', value };
  }
  if (code !== RPC_CODE.invalidArgument) return undefined;
  value.uint32((1 << 3) | LENGTH_DELIMITED).fork();
  value.uint32((1 << 3) | LENGTH_DELIMITED).string(field ?? 'request');
  value.uint32((2 << 3) | LENGTH_DELIMITED).string(message);
  value.ldelim();
  return { type: 'BadRequest', value };
}

/** Cut between characters, so that no half of one is left. */
function shortened(message: string): string {
  const bytes = Buffer.from(message);
  if (bytes.length <= MAX_MESSAGE_BYTES) return bytes.toString();
  let end = MAX_MESSAGE_BYTES;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

/** UTF-8 with everything but printable ASCII as `%XX` (gRPC over HTTP/2, "Status-Message"). */
function percentEncode(message: string): string {
  return Array.from(Buffer.from(message), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
