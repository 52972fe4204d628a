import { types } from 'node:util';

interface Walk {
  bytes: number;
  nodesLeft: number;
  readonly open: Set<object>;
}

const MAX_NODES = 50_000;
const MAX_DEPTH = 64;
/** What `JSON.stringify` writes as an escape, lone surrogates included. */
const NEEDS_ESCAPES = /["\\\u0000-\u001f\ud800-\udfff]/; // eslint-disable-line no-control-regex

/** Thrown and caught in this file only: the size could not be known without running code of the user's, or cheaply. */
const UNKNOWABLE = Symbol('unknowable');

/**
 * `seamtrace.payload.size`: bytes of `JSON.stringify(payload)` in UTF-8. Text and bytes are taken as already serialized.
 *
 * `undefined` where it cannot be known cheaply and without running code of the user's: accessors, Proxies, `toJSON`, Maps
 * and Sets (each sender serializes them its own way), cycles, BigInt, more than 50,000 members or 64 levels.
 */
export function payloadSize(payload: unknown): number | undefined {
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  try {
    if (ArrayBuffer.isView(payload)) return payload.byteLength;
    const walk: Walk = { bytes: 0, nodesLeft: MAX_NODES, open: new Set() };
    return add(payload, walk) ? walk.bytes : undefined;
  } catch {
    return undefined;
  }
}

function addText(text: string, walk: Walk): void {
  walk.bytes += NEEDS_ESCAPES.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}

/** Returns false for what JSON leaves out: `undefined`, functions, symbols. */
function add(value: unknown, walk: Walk): boolean {
  walk.nodesLeft -= 1;
  if (walk.nodesLeft < 0 || typeof value === 'bigint') throw UNKNOWABLE;
  if (typeof value === 'string') addText(value, walk);
  else if (typeof value === 'number') walk.bytes += Number.isFinite(value) ? String(value).length : 4;
  else if (typeof value === 'boolean') walk.bytes += value ? 4 : 5;
  else if (value === null) walk.bytes += 4;
  else if (typeof value === 'object') addObject(value, walk);
  else return false;
  return true;
}

function addObject(value: object, walk: Walk): void {
  if (types.isProxy(value) || walk.open.has(value) || walk.open.size >= MAX_DEPTH) throw UNKNOWABLE;
  if (types.isDate(value)) return addDate(value, walk);
  const ownForm =
    ArrayBuffer.isView(value) || types.isBoxedPrimitive(value) || types.isMap(value) || types.isSet(value);
  if (ownForm || hasToJson(value)) throw UNKNOWABLE;
  walk.open.add(value);
  if (Array.isArray(value)) addList(value, walk);
  else addMembers(value, walk);
  walk.open.delete(value);
}

function addDate(value: Date, walk: Walk): void {
  if (Object.getPrototypeOf(value) !== Date.prototype || Object.getOwnPropertyNames(value).length > 0) throw UNKNOWABLE;
  const valid = !Number.isNaN(Date.prototype.getTime.call(value));
  walk.bytes += valid ? Date.prototype.toISOString.call(value).length + 2 : 4;
}

function hasToJson(value: object): boolean {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (types.isProxy(at) || Object.getOwnPropertyDescriptor(at, 'toJSON') !== undefined) return true;
  }
  return false;
}

function dataAt(value: object, key: string | number): unknown {
  const own = Object.getOwnPropertyDescriptor(value, key);
  if (own !== undefined && !('value' in own)) throw UNKNOWABLE;
  return own?.value;
}

function addList(list: readonly unknown[], walk: Walk): void {
  if (list.length > walk.nodesLeft) throw UNKNOWABLE;
  walk.bytes += 2 + Math.max(0, list.length - 1);
  for (let index = 0; index < list.length; index += 1) if (!add(dataAt(list, index), walk)) walk.bytes += 4;
}

function addMembers(value: object, walk: Walk): void {
  const keys = Object.keys(value);
  if (keys.length > walk.nodesLeft) throw UNKNOWABLE;
  walk.bytes += 2;
  let written = 0;
  for (const key of keys) {
    if (!add(dataAt(value, key), walk)) continue;
    addText(key, walk);
    walk.bytes += written > 0 ? 2 : 1;
    written += 1;
  }
}
