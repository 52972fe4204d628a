import { types } from 'node:util';
import { readMember } from './member.js';

const MAX_DEPTH = 64;
const MAX_LENGTH = 1_048_576;
const { toISOString } = Date.prototype;

/** Signals a value that has no canonical form; never leaves this file. */
const UNFIT = Symbol('unfit');

interface Writer {
  text: string;
}

function members(value: object): [string, unknown][] {
  const list: [string, unknown][] = [];
  if (types.isMap(value)) {
    for (const [key, member] of Map.prototype.entries.call(value) as IterableIterator<[unknown, unknown]>) {
      if (typeof key !== 'string') throw UNFIT;
      list.push([key, member]);
    }
    return list;
  }
  for (const key of Object.keys(value)) {
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (member === undefined || !('value' in member)) throw UNFIT;
    list.push([key, member.value]);
  }
  return list;
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
  const list = members(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  writer.text += '{';
  list.forEach(([key, member], index) => {
    writer.text += `${index > 0 ? ',' : ''}${JSON.stringify(key)}:`;
    write(writer, member, depth);
  });
  writer.text += '}';
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH || writer.text.length > MAX_LENGTH) throw UNFIT;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    writer.text += JSON.stringify(value);
  } else if (typeof value === 'number') {
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
