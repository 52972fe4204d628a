import { elements, memberOf } from '../../hooks/own-data.js';
import type { AgentLike } from './internal-types.js';

/**
 * What kind of agent it is, as far as handoffs go: one with a model; one of the framework's that runs its sub-agents one
 * after another (`steps`), at once (`branches`) or one of them (`choice`); a class of the application's that runs
 * sub-agents (`steps`) or works itself (`own`); a proxy of an agent elsewhere (`remote`).
 */
export type AgentShape = 'model' | 'steps' | 'branches' | 'choice' | 'own' | 'remote';

// The framework marks its own classes, so that copies of it know each other's agents.
const MARKS: readonly (readonly [symbol, AgentShape])[] = [
  [Symbol.for('google.adk.llmAgent'), 'model'],
  [Symbol.for('google.adk.sequentialAgent'), 'steps'],
  [Symbol.for('google.adk.loopAgent'), 'steps'],
  [Symbol.for('google.adk.parallelAgent'), 'branches'],
  [Symbol.for('google.adk.routedAgent'), 'choice'],
];

export function shapeOf(agent: AgentLike, remote: object | undefined): AgentShape {
  for (const [mark, shape] of MARKS) if (Object.getOwnPropertyDescriptor(agent, mark)?.value === true) return shape;
  if (remote !== undefined && Object.prototype.isPrototypeOf.call(remote, agent)) return 'remote';
  return elements(memberOf(agent, 'subAgents').value).length > 0 ? 'steps' : 'own';
}
