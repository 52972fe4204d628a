import { DecodeFault } from './fault.js';
import { MAX_VALUE_ITEMS } from './limits.js';
import type { AttributeValue } from './types.js';

type ValueMap = ReadonlyMap<string, AttributeValue>;

/** Structural equality of two values. `NaN` equals itself and 0 equals −0, so that a repetition never looks like a conflict. */
export function sameValue(a: AttributeValue, b: AttributeValue): boolean {
  if (a === b || (a !== a && b !== b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array) return sameBytes(a, b);
  if (a instanceof Map || b instanceof Map) return a instanceof Map && b instanceof Map && sameMap(a, b);
  const left = a as readonly AttributeValue[];
  const right = b as readonly AttributeValue[];
  return left.length === right.length && left.every((item, at) => sameValue(item, right[at] as AttributeValue));
}

function sameBytes(a: AttributeValue, b: AttributeValue): boolean {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array) || a.length !== b.length) return false;
  return a.every((byte, at) => byte === b[at]);
}

function sameMap(a: ValueMap, b: ValueMap): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !sameValue(value, other)) return false;
  }
  return true;
}

/**
 * Adds an attribute. OTLP forbids a key that stands twice in one list; where it does, equal values are one, and two
 * different values become `null`: present, of no type that evidence accepts. Picking the first or the last would let a
 * processor that appends instead of replacing decide what an agent is accused of.
 */
export function addAttribute(into: Map<string, AttributeValue>, key: string, value: AttributeValue): void {
  const earlier = into.get(key);
  if (earlier === undefined && into.size === MAX_VALUE_ITEMS) {
    throw new DecodeFault(`more than ${MAX_VALUE_ITEMS} keys in one list of attributes`);
  }
  into.set(key, earlier === undefined || sameValue(earlier, value) ? value : null);
}
