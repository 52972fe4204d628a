import { METADATA_CUT, METADATA_PREFIX, WANTED_KEYS, WANTED_PREFIX } from '../wanted.js';
import type { Wire } from './wire.js';

interface Candidate {
  readonly key: string;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();
const OWN = encoder.encode(WANTED_PREFIX);
const METADATA = encoder.encode(METADATA_PREFIX);
const byLength = groupByLength();

function groupByLength(): readonly (readonly Candidate[] | undefined)[] {
  const groups: Candidate[][] = [];
  for (const key of WANTED_KEYS) {
    const bytes = encoder.encode(key);
    (groups[bytes.length] ??= []).push({ key, bytes });
  }
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

/**
 * {@link wantedName} on the bytes of a key, so that a key nobody asks for never becomes a string.
 * `start` and `end` lie within the buffer.
 */
export function wantedNameInBytes(wire: Wire, start: number, end: number): string | undefined {
  const buffer = wire.buffer;
  const length = end - start;
  const candidates = byLength[length];
  if (candidates !== undefined) {
    for (const { key, bytes } of candidates) if (equals(buffer, start, bytes)) return key;
  }
  if (length >= OWN.length && startsWith(buffer, start, OWN)) return wire.text(start, end);
  if (length >= METADATA.length && startsWith(buffer, start, METADATA)) return wire.text(start + METADATA_CUT, end);
  return undefined;
}
