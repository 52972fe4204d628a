import { sharedStorage } from '../../hooks/shared-storage.js';
import type { Scope } from './runs.js';

/** What the storage holds. Emptied when the work is over: timers and sockets that it opened keep the cell, and nothing more. */
interface Cell {
  scope: Scope | undefined;
}

const cells = new WeakMap<Scope, Cell>();

const scopes = sharedStorage<Cell>('langgraph.v1.scopes');

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
