import { sharedStorage } from '../../hooks/shared-storage.js';
import type { AgentRun, ToolWork } from './run.js';

/** Whose asynchronous call chain this is. */
export interface RunScope {
  readonly run: AgentRun;
  /** The tool call that works here: an agent that begins inside is handed to. */
  readonly work: ToolWork | undefined;
}

const scopes = sharedStorage<RunScope>('vercel-ai.v1.scopes');

/** The scope of the current call chain; `undefined` outside of every run. */
export function currentScope(): RunScope | undefined {
  return scopes.getStore();
}

/** Calls `work` with everything that it starts belonging to the scope. */
export function inScope<T>(scope: RunScope, work: () => T): T {
  return scopes.run(scope, work);
}
