import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scope } from './runs.js';

/** What the storage holds. Emptied when the work is over: timers and sockets that it opened keep the cell, and nothing more. */
interface Cell {
  scope: Scope | undefined;
}

const cells = new WeakMap<Scope, Cell>();

const SCOPES = Symbol.for('seamtrace.instrumentation.langgraph.v1.scopes');
type Host = { [SCOPES]?: AsyncLocalStorage<Cell> };

// One storage for the process: an ESM and a CommonJS copy of this package may each have patched one copy of a package.
const host = globalThis as Host;
if (host[SCOPES] === undefined) {
  Object.defineProperty(host, SCOPES, { value: new AsyncLocalStorage<Cell>(), configurable: true });
}
const scopes = host[SCOPES] as AsyncLocalStorage<Cell>;

/** The scope of the current call chain; `undefined` outside of every graph. */
export function currentScope(): Scope | undefined {
  return scopes.getStore()?.scope;
}

/** Calls `work` with everything that it starts belonging to `scope`. */
export function inScope<T>(scope: Scope, work: () => T): T {
  const cell: Cell = { scope };
  cells.set(scope, cell);
  return scopes.run(cell, work);
}

/** The work of a scope is over. */
export function leaveScope(scope: Scope): void {
  const cell = cells.get(scope);
  if (cell !== undefined) cell.scope = undefined;
}
