import { types } from 'node:util';
import type { AnyFunction } from '../../hooks/any-function.js';
import { isThenable } from '../../hooks/own-data.js';
import { guarded } from '../../runtime/report.js';

/** What is told of a call that is followed. */
export interface Follower {
  readonly done: (result: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Calls `work` and tells how it ended, with the same result, error and order of both. A promise that nobody handles still
 * counts as unhandled, since what is returned is one that settles like it.
 */
export function follow(work: () => unknown, { done, failed }: Follower): unknown {
  const told = (result: unknown): unknown => {
    guarded('the end of a call', () => done(result), undefined);
    return result;
  };
  const threw = (error: unknown): never => {
    guarded('a failed call', () => failed(error), undefined);
    throw error;
  };
  let returned: unknown;
  try {
    returned = work();
  } catch (error) {
    return threw(error);
  }
  return isThenable(returned) ? Promise.resolve(returned).then(told, threw) : told(returned);
}

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
