import { types } from 'node:util';

/** A member of a carried object has another type than its name promises. Caught where objects are decoded. */
export class Malformed extends Error {}

/** Reads members of a carried object by type. Absent is `undefined`; another type throws {@link Malformed}. */
export interface FieldReader {
  text(key: string): string | undefined;
  /** A whole number of at least `min`. */
  whole(key: string, min: number): number | undefined;
  flag(key: string): boolean | undefined;
  texts(key: string): readonly string[] | undefined;
  oneOf<T extends string>(key: string, values: readonly T[]): T | undefined;
  /** Of any type: for members of which a damaged one is left out alone. */
  any(key: string): unknown;
}

/** A reader over own data members; `undefined` for what is no plain record. Getters and Proxies are not run. */
export function readFields(carried: unknown): FieldReader | undefined {
  if (typeof carried !== 'object' || carried === null || Array.isArray(carried) || types.isProxy(carried)) {
    return undefined;
  }
  function read<T>(key: string, is: (value: unknown) => value is T): T | undefined {
    const own = Object.getOwnPropertyDescriptor(carried, key);
    if (own === undefined || (own.value as unknown) === undefined) return undefined;
    if (!is(own.value)) throw new Malformed();
    return own.value;
  }
  return {
    text: (key) => read(key, isText),
    whole: (key, min) => read(key, (value): value is number => Number.isSafeInteger(value) && Number(value) >= min),
    flag: (key) => read(key, (value) => typeof value === 'boolean'),
    texts: (key) => read(key, isTexts),
    oneOf: <T extends string>(key: string, values: readonly T[]) =>
      read(key, (value): value is T => values.includes(value as T)),
    any: (key) => read(key, (value) => value !== undefined),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
