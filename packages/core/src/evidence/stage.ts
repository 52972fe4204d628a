import { INCOMPLETE_REASONS, STAGE_KEYS, type Stage, type StageKeys } from '@seamtrace/semconv';
import { isContractKey, keysDigest, sortUnique } from '@seamtrace/contracts';
import type { AttributeValue, DecodedSpan } from '../decode/types.js';
import { type Distinct, byCodeUnit } from './distinct.js';
import { looksMasked } from './masked.js';
import { memoizeList } from './memo.js';
import { readEnum, readStrings, readString, strings } from './read.js';
import type { CaptureReason, CompleteCapture, StageExecution, StageRecord } from './types.js';

/** A capture lists at most this many keys; a longer list was not written by the rules (wire contract, section 3). */
export const MAX_CAPTURE_KEYS = 256;
const MAX_KEY_BYTES = 128;
export const MAX_VALUE_DIGESTS = 64;

export interface StageReading {
  readonly execution: number;
  /** The span's role obliges it to speak about this stage: silence is then an incomplete capture, not none. */
  readonly obliged: boolean;
  /** Contract paths that the span carries, which its capture therefore looked for. */
  readonly searched: readonly string[];
  /** Overrides what the span says: why nothing on it can be read as complete. */
  readonly doubt: CaptureReason | undefined;
}

/**
 * What one span says about one stage; an empty record where it says nothing. A capture is complete only when the span
 * holds boolean `complete=true`, `keys` as strings, and a matching count and digest (wire contract, section 3).
 */
export function readStage(span: DecodedSpan, stage: Stage, reading: StageReading): StageRecord {
  const attributes = STAGE_KEYS[stage];
  const spoken = [attributes.keys, attributes.complete, attributes.incompleteReason, attributes.keyCount];
  if (!reading.obliged && !spoken.some((key) => span.attributes.has(key))) return EMPTY_STAGE;
  const capture = reading.doubt ?? readCapture(span, attributes);
  const complete = typeof capture === 'string' ? [] : [{ keys: capture, searched: reading.searched }];
  return {
    executions: [execution(span, attributes, reading, complete, typeof capture === 'string' ? [capture] : [])],
    moreExecutions: false,
  };
}

/** A stage about which no span spoke. */
export const EMPTY_STAGE: StageRecord = { executions: [], moreExecutions: false };

function execution(
  span: DecodedSpan,
  attributes: StageKeys,
  reading: StageReading,
  complete: readonly CompleteCapture[],
  reasons: readonly CaptureReason[],
): StageExecution {
  const settled = reading.doubt !== undefined || complete.length > 0;
  const listed = settled ? [] : listedNames(span.attributes.get(attributes.keys));
  const stateRef = readString(span, attributes.stateRef);
  return {
    execution: reading.execution,
    complete,
    moreComplete: false,
    names: complete[0]?.keys ?? listed.slice(0, MAX_CAPTURE_KEYS),
    moreNames: listed.length > MAX_CAPTURE_KEYS,
    reasons,
    stateRef: stateRef === undefined ? undefined : { values: [stateRef], more: false },
    valueDigests: valueDigests(readStrings(span, attributes.valueDigests)),
  };
}

/** The keys of a complete capture, sorted; or why it is not one. */
function readCapture(span: DecodedSpan, attributes: StageKeys): readonly string[] | CaptureReason {
  const complete = span.attributes.get(attributes.complete);
  if (complete === false) return statedReason(span, attributes);
  const keys = span.attributes.has(attributes.keys) ? strings(span.attributes.get(attributes.keys)) : [];
  const count = span.attributes.get(attributes.keyCount);
  const digest = span.attributes.get(attributes.keysDigest);
  if (complete === true && keys !== undefined && count === BigInt(keys.length)) {
    const set = keySetOf(keys);
    if (set !== undefined && set.digest === digest) return set.sorted;
  }
  const values = [complete, span.attributes.get(attributes.keys), count, digest];
  return values.some(maskedValue) ? 'redacted' : 'truncated';
}

/** The set that a list of keys names, and its digest; `undefined` for a list that no capture by the rules has. */
const keySetOf = memoizeList(512, (keys) => {
  if (!wellFormed(keys)) return undefined;
  const sorted = sortUnique(keys);
  return sorted.length === keys.length ? { sorted, digest: keysDigest(sorted) } : undefined;
});

function wellFormed(keys: readonly string[]): boolean {
  return keys.length <= MAX_CAPTURE_KEYS && keys.every((key) => key !== '' && utf8Bytes(key) <= MAX_KEY_BYTES);
}

function statedReason(span: DecodedSpan, attributes: StageKeys): CaptureReason {
  const reason = readEnum(span, attributes.incompleteReason, INCOMPLETE_REASONS);
  if (reason !== undefined) return reason;
  return maskedValue(span.attributes.get(attributes.incompleteReason)) ? 'redacted' : 'capture_incomplete';
}

function maskedValue(value: AttributeValue | undefined): boolean {
  if (typeof value === 'string') return looksMasked(value);
  return Array.isArray(value) && value.some((element) => typeof element === 'string' && looksMasked(element));
}

/**
 * Names in a capture that cannot be trusted to be complete. They still prove presence, so a complete capture that
 * lacks one is contradicted. Names that no contract can list cannot matter and are left out.
 */
function listedNames(value: AttributeValue | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  const names = (value as readonly AttributeValue[]).filter(
    (element): element is string => typeof element === 'string' && isContractKey(element),
  );
  return sortUnique(names);
}

function valueDigests(entries: readonly string[] | undefined): Distinct | undefined {
  if (entries === undefined) return undefined;
  const values = [...new Set(entries)].sort(byCodeUnit);
  return { values: values.slice(0, MAX_VALUE_DIGESTS), more: values.length > MAX_VALUE_DIGESTS };
}

const encoder = new TextEncoder();

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
