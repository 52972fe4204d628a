import { addAttribute } from '../attributes.js';
import { DecodeFault } from '../fault.js';
import { MAX_VALUE_DEPTH, MAX_VALUE_ITEMS } from '../limits.js';
import type { AttributeValue } from '../types.js';
import { asDouble, asInt64 } from './numbers.js';
import { asList, asObject, asText, faultIn, member } from './shape.js';
import type { JsonObject } from './shape.js';

type Read = (value: unknown, path: string, depth: number) => AttributeValue;

const MEMBERS: readonly { camel: string; snake: string; check: Read; read: Read }[] = [
  { camel: 'stringValue', snake: 'string_value', check: readString, read: readString },
  { camel: 'boolValue', snake: 'bool_value', check: readBool, read: readBool },
  { camel: 'intValue', snake: 'int_value', check: asInt64, read: asInt64 },
  { camel: 'doubleValue', snake: 'double_value', check: asDouble, read: asDouble },
  { camel: 'arrayValue', snake: 'array_value', check: checkObject, read: readArray },
  { camel: 'kvlistValue', snake: 'kvlist_value', check: checkObject, read: readKeyValueList },
  { camel: 'bytesValue', snake: 'bytes_value', check: readString, read: readBytes },
];

/** One attribute of a list: its key and the value not yet read. */
export interface JsonKeyValue {
  readonly key: string;
  readonly value: unknown;
}

export function readKeyValue(item: unknown, path: string): JsonKeyValue {
  const object = asObject(item, path);
  return { key: asText(member(object, 'key'), `${path}.key`), value: member(object, 'value') };
}

/** Reads an `AnyValue`; absent, `{}` and members that OTLP does not know are `null`. */
export function readValue(value: unknown, path: string, depth: number): AttributeValue {
  if (depth > MAX_VALUE_DEPTH) throw new DecodeFault(`${path}: a value nested deeper than ${MAX_VALUE_DEPTH} levels`);
  return visitValue(value, path, depth, 'read');
}

/** Checks the outermost level of a value that nobody asks for, as the protobuf decoder does. */
export function checkValue(value: unknown, path: string): void {
  visitValue(value, path, 1, 'check');
}

function visitValue(value: unknown, path: string, depth: number, how: 'read' | 'check'): AttributeValue {
  if (value === undefined) return null;
  const object = asObject(value, path);
  let found: AttributeValue | undefined;
  for (const { camel, snake, [how]: visit } of MEMBERS) {
    const inner = member(object, camel, snake);
    if (inner === undefined) continue;
    if (found !== undefined) throw new DecodeFault(`${path}: expected one kind of value, found several`);
    found = visit(inner, `${path}.${camel}`, depth);
  }
  return found ?? null;
}

function checkObject(value: unknown, path: string): null {
  asObject(value, path);
  return null;
}

function readString(value: unknown, path: string): string {
  return asText(value, path);
}

function readBool(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : faultIn(path, 'a boolean', value);
}

function listOf(value: unknown, path: string): readonly unknown[] {
  const values = asList(member(asObject(value, path) as JsonObject, 'values'), `${path}.values`);
  if (values.length > MAX_VALUE_ITEMS) throw new DecodeFault(`${path}: more than ${MAX_VALUE_ITEMS} values`);
  return values;
}

function readArray(value: unknown, path: string, depth: number): AttributeValue {
  return listOf(value, path).map((item, at) => readValue(item ?? undefined, `${path}.values[${at}]`, depth + 1));
}

function readKeyValueList(value: unknown, path: string, depth: number): AttributeValue {
  const entries = new Map<string, AttributeValue>();
  for (const [at, item] of listOf(value, path).entries()) {
    const here = `${path}.values[${at}]`;
    const entry = readKeyValue(item, here);
    addAttribute(entries, entry.key, readValue(entry.value, `${here}.value`, depth + 1));
  }
  return entries;
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

// Standard and URL-safe alphabets, with or without padding, as proto3 JSON asks of a parser.
function readBytes(value: unknown, path: string): Uint8Array {
  const text = asText(value, path);
  const digits = text.replace(/=+$/, '');
  if (!BASE64.test(text) || digits.length % 4 === 1) faultIn(path, 'base64', value);
  return Uint8Array.from(Buffer.from(digits, 'base64'));
}
