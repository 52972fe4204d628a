import { types } from 'node:util';
import type { IncompleteReason } from '@seamtrace/semconv';
import { looksLikeIdentifier, MASKED_NAME } from './identifier.js';
import { incompleteCapture, type KeyCapture, type KeyCaps, sealCapture } from './key-capture.js';
import { lookUp } from './lookup.js';
import { hidesMembers, readMember } from './member.js';
import { escapeName } from './path.js';
import { type CapturePlan, planFor } from './plan.js';

/** What a capture looks for, and its limits. */
export interface CaptureOptions extends KeyCaps {
  /** Every key path that the contract lists as required or permitted. */
  readonly paths: readonly string[];
  /** Key paths whose `null` counts as present. */
  readonly nullable?: readonly string[] | undefined;
  /** Read a string as JSON text, up to 1,048,576 UTF-16 units. Without it a string is no carrier of keys. */
  readonly json?: boolean | undefined;
}

/** Names of one object that are looked at one by one; a larger object is counted, and its capture is truncated. */
const MAX_SCANNED_NAMES = 4_096;
/** Members that all paths of one capture may visit. */
const MAX_VISITS = 65_536;
const MAX_JSON_LENGTH = 1_048_576;

const { entries: mapEntries } = Map.prototype;
const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size')?.get;

interface TopLevel {
  readonly names: string[];
  /** How many members there are when they were not all looked at, else 0. */
  readonly counted: number;
}

const absent = (value: unknown, nullable: boolean): boolean => value === undefined || (value === null && !nullable);

function namesOfMap(map: Map<unknown, unknown>, plan: CapturePlan, nullable: ReadonlySet<string>): TopLevel {
  const names: string[] = [];
  let scanned = 0;
  for (const [key, value] of mapEntries.call(map) as IterableIterator<[unknown, unknown]>) {
    scanned += 1;
    if (scanned > MAX_SCANNED_NAMES) return { names, counted: Number(mapSize?.call(map)) };
    // Keys of a Map are data more often than names: only a contract can vouch for one.
    const name = typeof key === 'string' && plan.firstNames.has(key) ? escapeName(key) : MASKED_NAME;
    if (!absent(value, nullable.has(name))) names.push(name);
  }
  return { names, counted: 0 };
}

function namesOfObject(value: object, plan: CapturePlan, nullable: ReadonlySet<string>): TopLevel {
  const names: string[] = [];
  const own = Object.keys(value);
  for (let index = 0; index < own.length && index < MAX_SCANNED_NAMES; index += 1) {
    const key = own[index] as string;
    const name = escapeName(key);
    const known = plan.firstNames.has(key);
    const member = Object.getOwnPropertyDescriptor(value, key);
    if (member === undefined) continue;
    // An accessor is there, but what it would give is not known; for a contract key that is for the look-up to say.
    if ('value' in member ? absent(member.value, nullable.has(name)) : known) continue;
    names.push(known || looksLikeIdentifier(key) ? name : MASKED_NAME);
  }
  return { names, counted: own.length > MAX_SCANNED_NAMES ? own.length : 0 };
}

/** Objects that are no record of named members, whatever they hold. */
function isNoRecord(value: object): boolean {
  return (
    types.isProxy(value) ||
    Array.isArray(value) ||
    ArrayBuffer.isView(value) ||
    types.isAnyArrayBuffer(value) ||
    types.isBoxedPrimitive(value) ||
    types.isSet(value) ||
    types.isWeakMap(value) ||
    types.isWeakSet(value) ||
    types.isPromise(value) ||
    types.isDate(value) ||
    types.isRegExp(value) ||
    types.isGeneratorObject(value) ||
    types.isArgumentsObject(value) ||
    types.isExternal(value)
  );
}

function captureObject(value: object, options: CaptureOptions): KeyCapture {
  const plan = planFor(options.paths);
  const nullable = new Set(options.nullable);
  const reasons = new Set<IncompleteReason>();
  if (plan.malformed || hidesMembers(value)) reasons.add('unsupported');

  const { names, counted } = types.isMap(value)
    ? namesOfMap(value, plan, nullable)
    : namesOfObject(value, plan, nullable);
  const found = new Set(names);
  // A first name may lie beyond the scan or not be enumerable; what a listed path begins with is listed too.
  for (const first of plan.firstNames) {
    const name = escapeName(first);
    if (found.has(name)) continue;
    const member = readMember(value, first);
    if (member.kind === 'value' && !absent(member.value, nullable.has(name))) found.add(name);
  }
  const budget = { left: MAX_VISITS };
  let nested = 0;
  for (const { path, steps } of plan.paths) {
    const state = lookUp(value, steps, nullable.has(path), budget);
    if (state === 'present') {
      found.add(path);
      if (steps.length > 1) nested += 1;
    } else if (state === 'opaque') reasons.add('unsupported');
    else if (state === 'exhausted') reasons.add('truncated');
  }
  return sealCapture(found, plan.listed, reasons, options, counted === 0 ? 0 : counted + nested);
}

function parseText(text: string): { readonly value: unknown } | IncompleteReason {
  if (text.length > MAX_JSON_LENGTH) return 'truncated';
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return 'unsupported';
  }
}

/**
 * Captures the key names of a carrier of context: its top-level names, and every contract path that it holds (wire
 * contract, section 3). Values are only tested for `undefined` and `null`.
 *
 * No code of the user's runs: no getter, Proxy trap, `toJSON` or iterator. Where only that could tell whether a contract
 * key is there (an accessor or an inherited member, a Proxy, an instance with private state, a list that is no array),
 * the capture is incomplete with reason `unsupported`. So it is when the value is no record at all: a primitive, a
 * function, a list, a promise, text that is not a JSON object. An empty object is a complete capture of no keys.
 *
 * Records are plain objects, instances of classes (own members) and Maps. Names that do not look like identifiers (see
 * {@link looksLikeIdentifier}) and Map entries that no contract lists are masked. Work is bounded: of more than 4,096
 * members only the first 4,096 and those that the contract lists are looked at, and lists are followed up to 65,536
 * elements in all; beyond either the capture is `truncated`, and `keyCount` is the number of members.
 *
 * Never throws: what fails in an unforeseen way is incomplete with reason `error`.
 */
export function captureKeys(value: unknown, options: CaptureOptions): KeyCapture {
  try {
    let record = value;
    if (typeof value === 'string' && options.json === true) {
      const parsed = parseText(value);
      if (typeof parsed === 'string') return incompleteCapture(parsed);
      record = parsed.value;
    }
    if (typeof record !== 'object' || record === null || isNoRecord(record)) return incompleteCapture('unsupported');
    return captureObject(record, options);
  } catch {
    return incompleteCapture('error');
  }
}
