import { addAttribute } from '../attributes.js';
import type { AttributeValue } from '../types.js';
import { checkValue, readValue, scanKeyValue, valueOf } from './value.js';
import { FIRST_FOREIGN, FIRST_UNMARKED, keyCode, METADATA_KEY, nameOfKey, UNWANTED } from './wanted-bytes.js';
import type { SeenList, Wire } from './wire.js';

const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;
const STRING_TAG = 0x0a;
const BOOL_TAG = 0x10;
const INT_TAG = 0x18;
const DOUBLE_TAG = 0x21;
const ARRAY_TAG = 0x2a;
const LIST_TAG = 0x32;
const BYTES_TAG = 0x3a;
const MAX_LISTS = 4;
/** Bytes of a tag and a varint of eight bytes. */
const MAX_PLAIN_INT = 9;

/** The wanted attributes of one span, located and not yet read. Made once for a request and cleared for each span. */
export interface WantedAttributes {
  /** Triples: the key's code, start and end of its `KeyValue`. What stands behind `count` is left from other spans. */
  readonly places: number[];
  count: number;
  /** One of them is ours. */
  own: boolean;
  /** One of them is not laid out as every SDK does, is no scalar, or stands twice. */
  odd: boolean;
  /** A bit for each code that was seen, those of dialects apart. */
  seen: number;
  /** The same triples for keys that only dialects ask for. */
  readonly foreign: number[];
  foreignCount: number;
  /** One of them marks a dialect. */
  marked: boolean;
  /** Start and end of the first events of the span. */
  readonly events: number[];
  eventCount: number;
}

/** Events that are looked at for what a dialect keeps in them. */
const MAX_EVENTS = 4;

export function createWanted(): WantedAttributes {
  return {
    places: [],
    count: 0,
    own: false,
    odd: false,
    seen: 0,
    foreign: [],
    foreignCount: 0,
    marked: false,
    events: [],
    eventCount: 0,
  };
}

/** Notes where an event stands. */
export function noteEvent(wanted: WantedAttributes, start: number, end: number): void {
  if (wanted.eventCount === 2 * MAX_EVENTS) return;
  wanted.events[wanted.eventCount] = start;
  wanted.events[wanted.eventCount + 1] = end;
  wanted.eventCount += 2;
}

export function clearWanted(wanted: WantedAttributes): void {
  wanted.count = 0;
  wanted.own = false;
  wanted.odd = false;
  wanted.seen = 0;
  wanted.foreignCount = 0;
  wanted.marked = false;
  wanted.eventCount = 0;
}

/**
 * Passes over the `KeyValue` between the cursor and `end`, and notes where it stands if somebody asks for it.
 *
 * Attributes are nine tenths of a span. Every SDK writes them in one layout (key, then a value that fills the rest),
 * so that layout is recognised by a few bytes; any other takes the general way, to the same result.
 */
export function locateAttribute(wire: Wire, end: number, wanted: WantedAttributes): void {
  const { reader, buffer } = wire;
  const start = reader.pos;
  const keyStart = start + 2;
  const keySize = buffer[keyStart - 1] as number;
  const keyEnd = keyStart + keySize;
  if (buffer[start] !== KEY_TAG || keySize > 127 || keyEnd >= end || buffer[keyEnd] !== VALUE_TAG) {
    return locateAnyLayout(wire, end, wanted);
  }
  const valueStart = filledFrame(buffer, keyEnd + 1, end);
  if (valueStart < 0) return locateAnyLayout(wire, end, wanted);
  const code = keyCode(buffer, keyStart, keyEnd);
  const plain = isPlainValue(buffer, valueStart, end);
  if (code === UNWANTED || code >= FIRST_FOREIGN) {
    if (!plain) return locateAnyLayout(wire, end, wanted);
    if (code !== UNWANTED) noteForeign(wanted, code, start, end);
  } else {
    note(wanted, code, start, end);
    // A varint of more than eight bytes is negative, huge or padded: not worth a quick way.
    const tag = buffer[valueStart] as number;
    if (!plain || tag > DOUBLE_TAG || (tag === INT_TAG && end - valueStart > MAX_PLAIN_INT)) wanted.odd = true;
  }
  reader.pos = end;
}

function locateAnyLayout(wire: Wire, end: number, wanted: WantedAttributes): void {
  const start = wire.reader.pos;
  const entry = scanKeyValue(wire, end);
  const code = keyCode(wire.buffer, entry.keyStart, entry.keyEnd);
  if (code === UNWANTED || code >= FIRST_FOREIGN) {
    if (code !== UNWANTED) noteForeign(wanted, code, start, end);
    return checkValue(wire, entry);
  }
  note(wanted, code, start, end);
  wanted.odd = true;
}

function note(wanted: WantedAttributes, code: number, start: number, end: number): void {
  const { places, count } = wanted;
  places[count] = code;
  places[count + 1] = start;
  places[count + 2] = end;
  wanted.count = count + 3;
  if (code <= METADATA_KEY) wanted.own = true;
  else if ((wanted.seen & (1 << code)) !== 0) wanted.odd = true;
  wanted.seen |= 1 << code;
}

