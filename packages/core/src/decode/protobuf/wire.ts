import protobuf from 'protobufjs/minimal.js';
import type { Reader } from 'protobufjs/minimal.js';
import { DecodeFault, faultAt } from '../fault.js';
import { MAX_NESTED_VALUES } from '../limits.js';
import type { AttributeValue } from '../types.js';

/** Protobuf wire types. Groups (3 and 4) are rejected: OTLP has none, and they would need unbounded nesting. */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH_DELIMITED = 2;
export const FIXED32 = 5;

const WIRE_TYPE_NAMES = ['varint', 'fixed64', 'length-delimited', 'group start', 'group end', 'fixed32'];
const MAX_VARINT_BYTES = 10;
const REPLACEMENT = '\ufffd';

/** Names of messages, fields and wire types are for the reader of a fault. */
function wireTypeName(wireType: number): string {
  return WIRE_TYPE_NAMES[wireType] ?? `wire type ${wireType}`;
}

/**
 * A cursor over one request: protobufjs's reader for tags, sizes and scalars, plus what a scanner needs and a full
 * decoder does not: frames, skipping without materialising, 64-bit integers as `bigint`, faults with offsets.
 *
 * `reader.len` is always the end of the innermost open frame, so no read can leave it.
 */
export interface Wire {
  readonly reader: Reader;
  readonly buffer: Buffer;
  readonly view: DataView;
  /** UTF-8 text; invalid sequences become U+FFFD, and the text is counted. */
  text(start: number, end: number): string;
  /** Counts a value inside another that is no scalar. Faults beyond {@link MAX_NESTED_VALUES} of them. */
  takeNested(): void;
  /** Texts so far that were no UTF-8. */
  invalidUtf8(): number;
  /** Lower-case hex. */
  hex(start: number, end: number): string;
  /** Lists that were read last, with where their bytes stand. */
  readonly lists: SeenList[];
}

export interface SeenList {
  readonly start: number;
  readonly end: number;
  readonly value: AttributeValue;
}

// The decoders that Buffer.toString dispatches to. For strings of a few bytes the dispatch is a third of the cost, and
// protobufjs calls them for the same reason; where a runtime has none, toString serves.
interface NativeDecoders {
  utf8Slice?(start: number, end: number): string;
  hexSlice?(start: number, end: number): string;
}

export function createWire(bytes: Uint8Array): Wire {
  // A view, not a copy.
  const buffer: Buffer & NativeDecoders = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let invalidUtf8 = 0;
  let nested = 0;
  return {
    reader: protobuf.Reader.create(buffer),
    buffer,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    text(start, end) {
      if (start === end) return '';
      const text = buffer.utf8Slice?.(start, end) ?? buffer.toString('utf8', start, end);
      // U+FFFD may also stand for itself; then the text is written in these very bytes.
      if (text.includes(REPLACEMENT) && !buffer.subarray(start, end).equals(Buffer.from(text))) invalidUtf8 += 1;
      return text;
    },
    takeNested() {
      nested += 1;
      if (nested > MAX_NESTED_VALUES) {
        throw new DecodeFault(
          `more than ${MAX_NESTED_VALUES} lists, kvlists and bytes inside other values of the request`,
        );
      }
    },
    invalidUtf8: () => invalidUtf8,
    lists: [],
    hex: (start, end) => buffer.hexSlice?.(start, end) ?? buffer.toString('hex', start, end),
  };
}

/** Reads a tag: field number × 8 + wire type. `message` is named in the fault. */
export function readTag(reader: Reader, message: string): number {
  const start = reader.pos;
  const first = reader.buf[start] as number;
  // Fields 1 to 15, which is nearly all of them, have tags of one byte.
  if (start < reader.len && first < 128 && first > 7) {
    reader.pos = start + 1;
    return first;
  }
  let tag: number;
  try {
    tag = reader.tag();
  } catch {
    faultAt(start, `a field tag of ${message}`);
  }
  if (tag < 8) faultAt(start, `a field tag of ${message}`, 'field number 0');
  return tag;
}

