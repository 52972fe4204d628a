import { type Contracts, resolveAgent } from '@seamtrace/contracts';
import { memberOf, text } from '../../hooks/own-data.js';
import type { AgentLike } from './internal-types.js';

/** The names of one agent: what it calls itself, and how its calls are told apart from those of others. */
export interface AgentNames {
  readonly name: string | undefined;
  readonly id: string | undefined;
}

/** Reads an agent's names without running a getter of the application's. */
export function namesOf(agent: AgentLike | undefined): AgentNames {
  return { name: text(memberOf(agent, 'name').value), id: text(memberOf(agent, 'id').value) };
}

/** Who is handed to, and who takes it. They differ where a key that the contract file knows leads to another agent. */
export interface RouteNames {
  readonly target: string;
  readonly destination: string;
}

/**
 * The name by which an agent is stated: its name, or its id where only that is declared. A contract file may know agents
 * by any of the three names that Mastra gives them.
 */
export function statedName({ name, id }: AgentNames, contracts: Contracts | undefined): string | undefined {
  return declared([name, id], contracts) ?? name ?? id;
}

/**
 * Whom a delegation names. The model chose the tool `agent-<key>`: where the key and the agent behind it are two agents
 * of the contract file, the call was meant for the one and reached the other. Otherwise the key is only a variable's
 * name, and the agent speaks for itself.
 */
export function routeNames(
  key: string | undefined,
  agent: AgentNames,
  contracts: Contracts | undefined,
): RouteNames | undefined {
  const own = declared([agent.name, agent.id], contracts);
  const named = declared([key], contracts);
  if (named !== undefined && own !== undefined) return { target: named, destination: own };
  const stated = own ?? named ?? agent.name ?? agent.id ?? key;
  return stated === undefined ? undefined : { target: stated, destination: stated };
}

function declared(names: readonly (string | undefined)[], contracts: Contracts | undefined): string | undefined {
  if (contracts === undefined) return undefined;
  return names.find((name) => name !== undefined && resolveAgent(contracts, name) !== undefined);
}
