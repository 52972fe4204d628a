import { createHmac } from 'node:crypto';
import { canonicalJson } from '@seamtrace/contracts';
import type { AttributeValue } from '../../decode/types.js';
import { looksMasked } from '../masked.js';

/** Longer arguments are not compared: reading them would cost more than they tell. */
const MAX_CHARACTERS = 65_536;
const MAX_DEPTH = 16;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonMembers = { readonly [name: string]: Json };

/** A captured value as JSON: instrumentations write a JSON text or a structured value. `undefined` where it is neither. */
export function jsonOf(value: AttributeValue | undefined): Json | undefined {
  if (typeof value === 'string') return parse(value);
  return value === undefined ? undefined : plain(value, 0);
}

/** The members of a captured object; `undefined` for anything else. */
export function membersOf(value: AttributeValue | undefined): JsonMembers | undefined {
  const json = jsonOf(value);
  return isMembers(json) ? json : undefined;
}

export function isMembers(json: Json | undefined): json is JsonMembers {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

/** A member that is a text with something in it. */
export function textIn(members: JsonMembers | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = members?.[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/**
 * What equal calls of one trace have in common; `undefined` where the arguments are not known. Nothing is known of an empty
 * object either: several instrumentations write one where content is not captured, and then all calls would look alike. So
 * does a value that was masked. Keyed by the trace, so that what is stored tells nothing beyond it.
 */
export function digestOf(json: Json | undefined, traceId: string): string | undefined {
  if (json === undefined || json === null || !isTelling(json) || holdsMask(json, 0)) return undefined;
  const text = canonicalJson(json);
  if (text === undefined) return undefined;
  return `hmac-sha256:trace:${createHmac('sha256', traceId).update(text).digest('hex')}`;
}

function isTelling(json: Json): boolean {
  return typeof json === 'object' && json !== null ? Object.keys(json).length > 0 : true;
}

const PLACEHOLDER = /^(?:__REDACTED__|N\/A|<[^<>]*>|\[[^[\]]*\]|\{\{.*\}\})$/i;

function holdsMask(json: Json, depth: number): boolean {
  if (depth > MAX_DEPTH) return true;
  if (typeof json === 'string') return json.length < 64 && (looksMasked(json) || PLACEHOLDER.test(json));
  if (typeof json !== 'object' || json === null) return false;
  return Object.values(json).some((each) => holdsMask(each as Json, depth + 1));
}

function parse(text: string): Json | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function plain(value: AttributeValue, depth: number): Json | undefined {
  if (depth > MAX_DEPTH || value instanceof Uint8Array) return undefined;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly AttributeValue[]).map((each) => plain(each, depth + 1));
    return items.includes(undefined) ? undefined : (items as Json[]);
  }
  const members: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const [name, each] of value as ReadonlyMap<string, AttributeValue>) {
    const json = plain(each, depth + 1);
    if (json === undefined) return undefined;
    members[name] = json;
  }
  return members;
}
