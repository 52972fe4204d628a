// This entry does without the optional native addon.
import { Unpackr } from 'msgpackr/unpack';
import { createArrayWriter } from './message-pack.js';
import { createSeenTexts } from './seen-texts.js';

/** A packed piece is a sequence of these; what a token means depends on where it stands. */
export type Token = string | number | boolean | null;

/** Stored bytes that are not what this version of the analyzer writes: damage, or a file of a later version. */
export class CorruptEvidenceError extends Error {
  override readonly name = 'CorruptEvidenceError';
}

/** Refuses stored bytes; `what` continues "packed evidence". */
export function corrupt(what: string, options?: ErrorOptions): never {
  throw new CorruptEvidenceError(`packed evidence ${what}`, options);
}

/** First byte of every packed piece. Rises when older readers would misread. */
const FORMAT = 1;

// Texts that stand in the bytes as a number. The lists are part of the format: append only.
const MANY = -1;
const MANY_AND_MORE = -2;
const ESCAPED = -3;
const HEX_16 = -4;
const HEX_32 = -5;
const UUID = -6;
const FIRST_TERM = -7;
const TERMS =
  `true false agent_to_agent agent_to_human human_to_agent session_to_session delegation transfer forward return
  envelope shared_state text dispatched prevented dropped accepted warned rejected escalated supervisor worker peer
  redacted truncated sampled unsupported error capture_incomplete`.split(/\s+/);

/** Bytes of ids after which no more are added; their number must fit two bytes of the header. */
const MAX_ID_BYTES = 65_000;
const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DECIMAL = /^(?:0|[1-9][0-9]{0,19})$/;

/** In every Node that we support, and not yet in the library that TypeScript targets. */
type WellFormed = string & { isWellFormed(): boolean };

// No records, extensions or shared structures: plain MessagePack, and no generated code.
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

export interface TokenWriter {
  put(token: number | boolean | null): void;
  text(value: string): void;
  optional(value: string | undefined): void;
  list(values: readonly string[]): void;
  /** A set of texts with a mark whether there were more; one alone costs no more than a text. */
  distinct(value: { readonly values: readonly string[]; readonly more: boolean } | undefined): void;
  /** Decimal Unix nanoseconds. Returns the whole seconds, which a later time may be told from. */
  time(value: string, since: number): number;
}

/** Packs what `write` writes. Not from within another `write`: all pieces are written in one place. */
export function packTokens<T>(value: T, write: (out: TokenWriter, value: T) => void): Uint8Array {
  out.reset();
  write(out, value);
  return out.bytes();
}

interface ReusedWriter extends TokenWriter {
  reset(): void;
  bytes(): Uint8Array;
}

const out = createTokenWriter();

/** Writes each text once: a repetition is the number of its first occurrence. Ids in hex take half their length. */
function createTokenWriter(): ReusedWriter {
  const body = createArrayWriter();
  const texts = createSeenTexts(TERMS, (at) => FIRST_TERM - at);
  const ids = Buffer.allocUnsafeSlow(MAX_ID_BYTES + 16);
  let idBytes = 0;

  function put(token: number | boolean | null): void {
    if (typeof token === 'number') body.number(token);
    else if (token === null) body.nil();
    else body.flag(token);
  }

  function text(value: string): void {
    const known = texts.see(value);
    if (known !== undefined) return body.number(known);
    const form = formOf(value);
    if (form === 0) plain(value);
    else body.number(form);
  }

  /** How an id is written, whose digits are put by then; 0 for any other text. */
  function formOf(value: string): number {
    const { length } = value;
    if (idBytes > MAX_ID_BYTES) return 0;
    if (length === 16 || length === 32) return digits(value) ? (length === 16 ? HEX_16 : HEX_32) : 0;
    return length === 36 && UUID_TEXT.test(value) && digits(value.replaceAll('-', '')) ? UUID : 0;
  }

  function digits(value: string): boolean {
    let to = idBytes;
    for (let at = 0; at < value.length; at += 2) {
      const high = digitOf(value.charCodeAt(at));
      const low = digitOf(value.charCodeAt(at + 1));
      if (high < 0 || low < 0) return false;
      ids[to++] = (high << 4) | low;
    }
    idBytes = to;
    return true;
  }

  // UTF-8 has no form for half a surrogate pair, which a JSON string may hold.
  function plain(value: string): void {
    if ((value as WellFormed).isWellFormed()) return body.text(value);
    body.number(ESCAPED);
    body.text(JSON.stringify(value));
  }

  function list(values: readonly string[]): void {
    body.number(values.length);
    for (const value of values) text(value);
  }

  return {
    put,
    text,
    optional(value) {
      if (value === undefined) body.nil();
      else text(value);
    },
    list,
    distinct(value) {
      if (value === undefined) body.nil();
      else if (value.values.length === 1 && !value.more) text(value.values[0]!);
      else {
        body.number(value.more ? MANY_AND_MORE : MANY);
        list(value.values);
      }
    },
    time(value, since) {
      if (!DECIMAL.test(value)) {
        body.text(JSON.stringify(value));
        return 0;
      }
      const seconds = Number(value.slice(0, -9));
      body.number(seconds - since);
      body.number(Number(value.slice(-9)));
      return seconds;
    },
    reset() {
      body.reset();
      texts.reset();
      idBytes = 0;
    },
    bytes() {
      const packed = Buffer.allocUnsafe(3 + idBytes + body.length);
      packed[0] = FORMAT;
      packed.writeUInt16BE(idBytes, 1);
      packed.set(ids.subarray(0, idBytes), 3);
      body.copy(packed, 3 + idBytes);
      return packed;
    },
  };
}

