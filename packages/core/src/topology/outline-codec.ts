import {
  FAILED,
  HAS_AGENT,
  HAS_ERROR,
  HAS_PARENT,
  HAS_TOKENS,
  HAS_TOOL,
  LINK,
  OP_BITS,
  type ForeignRow,
  type Outline,
  type OutlineOp,
} from '../decode/outline.js';
import { readForeignRows, writeForeignRows } from './foreign/codec.js';
import { corrupt } from '../evidence/codec-tokens.js';

/** First byte of a packed outline. Packed evidence counts its formats up from 1 and never gets here. */
const FORMAT = 0x81;
/** The same, with what spans of foreign dialects say before the rows. */
const FOREIGN_FORMAT = 0x82;

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
/** More than the numbers before the rows take. */
const MAX_HEAD = 24;

/** Whether a stored piece is a packed outline; it is packed evidence otherwise. */
export function isOutline(piece: Uint8Array): boolean {
  return piece[0] === FORMAT || piece[0] === FOREIGN_FORMAT;
}

/** A trace id as a key of maps: its 16 bytes, one character each. */
export function traceKey(traceId: string): string {
  return Buffer.from(traceId, 'hex').toString('latin1');
}

/** Which traces of an outline are worth keeping, beside those in which a span of the request speaks. */
export interface TraceInterest {
  /** @param key - see {@link traceKey} */
  knows(key: string): boolean;
}

/**
 * An outline as bytes, for a journal and for `Topology.offerOutline`: one piece for a request. Left out are traces in
 * which nothing speaks, in this request or as far as `interest` knows; `undefined` where nothing is left. Equal outlines
 * give equal bytes as long as the same is known.
 *
 * The format: a byte that no packed evidence begins with; the number of traces and their ids; the number of names and
 * each with its length in bytes; in one of the two formats what foreign spans say, with its length; then rows as {@link Outline} describes them. Numbers are varints.
 */
export function packOutline(outline: Outline, interest: TraceInterest): Uint8Array | undefined {
  const { traceIds, speaking, names, rows } = outline;
  const ids = Buffer.from(traceIds.buffer, traceIds.byteOffset, traceIds.byteLength);
  const numbers = new Int32Array(speaking.length);
  let kept = 0;
  for (let trace = 0; trace < speaking.length; trace++) {
    const at = trace * TRACE_BYTES;
    const keep = speaking[trace] === 1 || interest.knows(ids.toString('latin1', at, at + TRACE_BYTES));
    numbers[trace] = keep ? kept++ : -1;
  }
  if (kept === 0) return undefined;
  const texts = names.map((name) => Buffer.from(name));
  const textBytes = texts.reduce((sum, text) => sum + text.length + 5, 0);
  // A trace of which a span speaks a dialect is kept, so that each has its number.
  const foreign = outline.foreign.length === 0 ? undefined : writeForeignRows(outline.foreign, numbers);
  const out = Buffer.allocUnsafe(MAX_HEAD + kept * TRACE_BYTES + textBytes + (foreign?.length ?? 0) + rows.length);
  out[0] = foreign === undefined ? FORMAT : FOREIGN_FORMAT;
  let at = writeVarint(out, 1, kept);
  for (let trace = 0; trace < speaking.length; trace++) {
    if ((numbers[trace] as number) < 0) continue;
    out.set(traceIds.subarray(trace * TRACE_BYTES, (trace + 1) * TRACE_BYTES), at);
    at += TRACE_BYTES;
  }
  at = writeVarint(out, at, texts.length);
  for (const text of texts) {
    at = writeVarint(out, at, text.length);
    out.set(text, at);
    at += text.length;
  }
  if (foreign !== undefined) {
    at = writeVarint(out, at, foreign.length);
    out.set(foreign, at);
    at += foreign.length;
  }
  if (kept === speaking.length) {
    out.set(rows, at);
    return Uint8Array.from(out.subarray(0, at + rows.length));
  }
  return Uint8Array.from(out.subarray(0, copyRows(rows, numbers, out, at)));
}

/** Copies the rows of the traces that are kept, under their new numbers. Returns the end of what was written. */
function copyRows(rows: Uint8Array, numbers: Int32Array, out: Buffer, from: number): number {
  const cursor = createCursor(rows, 0);
  let at = from;
  while (cursor.at < rows.length) {
    const start = cursor.at;
    const head = rows[start] as number;
    cursor.at += 1;
    const trace = numbers[cursor.varint()] as number;
    const rest = cursor.at;
    skipRow(cursor, head);
    if (trace < 0) continue;
    out[at] = head;
    at = writeVarint(out, at + 1, trace);
    out.set(rows.subarray(rest, cursor.at), at);
    at += cursor.at - rest;
  }
  return at;
}

/** One row. The object is used again for the next one. */
export interface OutlineRow {
  /** Number of the trace in {@link OutlineReader.traces}. */
  trace: number;
  op: OutlineOp;
  failed: boolean;
  /** The two halves of the span id, as signed numbers, which fit a machine word, and of the parent's; zeros for a root span. */
  spanHigh: number;
  spanLow: number;
  parentHigh: number;
  parentLow: number;
  /** Halves of start and end in Unix nanoseconds, as signed numbers. This and all that follows is not set for a link. */
  startHigh: number;
  startLow: number;
  endHigh: number;
  endLow: number;
  agent: string | undefined;
  tool: string | undefined;
  error: string | undefined;
  inputTokens: number | undefined;
  outputTokens: number | undefined;
}

