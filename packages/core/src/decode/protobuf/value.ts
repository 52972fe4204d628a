import { addAttribute } from '../attributes.js';
import { DecodeFault } from '../fault.js';
import { MAX_VALUE_DEPTH, MAX_VALUE_ITEMS } from '../limits.js';
import type { AttributeValue } from '../types.js';
import {
  eachField,
  expectWireType,
  FIXED64,
  LENGTH_DELIMITED,
  readBool,
  readDouble,
  readFrameEnd,
  readInt64,
  readTag,
  skipField,
  VARINT,
} from './wire.js';
import type { Wire } from './wire.js';

/** Field names and wire types of `AnyValue`, by field number. Its fields form one `oneof`: the last one set wins. */
const VALUE_FIELDS = [
  undefined,
  { name: 'string_value', wireType: LENGTH_DELIMITED },
  { name: 'bool_value', wireType: VARINT },
  { name: 'int_value', wireType: VARINT },
  { name: 'double_value', wireType: FIXED64 },
  { name: 'array_value', wireType: LENGTH_DELIMITED },
  { name: 'kvlist_value', wireType: LENGTH_DELIMITED },
  { name: 'bytes_value', wireType: LENGTH_DELIMITED },
] as const;

/**
 * Reads the `AnyValue` between the cursor and `end`. `earlier` is what an earlier occurrence of the same field held:
 * protobuf merges repeated messages, so lists are continued and an empty repetition changes nothing.
 */
export function readValue(wire: Wire, end: number, depth: number, earlier: AttributeValue = null): AttributeValue {
  if (depth > MAX_VALUE_DEPTH) {
    throw new DecodeFault(`at byte ${wire.reader.pos}: a value nested deeper than ${MAX_VALUE_DEPTH} levels`);
  }
  const { reader } = wire;
  const outer = reader.len;
  reader.len = end;
  let value = earlier;
  while (reader.pos < end) {
    const tag = readTag(reader, 'AnyValue');
    const field = VALUE_FIELDS[tag >>> 3];
    if (field === undefined) {
      skipField(reader, tag, 'AnyValue');
      continue;
    }
    expectWireType(reader, tag, field.wireType, field.name);
    value = readMember(wire, tag >>> 3, field.name, depth, value);
  }
  reader.len = outer;
  return value;
}

function readMember(wire: Wire, number: number, name: string, depth: number, earlier: AttributeValue): AttributeValue {
  const { reader } = wire;
  if (number === 2) return readBool(reader, name);
  if (number === 3) return readInt64(reader, name);
  if (number === 4) return readDouble(wire, name);
  const end = readFrameEnd(reader, name);
  if (depth > 1 && number !== 1) wire.takeNested();
  if (number === 5) return readArray(wire, end, depth, earlier);
  if (number === 6) return readKeyValueList(wire, end, depth, earlier);
  const start = reader.pos;
  reader.pos = end;
  // Bytes are copied: a view would keep the whole request alive as long as the evidence.
  return number === 1 ? wire.text(start, end) : Uint8Array.from(wire.buffer.subarray(start, end));
}

// An earlier occurrence is continued in place: copying it for each repetition would make reading quadratic.
function readArray(wire: Wire, end: number, depth: number, earlier: AttributeValue): AttributeValue {
  const items = Array.isArray(earlier) ? (earlier as AttributeValue[]) : [];
  eachField(wire.reader, end, 'ArrayValue', (number, tag) => {
    if (number !== 1) return false;
    expectWireType(wire.reader, tag, LENGTH_DELIMITED, 'values');
    if (items.length === MAX_VALUE_ITEMS) throw new DecodeFault(`an array of more than ${MAX_VALUE_ITEMS} values`);
    items.push(readValue(wire, readFrameEnd(wire.reader, 'values'), depth + 1));
    return true;
  });
  return items;
}

