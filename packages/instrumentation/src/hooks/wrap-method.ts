import type { AnyFunction } from './any-function.js';

/** Takes a wrapper away again; returns false where somebody else has wrapped on top of it, so it has to stay. */
export type Unwrap = () => boolean;

/**
 * Puts a wrapper around a method of a prototype, own or inherited, and keeps name, length and enumerability. Returns
 * `undefined` where there is no such method, as in other versions of the SDK.
 */
export function wrapMethod(
  prototype: object | undefined,
  name: string,
  wrap: (original: AnyFunction) => AnyFunction,
): Unwrap | undefined {
  const holder = prototype as Record<string, unknown> | undefined;
  const original = holder?.[name];
  if (holder === undefined || typeof original !== 'function') return undefined;
  const own = Object.getOwnPropertyDescriptor(holder, name);
  const wrapper = wrap(original as AnyFunction);
  Object.defineProperty(wrapper, 'name', { value: original.name, configurable: true });
  Object.defineProperty(wrapper, 'length', { value: original.length, configurable: true });
  Object.defineProperty(holder, name, {
    value: wrapper,
    writable: true,
    configurable: true,
    enumerable: own?.enumerable ?? false,
  });
  return () => {
    if (holder[name] !== wrapper) return false;
    if (own === undefined) delete holder[name];
    else Object.defineProperty(holder, name, own);
    return true;
  };
}
