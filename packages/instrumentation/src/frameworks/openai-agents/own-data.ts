import { types } from 'node:util';

/**
 * The own data member of an object, or `undefined`. Reads no accessor and no Proxy, so that looking at what passes
 * through the SDK runs no code of the application's.
 */
export function ownData(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  const member = Object.getOwnPropertyDescriptor(value, name);
  return member !== undefined && 'value' in member ? member.value : undefined;
}

/** The elements of a list, or none. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) && !types.isProxy(value) ? value : [];
}

/** A non-empty text, or `undefined`. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
