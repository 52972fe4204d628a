import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { follow, type Follower } from '../../hooks/follow-call.js';

/** Whether a tool gives its results one after another. */
export function isGenerator(value: unknown): value is AsyncGenerator {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  return ['AsyncGenerator', 'Generator'].includes(Object.prototype.toString.call(value).slice(8, -1));
}

/**
 * Follows a generator in place, as the object that its caller made stays the one that is iterated: each step runs by
 * `within`, and the last value that it gave counts as its result.
 */
export function followGenerator(generator: object, within: (work: () => unknown) => unknown, follower: Follower): void {
  const { done, failed } = follower;
  let last: unknown;
  for (const name of ['next', 'return', 'throw'] as const) {
    const original = (generator as unknown as Record<string, AnyFunction>)[name];
    if (typeof original !== 'function') continue;
    const step = (...args: unknown[]): unknown =>
      follow(() => within(() => Reflect.apply(original, generator, args)), {
        done: (result) => {
          const { done: over, value } = (result ?? {}) as { done?: boolean; value?: unknown };
          if (over === true) done(last);
          else last = value;
        },
        failed,
      });
    Object.defineProperty(generator, name, { value: step, writable: true, configurable: true });
  }
}