/** The value of a lower-case hex digit, or -1. */
function digitOf(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

export interface TokenReader {
  text(): string;
  optional(): string | undefined;
  list(): string[];
  distinct(): { values: string[]; more: boolean } | undefined;
  time(since: number): { readonly text: string; readonly seconds: number };
  /** Any number that is exactly representable. */
  number(): number;
  /** How many things follow; never more than there are tokens. */
  count(): number;
  flag(): boolean;
  /** Takes the token if it stands for an absent value. */
  absent(): boolean;
  /** Everything must have been read. */
  end(): void;
}

/** Reads what {@link createTokenWriter} wrote. @throws CorruptEvidenceError on anything else. */
export function createTokenReader(packed: Uint8Array): TokenReader {
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.length);
  const { tokens, ids } = open(buffer);
  const seen: string[] = [];
  let at = 0;
  let idAt = 3;

  function id(bytes: number): string {
    if (idAt + bytes > ids) corrupt('refers to an id that is not there');
    return buffer.toString('hex', idAt, (idAt += bytes));
  }

  function next(): Token {
    const token = tokens[at++];
    if (token === undefined) corrupt('ends early');
    return token;
  }

  function wrong(token: Token): never {
    corrupt(`has ${JSON.stringify(token)} as its token ${at}`);
  }

  function fresh(token: string | number): string {
    if (typeof token === 'string') return token;
    if (token === HEX_16) return id(8);
    if (token === HEX_32) return id(16);
    if (token === ESCAPED) return unescape(next());
    const digits = id(16);
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
  }

  function textOf(token: Token): string {
    if (typeof token === 'number') {
      const known = token >= 0 ? seen[token] : TERMS[FIRST_TERM - token];
      if (known !== undefined) return known;
      if (token > ESCAPED || token < UUID) return wrong(token);
    } else if (typeof token !== 'string') return wrong(token);
    const value = fresh(token);
    seen.push(value);
    return value;
  }

  function number(): number {
    const token = next();
    return typeof token === 'number' ? token : wrong(token);
  }

  function count(): number {
    const value = number();
    return Number.isInteger(value) && value >= 0 && value <= tokens.length - at ? value : wrong(value);
  }

  function list(): string[] {
    const values: string[] = [];
    for (let left = count(); left > 0; left -= 1) values.push(textOf(next()));
    return values;
  }

  function absent(): boolean {
    if (tokens[at] !== null) return false;
    at += 1;
    return true;
  }

  return {
    text: () => textOf(next()),
    optional: () => (absent() ? undefined : textOf(next())),
    list,
    distinct() {
      const token = next();
      if (token === null) return undefined;
      if (token === MANY || token === MANY_AND_MORE) return { values: list(), more: token === MANY_AND_MORE };
      return { values: [textOf(token)], more: false };
    },
    time(since) {
      const token = next();
      if (typeof token === 'string') return { text: unescape(token), seconds: 0 };
      if (typeof token !== 'number') return wrong(token);
      const seconds = token + since;
      const nanos = String(number());
      return { text: seconds === 0 ? nanos : `${seconds}${nanos.padStart(9, '0')}`, seconds };
    },
    number,
    count,
    flag() {
      const token = next();
      return typeof token === 'boolean' ? token : wrong(token);
    },
    absent,
    end() {
      if (at !== tokens.length || idAt !== ids) corrupt('goes on after its end');
    },
  };
}

function open(packed: Buffer): { readonly tokens: readonly Token[]; readonly ids: number } {
  if (packed.length < 4) corrupt(`of ${packed.length} bytes is cut short`);
  if (packed[0] !== FORMAT) {
    corrupt(`has format ${packed[0]}; this version reads format ${FORMAT}`);
  }
  const ids = 3 + packed.readUInt16BE(1);
  try {
    const tokens: unknown = unpackr.unpack(packed.subarray(ids));
    if (Array.isArray(tokens)) return { tokens: tokens as Token[], ids };
  } catch (error) {
    corrupt('is not MessagePack', { cause: error });
  }
  corrupt('is no list of tokens');
}

function unescape(token: Token): string {
  try {
    const value: unknown = JSON.parse(String(token));
    if (typeof value === 'string') return value;
  } catch {
    // Said below.
  }
  corrupt(`has ${JSON.stringify(token)} where an escaped text stands`);
}
