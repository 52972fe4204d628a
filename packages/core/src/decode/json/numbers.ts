import { faultIn } from './shape.js';

const INTEGER = /^-?[0-9]{1,20}$/;
const DECIMAL = /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function asInteger(value: unknown, path: string, expected: string): bigint {
  if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value);
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  return faultIn(path, expected, value);
}

/** A signed 64-bit integer, written as a string (proto3 JSON) or as a number. */
export function asInt64(value: unknown, path: string): bigint {
  const integer = asInteger(value, path, 'a 64-bit integer');
  if (BigInt.asIntN(64, integer) !== integer) faultIn(path, 'an integer within 64 bits', value);
  return integer;
}

/** An unsigned 64-bit integer such as a time in Unix nanoseconds; absent is 0. */
export function asUint64(value: unknown, path: string): bigint {
  if (value === undefined) return 0n;
  const integer = asInteger(value, path, 'an unsigned 64-bit integer');
  if (BigInt.asUintN(64, integer) !== integer) faultIn(path, 'an unsigned integer within 64 bits', value);
  return integer;
}

/** A double, written as a number or as a string; proto3 JSON writes `NaN` and the infinities as strings. */
export function asDouble(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') {
    const special = SPECIAL.get(value);
    if (special !== undefined) return special;
    if (DECIMAL.test(value)) return Number(value);
  }
  return faultIn(path, 'a number', value);
}

/** An enum as its integer or its name; absent is 0. An integer that OTLP does not list is kept, as in protobuf. */
export function asEnum(value: unknown, names: readonly string[], path: string): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && (value | 0) === value) return value;
  const named = typeof value === 'string' ? names.indexOf(value) : -1;
  return named >= 0 ? named : faultIn(path, `an integer or one of ${names.join(', ')}`, value);
}