/** Reads a length prefix and returns the end of the frame, which lies within the enclosing one. */
export function readFrameEnd(reader: Reader, what: string): number {
  const start = reader.pos;
  const first = reader.buf[start] as number;
  let size: number;
  if (start < reader.len && first < 128) {
    size = first;
    reader.pos = start + 1;
  } else {
    try {
      size = reader.size();
    } catch {
      faultAt(start, `the length of ${what}`);
    }
  }
  const left = reader.len - reader.pos;
  if (size > left) faultAt(start, `${what} of ${size} bytes`, `${left} bytes left`);
  return reader.pos + size;
}

/** Faults unless the tag just read has the wire type that the field has in OTLP. */
export function expectWireType(reader: Reader, tag: number, wireType: number, field: string): void {
  const found = tag & 7;
  if (found !== wireType) faultAt(reader.pos, `${field} as ${wireTypeName(wireType)}`, wireTypeName(found));
}

/**
 * Opens the frame from the cursor to `end` and walks its fields. `visit` reads the field whose tag was just read and
 * returns `true`, or returns `false` to have it skipped. Afterwards the enclosing frame is open again.
 */
export function eachField(
  reader: Reader,
  end: number,
  message: string,
  visit: (number: number, tag: number) => boolean,
): void {
  const outer = reader.len;
  reader.len = end;
  while (reader.pos < end) {
    const tag = readTag(reader, message);
    if (!visit(tag >>> 3, tag)) skipField(reader, tag, message);
  }
  reader.len = outer;
}

/** Passes over a field whose tag was just read, whatever it is. */
export function skipField(reader: Reader, tag: number, message: string): void {
  const start = reader.pos;
  switch (tag & 7) {
    case VARINT:
      return skipVarint(reader, message);
    case FIXED64:
      return skipBytes(reader, 8, message);
    case LENGTH_DELIMITED:
      reader.pos = readFrameEnd(reader, `field ${tag >>> 3} of ${message}`);
      return;
    case FIXED32:
      return skipBytes(reader, 4, message);
    default:
      faultAt(start, `a field of ${message}`, `${wireTypeName(tag & 7)} (field ${tag >>> 3})`);
  }
}

function skipVarint(reader: Reader, message: string): void {
  const start = reader.pos;
  const limit = Math.min(reader.len, start + MAX_VARINT_BYTES);
  while (reader.pos < limit) if ((reader.buf[reader.pos++] as number) < 128) return;
  faultAt(start, `a varint of ${message}`);
}

function skipBytes(reader: Reader, count: number, message: string): void {
  if (reader.len - reader.pos < count) faultAt(reader.pos, `${count} bytes of ${message}`);
  reader.pos += count;
}

/** Reads a varint as a signed 64-bit integer. Bits beyond 64 are dropped, as protobuf does. */
export function readInt64(reader: Reader, field: string): bigint {
  const start = reader.pos;
  skipVarint(reader, field);
  const first = reader.buf[start] as number;
  if (first < 128) return BigInt(first);
  let low = 0;
  let shift = 1;
  const lowEnd = Math.min(reader.pos, start + 7);
  for (let at = start; at < lowEnd; at++) {
    low += ((reader.buf[at] as number) & 127) * shift;
    shift *= 128;
  }
  if (reader.pos === lowEnd) return BigInt(low);
  let high = 0;
  shift = 1;
  for (let at = lowEnd; at < reader.pos; at++) {
    high += ((reader.buf[at] as number) & 127) * shift;
    shift *= 128;
  }
  return BigInt.asIntN(64, BigInt(low) + (BigInt(high) << 49n));
}

/** Reads a varint as the signed 32-bit integer that an enum is. */
export function readEnum(reader: Reader, field: string): number {
  const start = reader.pos;
  skipVarint(reader, field);
  const first = reader.buf[start] as number;
  if (first < 128) return first;
  let value = 0;
  const end = Math.min(reader.pos, start + 5);
  for (let at = start; at < end; at++) value |= ((reader.buf[at] as number) & 127) << ((at - start) * 7);
  return value;
}

export function readBool(reader: Reader, field: string): boolean {
  return readInt64(reader, field) !== 0n;
}

export function readDouble(wire: Wire, field: string): number {
  const { reader } = wire;
  skipBytes(reader, 8, field);
  return wire.view.getFloat64(reader.pos - 8, true);
}

/** Reads a fixed64 and returns where it stands, to be materialised only if it is needed. */
export function passFixed64(reader: Reader, field: string): number {
  skipBytes(reader, 8, field);
  return reader.pos - 8;
}
