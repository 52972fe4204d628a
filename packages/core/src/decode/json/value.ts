import { addAttribute } from '../attributes.js';
import { DecodeFault } from '../fault.js';
import { MAX_VALUE_DEPTH, MAX_VALUE_ITEMS } from '../limits.js';
import type { AttributeValue } from '../types.js';
import { asDouble, asInt64 } from './numbers.js';
import { asList, asObject, asText, faultIn, member, nested } from './shape.js';
import type { JsonObject } from './shape.js';

/** Reads one kind of value, or only checks that it has the type it should have. */
interface Kind {
  readonly path: string;
  readonly read: (value: unknown, path: string, depth: number) => AttributeValue;
  readonly check: (value: unknown, path: string) => unknown;
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  (
    [
      ['stringValue', 'string_value', asText, checkText],
      ['boolValue', 'bool_value', asBool, asBool],
      ['intValue', 'int_value', asInt64, asInt64],
      ['doubleValue', 'double_value', asDouble, asDouble],
      ['arrayValue', 'array_value', readArray, asObject],
      ['kvlistValue', 'kvlist_value', readKeyValueList, asObject],
      ['bytesValue', 'bytes_value', readBytes, checkText],
    ] as const
  ).flatMap(([camel, snake, read, check]) => {
    const kind: Kind = { path: `.${camel}`, read, check };
    return [[camel, kind] as const, [snake, kind] as const];
  }),
);

/** One attribute of a list: its key and the value not yet read. */
export interface JsonKeyValue {
  readonly key: string;
  readonly value: unknown;
}

/** The key is as it stands in the document; who keeps it makes it {@link wellFormed}. */
export function readKeyValue(item: unknown): JsonKeyValue {
  const object = asObject(item, '');
  const key = member(object, 'key') ?? '';
  if (typeof key !== 'string') faultIn('.key', 'a string', key);
  return { key, value: member(object, 'value') };
}

/** Reads an `AnyValue`; absent, `{}` and members that OTLP does not know are `null`. */
export function readValue(value: unknown, depth: number): AttributeValue {
  if (depth > MAX_VALUE_DEPTH) throw new DecodeFault(`: a value nested deeper than ${MAX_VALUE_DEPTH} levels`);
  if (value === undefined) return null;
  const object = asObject(value, '');
  const name = nameOfKind(object);
  if (name === undefined) return null;
  const { read, path } = KINDS.get(name) as Kind;
  return read(object[name], path, depth);
}

/** Checks the outermost level of a value that nobody asks for, as the protobuf decoder does. */
export function checkValue(value: unknown): void {
  if (value === undefined) return;
  const object = asObject(value, '');
  const name = nameOfKind(object);
  if (name === undefined) return;
  const { check, path } = KINDS.get(name) as Kind;
  check(object[name], path);
}

/** The one member of an `AnyValue` that says its kind. Members that are `null` or unknown say nothing. */
function nameOfKind(object: JsonObject): string | undefined {
  let found: string | undefined;
  for (const name in object) {
    if (object[name] === null || !KINDS.has(name)) continue;
    if (found !== undefined) throw new DecodeFault(': expected one kind of value, found several');
    found = name;
  }
  return found;
}

function checkText(value: unknown, path: string): void {
  if (typeof value !== 'string') faultIn(path, 'a string', value);
}

function asBool(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : faultIn(path, 'a boolean', value);
}

function listOf(value: unknown, path: string): readonly unknown[] {
  const values = asList(member(asObject(value, path), 'values'), `${path}.values`);
  if (values.length > MAX_VALUE_ITEMS) throw new DecodeFault(`${path}: more than ${MAX_VALUE_ITEMS} values`);
  return values;
}

function readArray(value: unknown, path: string, depth: number): AttributeValue {
  return listOf(value, path).map((item, at) => {
    try {
      return readValue(item ?? undefined, depth + 1);
    } catch (thrown) {
      throw nested(`${path}.values[${at}]`, thrown);
    }
  });
}

function readKeyValueList(value: unknown, path: string, depth: number): AttributeValue {
  const entries = new Map<string, AttributeValue>();
  for (const [at, item] of listOf(value, path).entries()) {
    try {
      const entry = readKeyValue(item);
      addAttribute(entries, asText(entry.key, '.key'), readNested(entry.value, depth + 1));
    } catch (thrown) {
      throw nested(`${path}.values[${at}]`, thrown);
    }
  }
  return entries;
}

/** Reads the value of an attribute, whose path is that of the attribute and `.value`. */
export function readNested(value: unknown, depth: number): AttributeValue {
  try {
    return readValue(value, depth);
  } catch (thrown) {
    throw nested('.value', thrown);
  }
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

// Standard and URL-safe alphabets, with or without padding, as proto3 JSON asks of a parser.
function readBytes(value: unknown, path: string): Uint8Array {
  const text = asText(value, path);
  const digits = text.replace(/=+$/, '');
  if (!BASE64.test(text) || digits.length % 4 === 1) faultIn(path, 'base64', value);
  return Uint8Array.from(Buffer.from(digits, 'base64'));
}
