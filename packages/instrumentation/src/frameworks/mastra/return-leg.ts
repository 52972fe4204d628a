import { errorTypeOf } from '../../hooks/error-type.js';
import { memberOf, ownData } from '../../hooks/own-data.js';
import { callEnds } from './delegate.js';
import type { Delegation } from './delegation.js';
import { endRun } from './run-flow.js';

const REJECTED = '[Delegation Rejected]';

/** The delegation tool has returned to the agent that called it. */
export function delegationReturns(delegation: Delegation, result: unknown): void {
  const { taken, record } = delegation;
  if (taken === undefined) return callEnds(delegation, notTaken(result));
  // Nothing comes back from a suspended agent: the tool is executed again when it is resumed.
  if (result === undefined && record !== undefined) record.again = true;
  endRun(taken);
  callEnds(delegation, 'dispatched');
}

/** The delegation tool has failed, before the agent was called, in it, or behind it. */
export function delegationFails(delegation: Delegation, error: unknown): void {
  const { taken, record } = delegation;
  // Begun while the model still wrote, and not run after all: Mastra executes the same call again.
  const again = memberOf(memberOf(error, 'constructor').value, 'name').value === 'EagerToolExecutionNotRun';
  if (again && record !== undefined) record.again = true;
  if (taken !== undefined) endRun(taken, errorTypeOf(error));
  callEnds(
    delegation,
    taken === undefined ? 'dropped' : 'dispatched',
    taken === undefined ? errorTypeOf(error) : undefined,
  );
}

/** An agent that is not Mastra's own class was called unseen; a rejection of the application's hook reached nobody. */
function notTaken(result: unknown): 'dispatched' | 'dropped' | 'prevented' {
  const said = ownData(result, 'text');
  if (typeof said === 'string' && said.startsWith(REJECTED)) return 'prevented';
  // What Mastra answers to a call that does not fit the tool's schema.
  return ownData(result, 'error') === true || result === undefined ? 'dropped' : 'dispatched';
}
