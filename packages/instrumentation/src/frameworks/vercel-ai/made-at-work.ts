import { ownData } from '../../hooks/own-data.js';
import { settingsOf } from './agent-names.js';
import { currentScope } from './run-scope.js';

/** Agents that were made inside a tool call: their tools and callbacks can read whatever the call's code can. */
const madeAtWork = new WeakSet<object>();
/** Tools that more than one call had: they are not made for any. */
const usedBefore = new WeakSet<object>();

/** An agent is being made. */
export function noteMade(agent: object): void {
  const work = currentScope()?.work;
  if (work !== undefined && !work.ended) madeAtWork.add(agent);
}

/**
 * Whether a called agent may know, by the code that was made for this call, what was never sent: an agent that was made
 * inside the tool, or a call without an agent, with tools or callbacks of its own.
 */
export function mayKnowByCode(agent: object, options: unknown): boolean {
  return [madeAtWork.has(agent) ? settingsOf(agent) : undefined, options].some((holder) => {
    const callbacks = ['prepareCall', 'prepareStep', 'experimental_prepareStep'];
    if (callbacks.some((name) => typeof ownData(holder, name) === 'function')) return true;
    const tools = ownData(holder, 'tools');
    if (typeof tools !== 'object' || tools === null || Object.keys(tools).length === 0) return false;
    const known = usedBefore.has(tools);
    usedBefore.add(tools);
    return !known;
  });
}
