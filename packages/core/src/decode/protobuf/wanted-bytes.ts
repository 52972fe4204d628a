import * as semconv from '@seamtrace/semconv';
import { DIALECT_KEYS } from '../../evidence/dialects/keys.js';
import { FOREIGN_KEYS, METADATA_CUT, METADATA_PREFIX, WANTED_KEYS, WANTED_PREFIX } from '../wanted.js';
import type { Wire } from './wire.js';

interface Candidate {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly code: number;
}

/** Codes of keys: nobody asks for it; one of ours, plain or under the metadata prefix. */
export const UNWANTED = 0;
export const OWN_KEY = 1;
export const METADATA_KEY = 2;

const FIRST_CODE = 3;
// Those of dialects come last, and of them those that mark a dialect first, so that a code tells which kind a key is of.
const keys = [...WANTED_KEYS, ...FOREIGN_KEYS];
const codes: ReadonlyMap<string, number> = new Map(keys.map((key, at) => [key, FIRST_CODE + at]));
/** From this code on a key is of {@link FOREIGN_KEYS}. */
export const FIRST_FOREIGN = FIRST_CODE + WANTED_KEYS.size;
/** From this code on it is none of {@link DIALECT_KEYS}. */
export const FIRST_UNMARKED = FIRST_FOREIGN + DIALECT_KEYS.size;

/** The code of a key outside our namespace; it is one of {@link WANTED_KEYS} or {@link FOREIGN_KEYS}. */
export function codeOf(key: string): number {
  const code = codes.get(key);
  if (code === undefined) throw new RangeError(`${key} is no wanted key`);
  return code;
}

const encoder = new TextEncoder();
const OWN = encoder.encode(WANTED_PREFIX);
const METADATA = encoder.encode(METADATA_PREFIX);
const wanted = groupByLength(keys.map((key, at) => candidate(key, FIRST_CODE + at)));
// Every key of the wire contract, so that the names which all spans of ours share are one string each.
const registered = groupByLength(
  (Object.values(semconv) as readonly unknown[])
    .filter((value) => typeof value === 'string')
    .filter((value) => value.startsWith(WANTED_PREFIX))
    .map((key) => candidate(key, OWN_KEY)),
);

function candidate(key: string, code: number): Candidate {
  return { key, bytes: encoder.encode(key), code };
}

function groupByLength(candidates: readonly Candidate[]): readonly (readonly Candidate[] | undefined)[] {
  const groups: (Candidate[] | undefined)[] = Array.from({ length: 128 }, () => undefined);
  for (const one of candidates) (groups[one.bytes.length] ??= []).push(one);
  return groups;
}

function startsWith(buffer: Uint8Array, start: number, prefix: Uint8Array): boolean {
  for (let at = 0; at < prefix.length; at++) if (buffer[start + at] !== prefix[at]) return false;
  return true;
}

// From the end: wanted and unwanted keys share their beginnings (`gen_ai.`), seldom their last letters.
function equals(buffer: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let at = bytes.length - 1; at >= 0; at--) if (buffer[start + at] !== bytes[at]) return false;
  return true;
}

function find(
  groups: readonly (readonly Candidate[] | undefined)[],
  buffer: Uint8Array,
  start: number,
  length: number,
): Candidate | undefined {
  const candidates = length < 128 ? groups[length] : undefined;
  if (candidates === undefined) return undefined;
  for (let at = 0; at < candidates.length; at++) {
    const one = candidates[at] as Candidate;
    if (equals(buffer, start, one.bytes)) return one;
  }
  return undefined;
}

/** What a key is, told from its bytes. `start` and `end` lie within the buffer. */
export function keyCode(buffer: Uint8Array, start: number, end: number): number {
  const length = end - start;
  const found = find(wanted, buffer, start, length);
  if (found !== undefined) return found.code;
  const first = buffer[start];
  if (first === OWN[0] && length >= OWN.length && startsWith(buffer, start, OWN)) return OWN_KEY;
  if (first === METADATA[0] && length >= METADATA.length && startsWith(buffer, start, METADATA)) return METADATA_KEY;
  return UNWANTED;
}

/** `wantedName` of a key whose code is known; makes a string only of a key that the wire contract does not know. */
export function nameOfKey(wire: Wire, code: number, start: number, end: number): string {
  if (code >= FIRST_CODE) return keys[code - FIRST_CODE] as string;
  if (code === METADATA_KEY) return wire.text(start + METADATA_CUT, end);
  return find(registered, wire.buffer, start, end - start)?.key ?? wire.text(start, end);
}
