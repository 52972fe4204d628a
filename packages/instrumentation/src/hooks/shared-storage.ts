import { AsyncLocalStorage } from 'node:async_hooks';

type Host = { [key: symbol]: AsyncLocalStorage<unknown> | undefined };

/**
 * An asynchronous storage that all copies of this package in the process share: an ESM and a CommonJS copy may each have
 * patched one copy of a framework.
 *
 * @param name What it holds, and the version of its shape, such as `mastra.v1.scopes`.
 */
export function sharedStorage<T>(name: string): AsyncLocalStorage<T> {
  const key = Symbol.for(`seamtrace.instrumentation.${name}`);
  const host = globalThis as Host;
  if (host[key] === undefined)
    Object.defineProperty(host, key, { value: new AsyncLocalStorage<T>(), configurable: true });
  return host[key] as AsyncLocalStorage<T>;
}
