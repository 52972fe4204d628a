import { DecodeFault } from '../fault.js';

/** A JSON object as `JSON.parse` gives it. */
export type JsonObject = { readonly [member: string]: unknown };

/**
 * Throws a fault that names where something other than `expected` stands. Never shows the value.
 *
 * Paths are relative, and each enclosing list puts its own part before them as the fault passes ({@link nested}): a
 * path for every attribute of every sound span would cost more than reading it.
 */
export function faultIn(path: string, expected: string, found: unknown): never {
  throw new DecodeFault(`${path}: expected ${expected}, found ${kindOf(found)}`);
}

/** A caught fault with `prefix` before its path; anything else as it is. */
export function nested(prefix: string, thrown: unknown): unknown {
  return thrown instanceof DecodeFault ? new DecodeFault(prefix + thrown.reason) : thrown;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return { object: 'an object', string: 'a string', number: 'a number', boolean: 'a boolean' }[
    typeof value as 'object' | 'string' | 'number' | 'boolean'
  ];
}

/** A member by its lowerCamelCase name, else by the field's own name, as collectors accept it. `null` is absent. */
export function member(object: JsonObject, camel: string, snake: string = camel): unknown {
  return object[camel] ?? object[snake] ?? undefined;
}

export function asObject(value: unknown, path: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) faultIn(path, 'an object', value);
  return value as JsonObject;
}

/** An absent list is empty. */
export function asList(value: unknown, path: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) faultIn(path, 'an array', value);
  return value;
}

/** Absent text is empty. Lone surrogates, which UTF-8 cannot carry, become U+FFFD as they do in protobuf. */
export function asText(value: unknown, path: string): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') faultIn(path, 'a string', value);
  return wellFormed(value);
}

// In ES2024's library, and in every Node that the packages support.
interface WellFormed {
  toWellFormed(): string;
}

export function wellFormed(text: string): string {
  return (text as unknown as WellFormed).toWellFormed();
}
