import { type Contracts, resolveAgent, routesBetween } from '@seamtrace/contracts';
import { ownData, text } from '../../hooks/own-data.js';
import type { ToolWork } from './run.js';

// Members of a tool's input by which a model says whom it wants.
const NAMING_MEMBERS = ['agent', 'agentId', 'agent_id', 'agentName', 'agent_name', 'target', 'recipient', 'assignee'];

/**
 * Whom a call of an agent inside a tool is meant for. The model chose the tool and wrote its input: where the input, or else
 * the tool, is named after an agent of the contract file, and the first agent that the tool calls is another one of it, the
 * call was meant for the one and reached the other. A helper, from or to which that agent has a declared route, is called
 * in its own name, and so is whatever the tool calls later.
 */
export function targetOf(work: ToolWork, called: string): string {
  const contracts = work.from.wiring.contracts();
  if (contracts === undefined || work.delegations.length > 0) return called;
  const own = resolveAgent(contracts, called);
  const named = decided(work, contracts);
  if (own === undefined || named === undefined || resolveAgent(contracts, named) === own) return called;
  if (named === work.from.name) return called;
  const helper = [...routesBetween(contracts, named, called), ...routesBetween(contracts, called, named)];
  return helper.length > 0 ? called : named;
}

function decided({ input, call }: ToolWork, contracts: Contracts): string | undefined {
  const written = NAMING_MEMBERS.map((member) => text(ownData(input, member)));
  return [...written, call.name].find((name) => name !== undefined && resolveAgent(contracts, name) !== undefined);
}
