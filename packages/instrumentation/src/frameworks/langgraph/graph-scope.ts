import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scope } from './runs.js';

const SCOPES = Symbol.for('seamtrace.instrumentation.langgraph.v1.scopes');
type Host = { [SCOPES]?: AsyncLocalStorage<Scope> };

// One storage for the process: an ESM and a CommonJS copy of this package may each have patched one copy of a package.
const host = globalThis as Host;
if (host[SCOPES] === undefined) {
  Object.defineProperty(host, SCOPES, { value: new AsyncLocalStorage<Scope>(), configurable: true });
}
const scopes = host[SCOPES] as AsyncLocalStorage<Scope>;

/** The scope of the current call chain; `undefined` outside of every graph. */
export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

/** Calls `work` with everything that it starts belonging to `scope`. */
export function inScope<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}