export interface OutlineReader {
  /** Keys of the traces, in the order of their numbers. */
  readonly traces: readonly string[];
  readonly foreign: readonly ForeignRow[];
  /** The next row, `undefined` after the last. */
  next(): OutlineRow | undefined;
}

/** Reads a packed outline. @throws CorruptEvidenceError for bytes of another format or damaged ones. */
export function readOutline(packed: Uint8Array): OutlineReader {
  if (!isOutline(packed)) corrupt('is no outline');
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const cursor = createCursor(packed, 1);
  const traces: string[] = [];
  for (let left = cursor.varint(); left > 0; left--) {
    const at = cursor.pass(TRACE_BYTES);
    traces.push(bytes.toString('latin1', at, at + TRACE_BYTES));
  }
  const names: string[] = [];
  for (let left = cursor.varint(); left > 0; left--) {
    const size = cursor.varint();
    const at = cursor.pass(size);
    names.push(bytes.toString('utf8', at, at + size));
  }
  let foreign: readonly ForeignRow[] = [];
  if (packed[0] === FOREIGN_FORMAT) {
    const size = cursor.varint();
    const at = cursor.pass(size);
    foreign = readForeignRows(bytes.subarray(at, at + size), traces.length);
  }
  const row: OutlineRow = {
    trace: 0,
    op: LINK,
    failed: false,
    spanHigh: 0,
    spanLow: 0,
    parentHigh: 0,
    parentLow: 0,
    startHigh: 0,
    startLow: 0,
    endHigh: 0,
    endLow: 0,
    agent: undefined,
    tool: undefined,
    error: undefined,
    inputTokens: undefined,
    outputTokens: undefined,
  };
  const name = (stated: boolean): string | undefined => {
    if (!stated) return undefined;
    return names[cursor.varint()] ?? corrupt('names a text that it does not hold');
  };
  const tokens = (stated: boolean): number | undefined => {
    const number = stated ? cursor.varint() : 0;
    return number === 0 ? undefined : number - 1;
  };
  return {
    traces,
    foreign,
    next() {
      if (cursor.at >= packed.length) return undefined;
      const head = packed[cursor.pass(1)] as number;
      row.trace = cursor.varint();
      if (row.trace >= traces.length) corrupt('names a trace that it does not hold');
      row.op = (head & OP_BITS) as OutlineOp;
      row.failed = (head & FAILED) !== 0;
      let at = cursor.pass(SPAN_BYTES);
      row.spanHigh = bigEndian(packed, at);
      row.spanLow = bigEndian(packed, at + 4);
      at = (head & HAS_PARENT) === 0 ? -1 : cursor.pass(SPAN_BYTES);
      row.parentHigh = at < 0 ? 0 : bigEndian(packed, at);
      row.parentLow = at < 0 ? 0 : bigEndian(packed, at + 4);
      if (row.op === LINK) return row;
      at = cursor.pass(16);
      row.startLow = littleEndian(packed, at);
      row.startHigh = littleEndian(packed, at + 4);
      row.endLow = littleEndian(packed, at + 8);
      row.endHigh = littleEndian(packed, at + 12);
      row.agent = name((head & HAS_AGENT) !== 0);
      row.tool = name((head & HAS_TOOL) !== 0);
      row.error = name((head & HAS_ERROR) !== 0);
      row.inputTokens = tokens((head & HAS_TOKENS) !== 0);
      row.outputTokens = tokens((head & HAS_TOKENS) !== 0);
      return row;
    },
  };
}

function bigEndian(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}

function littleEndian(bytes: Uint8Array, at: number): number {
  return (bytes[at + 3]! << 24) | (bytes[at + 2]! << 16) | (bytes[at + 1]! << 8) | bytes[at]!;
}

interface Cursor {
  at: number;
  varint(): number;
  /** Moves on by `count` bytes and returns where they begin. */
  pass(count: number): number;
}

function createCursor(bytes: Uint8Array, from: number): Cursor {
  const cursor: Cursor = {
    at: from,
    varint() {
      const first = bytes[cursor.at];
      if (first !== undefined && first < 128) {
        cursor.at += 1;
        return first;
      }
      let value = 0;
      let scale = 1;
      for (let count = 0; count < 8; count++) {
        const byte = bytes[cursor.at++];
        if (byte === undefined) break;
        value += (byte & 127) * scale;
        if (byte < 128) return value;
        scale *= 128;
      }
      return corrupt('ends within a number');
    },
    pass(count) {
      const at = cursor.at;
      if (count > bytes.length - at) corrupt('ends within a row');
      cursor.at = at + count;
      return at;
    },
  };
  return cursor;
}

function skipRow(cursor: Cursor, head: number): void {
  cursor.pass((head & HAS_PARENT) === 0 ? SPAN_BYTES : 2 * SPAN_BYTES);
  if ((head & OP_BITS) === LINK) return;
  cursor.pass(16);
  for (const flag of [HAS_AGENT, HAS_TOOL, HAS_ERROR]) if ((head & flag) !== 0) cursor.varint();
  if ((head & HAS_TOKENS) !== 0) {
    cursor.varint();
    cursor.varint();
  }
}

function writeVarint(out: Buffer, from: number, value: number): number {
  let at = from;
  let rest = value;
  while (rest > 127) {
    out[at++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  out[at++] = rest;
  return at;
}
