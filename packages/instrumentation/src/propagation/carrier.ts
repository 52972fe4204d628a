import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api';

interface MapLike {
  get(key: string): unknown;
  set(key: string, value: string): unknown;
}

function isMapLike(carrier: unknown): carrier is MapLike {
  return (
    typeof carrier === 'object' &&
    carrier !== null &&
    typeof (carrier as Partial<MapLike>).get === 'function' &&
    typeof (carrier as Partial<MapLike>).set === 'function'
  );
}

function keysOf(carrier: unknown): string[] {
  if (carrier instanceof Map || carrier instanceof Headers) return [...carrier.keys()].map(String);
  return typeof carrier === 'object' && carrier !== null ? Object.keys(carrier) : [];
}

/** Writes into plain objects, `Headers` and Maps of strings. */
export const defaultSetter: TextMapSetter<unknown> = {
  set(carrier, key, value) {
    if (isMapLike(carrier)) carrier.set(key, value);
    else if (typeof carrier === 'object' && carrier !== null) {
      // A second spelling of a header that is there already would be two headers on the wire.
      const spelled = keysOf(carrier).find((name) => name.toLowerCase() === key.toLowerCase());
      (carrier as Record<string, string>)[spelled ?? key] = value;
    }
  },
};

/**
 * Reads from plain objects, `Headers` and Maps. Names of plain objects are compared without regard to case, as Node.js
 * lowers those of incoming requests and other libraries do not.
 */
export const defaultGetter: TextMapGetter<unknown> = {
  keys: keysOf,
  get(carrier, key) {
    const value =
      read(carrier, key) ??
      read(
        carrier,
        keysOf(carrier).find((name) => name.toLowerCase() === key),
      );
    if (Buffer.isBuffer(value)) return value.toString('utf8');
    return Array.isArray(value) ? (value as string[]) : (value as string | undefined);
  },
};

function read(carrier: unknown, key: string | undefined): unknown {
  if (key === undefined || typeof carrier !== 'object' || carrier === null) return undefined;
  return isMapLike(carrier) ? carrier.get(key) : (carrier as Record<string, unknown>)[key];
}

/** One text under a key; the first of several. Anything else is absent. */
export function textAt<C>(carrier: C, key: string, getter: TextMapGetter<C>): string | undefined {
  const found: unknown = getter.get(carrier, key);
  const first: unknown = Array.isArray(found) ? found[0] : found;
  return typeof first === 'string' ? first : undefined;
}
