import type { AttributeValue, DecodedSpan } from '../decode/types.js';

// Nothing is coerced: an attribute of another type than the wire contract gives it reads as absent.

/** Longest text that is kept of one attribute, in UTF-16 units. Names, ids and digests are far shorter. */
export const MAX_TEXT = 512;

/** A non-empty string attribute. A longer one than {@link MAX_TEXT} reads as absent, so that records stay small. */
export function readString(span: DecodedSpan, key: string): string | undefined {
  const value = span.attributes.get(key);
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;
}

/** An int attribute that is a safe, non-negative integer. */
export function readCount(span: DecodedSpan, key: string): number | undefined {
  return count(span.attributes.get(key));
}

export function count(value: AttributeValue | undefined): number | undefined {
  if (typeof value !== 'bigint' || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(value);
}

/** Longest list that is read as a whole; contracts and hop paths are far shorter. */
const MAX_LIST = 1024;

/**
 * An array attribute all of whose elements are strings of at most {@link MAX_TEXT}; an empty array counts. A longer list
 * reads as absent: half of a list would say something that nobody said.
 */
export function readStrings(span: DecodedSpan, key: string): readonly string[] | undefined {
  const list = strings(span.attributes.get(key));
  return list !== undefined && list.length <= MAX_LIST && list.every(({ length }) => length <= MAX_TEXT)
    ? list
    : undefined;
}

export function strings(value: AttributeValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return (value as readonly AttributeValue[]).every((element) => typeof element === 'string')
    ? (value as readonly string[])
    : undefined;
}

/** A string attribute that is one of the values that the wire contract knows. */
export function readEnum<T extends string>(span: DecodedSpan, key: string, values: readonly T[]): T | undefined {
  const value = span.attributes.get(key);
  return values.find((candidate) => candidate === value);
}
