import { createGunzip } from 'node:zlib';
import { Readable, pipeline } from 'node:stream';
import type { DecodeResult } from '@seamtrace/core';
import { describeForeign, describeMembers, isWhiteSpace } from './foreign.js';
import { HEAD_BYTES, detectFormat } from './format.js';

/** The spans of one request, with the place where it stood, for messages. */
export type ReadRequest = {
  readonly where: string;
  /** What the request holds in place of spans, where that is known. */
  readonly instead?: string | undefined;
} & DecodeResult;

export type Decode = (bytes: Uint8Array, format: 'json' | 'protobuf') => DecodeResult;

/** The longest single request, in bytes: what one JavaScript string can hold. */
const MAX_REQUEST_BYTES = 500 * 1024 * 1024;
const LINE_FEED = 0x0a;

type Chunks = AsyncIterable<Uint8Array>;

/**
 * Reads OTLP requests from a file: one JSON object, one JSON object a line, one protobuf message, or gzip of any of
 * these. Lines are read one at a time, so a file may be larger than memory. Ends after the first request that cannot
 * be read; a stream that breaks (a missing file, a cut gzip) throws.
 */
export async function* readRequests(source: Chunks, name: string, decode: Decode): AsyncGenerator<ReadRequest> {
  let input = await peek(source);
  if (detectFormat(input.head) === 'gzip') {
    const inflated = createGunzip();
    // The error is thrown to whoever reads `inflated`; the callback only keeps it from being thrown twice.
    pipeline(Readable.from(input.chunks), inflated, () => undefined);
    input = await peek(inflated);
    if (detectFormat(input.head) === 'gzip') {
      yield { where: name, ok: false, message: 'gzip within gzip; unpack it once' };
      return;
    }
  }
  if (input.head.length === 0) return;
  if (detectFormat(input.head) === 'json') yield* readJson(input.chunks, name, decode);
  else yield* readWhole(input.chunks, name, 'protobuf', decode);
}

/**
 * A first line that is a request says that every line is one. Anything else is one request written over many lines.
 */
async function* readJson(chunks: Chunks, name: string, decode: Decode): AsyncGenerator<ReadRequest> {
  const lines = splitLines(chunks);
  for (;;) {
    const next = await lines.next();
    if (next.done) return;
    const { bytes, number } = next.value;
    if (isBlank(bytes)) continue;
    const first = decodeJson(bytes, decode);
    if (!first.ok) {
      yield* readWhole(rejoin(bytes, lines), name, 'json', decode);
      return;
    }
    yield { where: `${name}:${number}`, ...first };
    break;
  }
  for await (const { bytes, number } of lines) {
    if (isBlank(bytes)) continue;
    const request = decodeJson(bytes, decode);
    yield { where: `${name}:${number}`, ...request };
    if (!request.ok) return;
  }
}

async function* readWhole(
  chunks: Chunks,
  name: string,
  format: 'json' | 'protobuf',
  decode: Decode,
): AsyncGenerator<ReadRequest> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) {
      yield { where: name, ok: false, message: tooLong };
      return;
    }
    parts.push(chunk);
  }
  const bytes = Buffer.concat(parts);
  yield { where: name, ...(format === 'json' ? decodeJson(bytes, decode) : decodeProtobuf(bytes, decode)) };
}

type Decoded = DecodeResult & { readonly instead?: string | undefined };

function decodeJson(bytes: Uint8Array, decode: Decode): Decoded {
  const decoded = decode(bytes, 'json');
  // UTF-16 without a byte order mark starts with a brace as well.
  if (!decoded.ok) return bytes[1] === 0 ? describeFailure(bytes, decoded) : decoded;
  return decoded.received > 0 ? decoded : { ...decoded, instead: describeMembers(bytes) };
}

function decodeProtobuf(bytes: Uint8Array, decode: Decode): Decoded {
  if (isWhiteSpace(bytes)) return { ...decode(new Uint8Array(), 'protobuf'), instead: 'nothing but white space' };
  const decoded = decode(bytes, 'protobuf');
  return decoded.ok ? decoded : describeFailure(bytes, decoded);
}

function describeFailure(bytes: Uint8Array, { message }: { readonly message: string }): Decoded {
  return { ok: false, message: describeForeign(bytes) ?? `read as protobuf, ${message}` };
}

const tooLong = `one request of more than ${MAX_REQUEST_BYTES} bytes; write one request a line`;

interface Line {
  readonly bytes: Uint8Array;
  /** Counted from 1. */
  readonly number: number;
}

async function* splitLines(chunks: Chunks): AsyncGenerator<Line> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      parts.push(chunk.subarray(from, end));
      yield { bytes: parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts), number };
      number += 1;
      parts = [];
      size = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > MAX_REQUEST_BYTES) throw new Error(tooLong);
  }
  yield { bytes: Buffer.concat(parts), number };
}

async function* rejoin(first: Uint8Array, lines: AsyncIterable<Line>): Chunks {
  yield first;
  for await (const { bytes } of lines) yield* [Uint8Array.of(LINE_FEED), bytes];
}

async function peek(source: Chunks): Promise<{ readonly head: Uint8Array; readonly chunks: Chunks }> {
  const iterator = source[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done) break;
    taken.push(next.value);
    size += next.value.length;
  }
  async function* all(): Chunks {
    yield* taken;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { head: Buffer.concat(taken), chunks: all() };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09);
}
