import { AsyncLocalStorage } from 'node:async_hooks';
import type { AgentRun, ToolWork } from './run.js';

/** Whose asynchronous call chain this is. */
export interface RunScope {
  readonly run: AgentRun;
  /** The tool call that works here: an agent that begins inside is handed to. */
  readonly work: ToolWork | undefined;
}

const SCOPES = Symbol.for('seamtrace.instrumentation.vercel-ai.v1.scopes');
type Host = { [SCOPES]?: AsyncLocalStorage<RunScope> };

// One storage for the process: an ESM and a CommonJS copy of this package may each have patched one copy of the SDK.
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