function noteForeign(wanted: WantedAttributes, code: number, start: number, end: number): void {
  const { foreign, foreignCount } = wanted;
  foreign[foreignCount] = code;
  foreign[foreignCount + 1] = start;
  foreign[foreignCount + 2] = end;
  wanted.foreignCount = foreignCount + 3;
  if (code < FIRST_UNMARKED) wanted.marked = true;
}

/** Materialises what was located. Moves the cursor. */
export function readWanted(wire: Wire, { places, count }: WantedAttributes): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (let at = 0; at < count; at += 3) {
    readAttribute(wire, places[at] as number, places[at + 1] as number, places[at + 2] as number, attributes);
  }
  return attributes;
}

/** Reads one located attribute into a map. Moves the cursor. */
export function readAttribute(
  wire: Wire,
  code: number,
  start: number,
  end: number,
  into: Map<string, AttributeValue>,
): void {
  const { reader, buffer } = wire;
  reader.pos = start;
  const keyStart = start + 2;
  const keyEnd = keyStart + (buffer[keyStart - 1] as number);
  const valueStart =
    buffer[start] === KEY_TAG && keyEnd - keyStart < 128 && keyEnd < end && buffer[keyEnd] === VALUE_TAG
      ? filledFrame(buffer, keyEnd + 1, end)
      : -1;
  if (valueStart < 0) {
    const entry = scanKeyValue(wire, end);
    addAttribute(into, nameOfKey(wire, code, entry.keyStart, entry.keyEnd), valueOf(wire, entry, 1));
    return;
  }
  const name = nameOfKey(wire, code, keyStart, keyEnd);
  const textStart = buffer[valueStart] === STRING_TAG ? filledFrame(buffer, valueStart + 1, end) : -1;
  if (textStart >= 0) return addAttribute(into, name, wire.text(textStart, end));
  reader.pos = valueStart;
  const tag = buffer[valueStart];
  addAttribute(into, name, tag === ARRAY_TAG ? readList(wire, valueStart, end) : readValue(wire, end, 1));
}

/**
 * A value that holds a list. The stages of a span, and spans of one route, say the same lists of keys over and over: equal
 * bytes that stood in the request shortly before are the same list.
 */
function readList(wire: Wire, start: number, end: number): AttributeValue {
  const { lists } = wire;
  for (let at = 0; at < lists.length; at++) {
    const seen = lists[at] as SeenList;
    if (sameBytes(wire.buffer, seen.start, seen.end, start, end)) return seen.value;
  }
  const doubtful = wire.invalidUtf8();
  const value = readValue(wire, end, 1);
  // Texts that are no UTF-8 are counted wherever they stand.
  if (wire.invalidUtf8() === doubtful) {
    if (lists.length === MAX_LISTS) lists.shift();
    lists.push({ start, end, value });
  }
  return value;
}

function sameBytes(buffer: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  const size = end - start;
  if (size !== otherEnd - otherStart) return false;
  for (let at = 0; at < size; at++) if (buffer[start + at] !== buffer[otherStart + at]) return false;
  return true;
}

/** Where the text begins of an attribute of the plain layout that ends at `end`; -1 where its value is no string. */
export function plainText(buffer: Uint8Array, start: number, end: number): number {
  const valueStart = plainValue(buffer, start, end);
  return buffer[valueStart] === STRING_TAG ? filledFrame(buffer, valueStart + 1, end) : -1;
}

/** The value of such an attribute if it is an int that a `number` holds and is not negative; else -1. */
export function plainCount(buffer: Uint8Array, start: number, end: number): number {
  const valueStart = plainValue(buffer, start, end);
  if (buffer[valueStart] !== INT_TAG) return -1;
  let value = 0;
  for (let at = end - 1; at > valueStart; at--) value = value * 128 + ((buffer[at] as number) & 127);
  return value <= Number.MAX_SAFE_INTEGER ? value : -1;
}

function plainValue(buffer: Uint8Array, start: number, end: number): number {
  return filledFrame(buffer, start + 3 + (buffer[start + 1] as number), end);
}

/** Where the content begins of a frame whose length prefix stands at `at`, if it fills all up to `end`; else -1. */
function filledFrame(buffer: Uint8Array, at: number, end: number): number {
  const low = buffer[at] as number;
  if (low < 128) return at + 1 + low === end ? at + 1 : -1;
  const high = buffer[at + 1] as number;
  return high < 128 && at + 2 + (low - 128) + high * 128 === end ? at + 2 : -1;
}

/** Whether one value of the kind that the tag says, unread, fills all up to `end`: what {@link checkValue} would accept. */
function isPlainValue(buffer: Uint8Array, at: number, end: number): boolean {
  switch (buffer[at]) {
    case STRING_TAG:
    case ARRAY_TAG:
    case LIST_TAG:
    case BYTES_TAG:
      return filledFrame(buffer, at + 1, end) >= 0;
    case BOOL_TAG:
    case INT_TAG:
      return filledVarint(buffer, at + 1, end);
    case DOUBLE_TAG:
      return at + 9 === end;
    default:
      return false;
  }
}

function filledVarint(buffer: Uint8Array, at: number, end: number): boolean {
  const last = end - 1;
  if (last < at || last - at > 9 || (buffer[last] as number) > 127) return false;
  for (let index = at; index < last; index++) if ((buffer[index] as number) < 128) return false;
  return true;
}
