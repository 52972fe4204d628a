import { types } from 'node:util';
import { readMember } from './member.js';

const MAX_DEPTH = 64;
const MAX_LENGTH = 1_048_576;
const { toISOString } = Date.prototype;

/** Signals a value that has no canonical form; never leaves this file. */
const UNFIT = Symbol('unfit');

/** Text that JSON writes as it is: most keys and names. */
const PLAIN = /^[ !#-[\]-~]{0,64}$/;

const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

interface Writer {
  text: string;
}

/** The value of an own data member; whoever reads an accessor runs the user's code. */
function dataOf(value: object, key: string): unknown {
  const member = Object.getOwnPropertyDescriptor(value, key);
  if (member === undefined || !('value' in member)) throw UNFIT;
  return member.value;
}

function writeList(writer: Writer, list: readonly unknown[], depth: number): void {
  writer.text += '[';
  for (let index = 0; index < list.length; index += 1) {
    const element = Object.getOwnPropertyDescriptor(list, index);
    if (element !== undefined && !('value' in element)) throw UNFIT;
    if (index > 0) writer.text += ',';
    write(writer, element?.value ?? null, depth);
  }
  writer.text += ']';
}

function writeRecord(writer: Writer, value: object, depth: number): void {
  const map = types.isMap(value) ? readMap(value) : undefined;
  const keys = map === undefined ? Object.keys(value) : [...map.keys()];
  // Without a comparison of one's own, `sort` compares UTF-16 units, as RFC 8785 asks.
  keys.sort();
  let between = '{';
  for (const key of keys) {
    const member = map === undefined ? dataOf(value, key) : map.get(key);
    if (member === undefined) continue;
    writer.text += `${between}${quoted(key)}:`;
    between = ',';
    write(writer, member, depth);
  }
  writer.text += between === '{' ? '{}' : '}';
}

/** Of a Map that may be of a class of the user's: none of its own methods is called. */
function readMap(value: object): Map<string, unknown> {
  const copy = new Map<string, unknown>();
  for (const [key, member] of Map.prototype.entries.call(value) as IterableIterator<[unknown, unknown]>) {
    if (typeof key !== 'string') throw UNFIT;
    copy.set(key, member);
  }
  return copy;
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH || writer.text.length > MAX_LENGTH) throw UNFIT;
  if (typeof value === 'string') writer.text += quoted(value);
  else if (value === null || typeof value === 'boolean') writer.text += String(value);
  else if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw UNFIT;
    writer.text += JSON.stringify(value);
  } else if (typeof value !== 'object' || types.isProxy(value)) throw UNFIT;
  else if (Array.isArray(value)) writeList(writer, value, depth + 1);
  else if (types.isDate(value)) writer.text += JSON.stringify(toISOString.call(value));
  else if (isRecord(value)) writeRecord(writer, value, depth + 1);
  else throw UNFIT;
}

function isRecord(value: object): boolean {
  if (types.isMap(value)) return true;
  if (ArrayBuffer.isView(value) || types.isSet(value) || types.isPromise(value) || types.isBoxedPrimitive(value)) {
    return false;
  }
  return readMember(value, 'toJSON').kind === 'absent';
}

/**
 * One text for equal JSON values, in the form of RFC 8785: members sorted by UTF-16 units, no white space, numbers as
 * ECMAScript writes them. Two values that serialize to the same JSON have the same text, so a digest of it compares
 * values across processes.
 *
 * Records are plain objects, class instances (own enumerable data members) and Maps with string keys; a `Date` is its
 * ISO text, `undefined` members are left out and are `null` in a list, as in JSON. No code of the user's runs.
 * Returns `undefined` for what has no such form: accessors, Proxies, functions, symbols, bigints, non-finite numbers,
 * invalid dates, cycles, more than 64 levels, or more than 1,048,576 UTF-16 units. Never throws.
 */
export function canonicalJson(value: unknown): string | undefined {
  const writer = { text: '' };
  try {
    write(writer, value, 0);
  } catch {
    return undefined;
  }
  return writer.text.length > MAX_LENGTH ? undefined : writer.text;
}
