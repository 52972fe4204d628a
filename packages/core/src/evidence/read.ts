import type { AttributeValue, DecodedSpan } from '../decode/types.js';

// Nothing is coerced: an attribute of another type than the wire contract gives it reads as absent.

/** A non-empty string attribute. */
export function readString(span: DecodedSpan, key: string): string | undefined {
  const value = span.attributes.get(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An int attribute that is a safe, non-negative integer. */
export function readCount(span: DecodedSpan, key: string): number | undefined {
  return count(span.attributes.get(key));
}

export function count(value: AttributeValue | undefined): number | undefined {
  if (typeof value !== 'bigint' || value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return Number(value);
}

/** An array attribute all of whose elements are strings; an empty array counts. */
export function readStrings(span: DecodedSpan, key: string): readonly string[] | undefined {
  return strings(span.attributes.get(key));
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
