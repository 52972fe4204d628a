import { AsyncLocalStorage } from 'node:async_hooks';
import type { Delegation } from './delegation.js';
import type { Network } from './network.js';
import type { MastraRun } from './run.js';

/** Whose asynchronous call chain this is. */
export interface RunScope {
  /** The innermost run; `undefined` between the runs of a network that began outside of every run. */
  readonly run: MastraRun | undefined;
  /** The call of a delegation tool, or of any other tool, that works here: an agent that begins inside is handed to. */
  readonly call: Delegation | undefined;
  /** The network whose steps work here, between the runs of its agents. */
  readonly network?: Network | undefined;
}

const SCOPES = Symbol.for('seamtrace.instrumentation.mastra.v1.scopes');
type Host = { [SCOPES]?: AsyncLocalStorage<RunScope> };

// One storage for the process: an ESM and a CommonJS copy of this package may each have patched one copy of Mastra.
const host = globalThis as Host;
if (host[SCOPES] === undefined) {
  Object.defineProperty(host, SCOPES, { value: new AsyncLocalStorage<RunScope>(), configurable: true });
}
const scopes = host[SCOPES] as AsyncLocalStorage<RunScope>;

/** The scope of the current call chain; `undefined` outside of every run. */
export function currentScope(): RunScope | undefined {
  return scopes.getStore();
}

/** Calls `work` with everything that it starts belonging to the scope. */
export function inScope<T>(scope: RunScope, work: () => T): T {
  return scopes.run(scope, work);
}
