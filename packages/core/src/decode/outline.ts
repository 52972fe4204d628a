import type { ForeignSign } from '../evidence/dialects/types.js';

/** What a row of an outline is: a span that only stands in the tree, or one with a GenAI operation. */
export const LINK = 0;
export const RUN = 1;
export const TOOL = 2;
export const MODEL = 3;

export type OutlineOp = typeof LINK | typeof RUN | typeof TOOL | typeof MODEL;

/** The GenAI operations whose spans say more than where they stand. */
export const OUTLINE_OPS: ReadonlyMap<string, OutlineOp> = new Map([
  ['invoke_agent', RUN],
  ['create_agent', RUN],
  ['execute_tool', TOOL],
  ['chat', MODEL],
  ['text_completion', MODEL],
  ['generate_content', MODEL],
  ['embeddings', MODEL],
]);

/** Bits of the first byte of a row; the two lowest are its {@link OutlineOp}. */
export const OP_BITS = 3;
export const HAS_PARENT = 4;
export const FAILED = 8;
export const HAS_AGENT = 16;
export const HAS_TOOL = 32;
export const HAS_ERROR = 64;
export const HAS_TOKENS = 128;

/**
 * Where the spans of one request stand in their traces: all that is kept of spans that carry nothing of ours. Packed,
 * because every span of a request passes through here and hardly any of them is ever looked at again.
 *
 * A row is: a byte of {@link OP_BITS} and flags; the index of its trace as a varint; its span id; with `HAS_PARENT` the
 * span id of its parent; and unless it is a link, start and end in Unix nanoseconds (64 bits, little endian), then as
 * varints the index of each name that a flag announces (agent, tool, error type), then with `HAS_TOKENS` input and
 * output tokens, each plus one, zero where it is not stated.
 */
export interface Outline {
  /** What spans of foreign dialects say, beside their rows. */
  readonly foreign: readonly ForeignRow[];
  /** 16 bytes each. */
  readonly traceIds: Uint8Array;
  /** One byte for each trace: 1 where a span of the request has a GenAI operation or carries something of ours. */
  readonly speaking: Uint8Array;
  /** Agents, tools and error types. */
  readonly names: readonly string[];
  readonly rows: Uint8Array;
  /** Rows with an operation, and rows without. */
  readonly nodes: number;
  readonly links: number;
}

/** What one span of a foreign dialect says. Its parent stands in its row. */
export interface ForeignRow {
  readonly trace: number;
  /** Lower-case hex. */
  readonly spanId: string;
  readonly parentSpanId: string;
  /** Decimal Unix nanoseconds. */
  readonly start: string;
  readonly end: string;
  readonly failed: boolean;
  readonly sign: ForeignSign;
}

/** What a span with a GenAI operation says; names by {@link OutlineBuilder.name}, tokens −1 where not stated. */
export interface OutlineFacts {
  op: OutlineOp;
  failed: boolean;
  agent: number;
  tool: number;
  error: number;
  inputTokens: number;
  outputTokens: number;
}

/** Collects the outline of one request. Places are offsets into the buffer that a call names. */
export interface OutlineBuilder {
  /** The number of the trace whose id stands at `at`. */
  trace(buffer: Buffer, at: number): number;
  /** A span of ours stands in the trace. */
  speaks(trace: number): void;
  /** The number of a name, from 1 on. */
  name(text: string): number;
  /** `parentAt` is negative for a root span. */
  link(trace: number, buffer: Buffer, spanAt: number, parentAt: number): void;
  /** A time that is not stated has a negative place and is zero. */
  node(
    trace: number,
    facts: OutlineFacts,
    buffer: Buffer,
    spanAt: number,
    parentAt: number,
    startAt: number,
    endAt: number,
  ): void;
  /** A span of a foreign dialect, beside its row. The trace counts as speaking. */
  foreign(row: ForeignRow): void;
  /** `undefined` where no span was told of. */
  build(): Outline | undefined;
}

const FIRST_ROOM = 4096;
/** More than any row takes. */
const MAX_ROW = 96;

