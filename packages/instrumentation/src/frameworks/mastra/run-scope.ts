import { sharedStorage } from '../../hooks/shared-storage.js';
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

const scopes = sharedStorage<RunScope>('mastra.v1.scopes');

/** The scope of the current call chain; `undefined` outside of every run. */
export function currentScope(): RunScope | undefined {
  return scopes.getStore();
}

/** Calls `work` with everything that it starts belonging to the scope. */
export function inScope<T>(scope: RunScope, work: () => T): T {
  return scopes.run(scope, work);
}
