import { errorTypeOf } from '../../hooks/error-type.js';
import { memberOf, ownData } from '../../hooks/own-data.js';
import { callEnds } from './delegate.js';
import type { Delegation } from './delegation.js';
import { returns } from './return-leg.js';
import { endRun } from './run-flow.js';

const REJECTED = '[Delegation Rejected]';

/** The delegation tool has returned to the agent that called it. */
export function delegationReturns(delegation: Delegation, result: unknown): void {
  const { taken } = delegation;
  if (taken === undefined) return callEnds(delegation, notTaken(result));
  if (result === undefined) suspended(delegation);
  // Versions before suspensions of delegates were passed on give an empty answer in their place.
  else if (!taken.asked) returns(delegation, taken, result);
  endRun(taken);
  callEnds(delegation, 'dispatched');
}

/** The delegation tool has failed: before the agent was called, in it, or behind it. */
export function delegationFails(delegation: Delegation, error: unknown): void {
  const { taken } = delegation;
  // Begun while the model still wrote, and not run after all: Mastra executes the same call again.
  const again = memberOf(memberOf(error, 'constructor').value, 'name').value === 'EagerToolExecutionNotRun';
  if (again) suspended(delegation);
  const errorType = errorTypeOf(error);
  if (taken === undefined) return callEnds(delegation, 'dropped', errorType);
  endRun(taken, errorType);
  callEnds(delegation, 'dispatched');
}

/** Nothing comes back from a suspended agent. Mastra executes the same call again when it is resumed. */
function suspended({ record, taken, from }: Delegation): void {
  if (record !== undefined) record.again = true;
  // Whoever is suspended behind this agent has asked the person; its own suspension follows from that.
  if (taken?.asked === true) from.asked = true;
}

/** An agent that is not of Mastra's own class was called unseen; what a hook of the application's rejects reaches nobody. */
function notTaken(result: unknown): 'dispatched' | 'dropped' | 'prevented' {
  const said = ownData(result, 'text');
  if (typeof said === 'string' && said.startsWith(REJECTED)) return 'prevented';
  // Mastra answers so to a call that does not fit the tool's schema.
  return result === undefined || ownData(result, 'error') === true ? 'dropped' : 'dispatched';
}