export function createOutlineBuilder(): OutlineBuilder {
  let rows: Buffer = Buffer.allocUnsafe(0);
  let at = 0;
  let ids: Buffer = Buffer.allocUnsafe(0);
  const speaking: number[] = [];
  const traces = new Map<string, number>();
  const names: string[] = [];
  const numbers = new Map<string, number>();
  let last = -1;
  let nodes = 0;
  let links = 0;
  const foreign: ForeignRow[] = [];
  const places = new Set<string>();

  function room(held: Buffer, used: number, more: number): Buffer {
    if (used + more <= held.length) return held;
    const larger = Buffer.allocUnsafe(Math.max(FIRST_ROOM, 2 * held.length));
    held.copy(larger, 0, 0, used);
    return larger;
  }

  function varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      rows[at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    rows[at++] = rest;
  }

  function copy8(buffer: Buffer, from: number): void {
    for (let index = 0; index < 8; index++) rows[at + index] = from < 0 ? 0 : (buffer[from + index] as number);
    at += 8;
  }

  function begin(head: number, trace: number, buffer: Buffer, spanAt: number, parentAt: number): void {
    rows = room(rows, at, MAX_ROW);
    rows[at++] = parentAt < 0 ? head : head | HAS_PARENT;
    varint(trace);
    copy8(buffer, spanAt);
    if (parentAt >= 0) copy8(buffer, parentAt);
  }

  return {
    trace(buffer, from) {
      if (last >= 0 && sameId(ids, last * 16, buffer, from)) return last;
      const key = buffer.toString('latin1', from, from + 16);
      const known = traces.get(key);
      if (known !== undefined) return (last = known);
      last = speaking.length;
      traces.set(key, last);
      ids = room(ids, last * 16, 16);
      ids.set(buffer.subarray(from, from + 16), last * 16);
      speaking.push(0);
      return last;
    },
    speaks(trace) {
      speaking[trace] = 1;
    },
    name(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      names.push(text);
      numbers.set(text, names.length);
      return names.length;
    },
    link(trace, buffer, spanAt, parentAt) {
      links += 1;
      begin(LINK, trace, buffer, spanAt, parentAt);
    },
    node(trace, facts, buffer, spanAt, parentAt, startAt, endAt) {
      nodes += 1;
      speaking[trace] = 1;
      const tokens = facts.inputTokens >= 0 || facts.outputTokens >= 0;
      const head =
        facts.op |
        (facts.failed ? FAILED : 0) |
        (facts.agent > 0 ? HAS_AGENT : 0) |
        (facts.tool > 0 ? HAS_TOOL : 0) |
        (facts.error > 0 ? HAS_ERROR : 0) |
        (tokens ? HAS_TOKENS : 0);
      begin(head, trace, buffer, spanAt, parentAt);
      copy8(buffer, startAt);
      copy8(buffer, endAt);
      if (facts.agent > 0) varint(facts.agent - 1);
      if (facts.tool > 0) varint(facts.tool - 1);
      if (facts.error > 0) varint(facts.error - 1);
      if (tokens) {
        varint(facts.inputTokens + 1);
        varint(facts.outputTokens + 1);
      }
    },
    foreign(row) {
      speaking[row.trace] = 1;
      const { role, place } = row.sign;
      if (role !== 'mark') return void foreign.push(row);
      // Most spans of a trace are steps that say nothing but where they stand, and many stand in one place.
      const known = `${row.trace}/${place ?? ''}`;
      if (places.has(known)) return;
      places.add(known);
      foreign.push(row);
    },
    build() {
      if (nodes + links === 0) return undefined;
      const count = speaking.length;
      return {
        foreign,
        traceIds: ids.subarray(0, count * 16),
        speaking: Uint8Array.from(speaking),
        names,
        rows: rows.subarray(0, at),
        nodes,
        links,
      };
    },
  };
}

function sameId(ids: Buffer, at: number, buffer: Buffer, from: number): boolean {
  // From the end, where ids of one generator differ.
  for (let index = 15; index >= 0; index--) if (ids[at + index] !== buffer[from + index]) return false;
  return true;
}
