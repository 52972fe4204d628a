import { addAttribute } from '../attributes.js';
import type { AttributeValue } from '../types.js';
import { checkValue, readValue, scanKeyValue, valueOf } from './value.js';
import { wantedNameInBytes } from './wanted-bytes.js';
import type { Wire } from './wire.js';

type Attributes = Map<string, AttributeValue> | undefined;

const KEY_TAG = 0x0a;
const VALUE_TAG = 0x12;
const STRING_TAG = 0x0a;
const BOOL_TAG = 0x10;
const INT_TAG = 0x18;
const DOUBLE_TAG = 0x21;

/**
 * Reads the `KeyValue` between the cursor and `end` into `attributes`, which is made when the first wanted one comes.
 *
 * Attributes are nine tenths of a span. Every SDK writes them in one layout (key, then a value that fills the rest),
 * so that layout is recognised by a few bytes; any other takes the general way, to the same result.
 */
export function readAttribute(wire: Wire, end: number, attributes: Attributes): Attributes {
  const { reader, buffer } = wire;
  const keyStart = reader.pos + 2;
  const keySize = buffer[keyStart - 1] as number;
  const keyEnd = keyStart + keySize;
  if (buffer[keyStart - 2] !== KEY_TAG || keySize > 127 || keyEnd >= end || buffer[keyEnd] !== VALUE_TAG) {
    return readAnyLayout(wire, end, attributes);
  }
  const valueStart = filledFrame(buffer, keyEnd + 1, end);
  if (valueStart < 0) return readAnyLayout(wire, end, attributes);
  const name = wantedNameInBytes(wire, keyStart, keyEnd);
  if (name === undefined) {
    if (!isPlainValue(buffer, valueStart, end)) return readAnyLayout(wire, end, attributes);
    reader.pos = end;
    return attributes;
  }
  const textStart = buffer[valueStart] === STRING_TAG ? filledFrame(buffer, valueStart + 1, end) : -1;
  const into = attributes ?? new Map<string, AttributeValue>();
  reader.pos = valueStart;
  addAttribute(into, name, textStart < 0 ? readValue(wire, end, 1) : wire.text(textStart, end));
  reader.pos = end;
  return into;
}

/** Where the content begins of a frame whose length prefix stands at `at`, if it fills all up to `end`; else -1. */
function filledFrame(buffer: Uint8Array, at: number, end: number): number {
  const low = buffer[at] as number;
  if (low < 128) return at + 1 + low === end ? at + 1 : -1;
  const high = buffer[at + 1] as number;
  return high < 128 && at + 2 + (low - 128) + high * 128 === end ? at + 2 : -1;
}

/** Whether one scalar of the kind that the tag says fills all up to `end`: what {@link checkValue} would accept. */
function isPlainValue(buffer: Uint8Array, at: number, end: number): boolean {
  switch (buffer[at]) {
    case STRING_TAG:
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

function readAnyLayout(wire: Wire, end: number, attributes: Attributes): Attributes {
  const entry = scanKeyValue(wire, end);
  const name = wantedNameInBytes(wire, entry.keyStart, entry.keyEnd);
  if (name === undefined) {
    checkValue(wire, entry);
    return attributes;
  }
  const into = attributes ?? new Map<string, AttributeValue>();
  addAttribute(into, name, valueOf(wire, entry, 1));
  return into;
}