function readKeyValueList(wire: Wire, end: number, depth: number, earlier: AttributeValue): AttributeValue {
  const entries = earlier instanceof Map ? (earlier as Map<string, AttributeValue>) : new Map<string, AttributeValue>();
  eachField(wire.reader, end, 'KeyValueList', (number, tag) => {
    if (number !== 1) return false;
    expectWireType(wire.reader, tag, LENGTH_DELIMITED, 'values');
    const entry = scanKeyValue(wire, readFrameEnd(wire.reader, 'values'));
    addAttribute(entries, wire.text(entry.keyStart, entry.keyEnd), valueOf(wire, entry, depth + 1));
    return true;
  });
  return entries;
}

/** Where the parts of one `KeyValue` stand. `more` holds starts and ends of repeated value fields, which merge. */
export interface KeyValueSpan {
  keyStart: number;
  keyEnd: number;
  valueStart: number;
  valueEnd: number;
  more: number[] | undefined;
}

/** Passes over the `KeyValue` between the cursor and `end`, noting where key and value stand, in whatever order. */
export function scanKeyValue(wire: Wire, end: number): KeyValueSpan {
  const { reader } = wire;
  const outer = reader.len;
  reader.len = end;
  const found: KeyValueSpan = { keyStart: 0, keyEnd: 0, valueStart: -1, valueEnd: -1, more: undefined };
  while (reader.pos < end) {
    const tag = readTag(reader, 'KeyValue');
    if (tag === ((1 << 3) | LENGTH_DELIMITED)) {
      found.keyEnd = readFrameEnd(reader, 'key');
      found.keyStart = reader.pos;
      reader.pos = found.keyEnd;
    } else if (tag === ((2 << 3) | LENGTH_DELIMITED)) {
      noteValue(found, readFrameEnd(reader, 'value'), reader.pos);
      reader.pos = found.more?.at(-1) ?? found.valueEnd;
    } else {
      if (tag >>> 3 <= 2) expectWireType(reader, tag, LENGTH_DELIMITED, tag >>> 3 === 1 ? 'key' : 'value');
      skipField(reader, tag, 'KeyValue');
    }
  }
  reader.len = outer;
  return found;
}

function noteValue(found: KeyValueSpan, end: number, start: number): void {
  if (found.valueStart < 0) {
    found.valueStart = start;
    found.valueEnd = end;
  } else {
    (found.more ??= []).push(start, end);
  }
}

/** Materialises the value of a scanned `KeyValue`; `null` where it has none. Leaves the cursor where it was. */
export function valueOf(wire: Wire, entry: KeyValueSpan, depth: number): AttributeValue {
  return visitValues(wire, entry, (end, earlier) => readValue(wire, end, depth, earlier));
}

/**
 * Checks the outermost level of a value that nobody asks for: its bytes are never read, but a request whose frames do
 * not fit together must not pass for a sound one.
 */
export function checkValue(wire: Wire, entry: KeyValueSpan): void {
  visitValues(wire, entry, (end) => {
    checkFields(wire, end);
    return null;
  });
}

function visitValues(
  wire: Wire,
  entry: KeyValueSpan,
  visit: (end: number, earlier: AttributeValue) => AttributeValue,
): AttributeValue {
  if (entry.valueStart < 0) return null;
  const { reader } = wire;
  const resume = reader.pos;
  reader.pos = entry.valueStart;
  let value = visit(entry.valueEnd, null);
  for (let at = 0; entry.more !== undefined && at < entry.more.length; at += 2) {
    reader.pos = entry.more[at] as number;
    value = visit(entry.more[at + 1] as number, value);
  }
  reader.pos = resume;
  return value;
}

function checkFields(wire: Wire, end: number): void {
  const { reader } = wire;
  eachField(reader, end, 'AnyValue', (number, tag) => {
    const field = VALUE_FIELDS[number];
    if (field !== undefined) expectWireType(reader, tag, field.wireType, field.name);
    return false;
  });
}
