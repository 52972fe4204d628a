import { VERDICTS } from '@seamtrace/semconv';
import type { Contracts, Route } from '../types.js';

/** One finding of {@link lintContracts}. */
export interface LintFinding {
  /** An `error` must be corrected before the route may be enforced; a `warning` should be known. */
  readonly severity: 'error' | 'warning';
  readonly rule: 'enforce_unprepared' | 'verdict_unowned' | 'no_terminal_reachable' | 'similar_agents';
  readonly route?: string;
  readonly agent?: string;
  readonly message: string;
}

function lintEnforcement(route: Route): LintFinding[] {
  const sides = (['producer', 'consumer'] as const).filter((side) => route.enforce[side] === 'enforce');
  if (sides.length === 0) return [];
  const lacking = [
    ...(route.onViolation === undefined ? ['on_violation'] : []),
    ...(route.purpose === undefined ? ['purpose'] : []),
    ...(route.owners.size === 0 ? ['owners'] : []),
    ...(route.reviewedBy === undefined ? ['reviewed_by'] : []),
  ];
  if (lacking.length === 0) return [];
  const message = `route ${JSON.stringify(route.name)} enforces (${sides.join(', ')}) without ${lacking.join(', ')}; write them, or observe`;
  return [{ severity: 'error', rule: 'enforce_unprepared', route: route.name, message }];
}

function lintOwners(route: Route): LintFinding[] {
  const unowned = VERDICTS.filter((verdict) => verdict !== 'passed' && !route.owners.has(verdict));
  if (unowned.length === 0) return [];
  const message = `route ${JSON.stringify(route.name)}: nobody owns ${unowned.join(', ')}`;
  return [{ severity: 'warning', rule: 'verdict_unowned', route: route.name, message }];
}

/** Agents from which a task can reach an agent that may end it. */
function endingAgents(contracts: Contracts): ReadonlySet<string> {
  const sources = new Map<string, string[]>();
  for (const { from, to } of contracts.routes.values()) sources.set(to, [...(sources.get(to) ?? []), from]);
  const ending = new Set<string>();
  const open = [...contracts.agents.values()].filter((agent) => agent.terminal).map((agent) => agent.name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (ending.has(name)) continue;
    ending.add(name);
    open.push(...(sources.get(name) ?? []));
  }
  return ending;
}

function lintTerminal(contracts: Contracts): LintFinding[] {
  const ending = endingAgents(contracts);
  return [...contracts.agents.keys()]
    .filter((agent) => !ending.has(agent))
    .map((agent) => ({
      severity: 'warning',
      rule: 'no_terminal_reachable',
      agent,
      message: `agent ${JSON.stringify(agent)} has no way to an agent that ends a task; write "terminal: true" where one ends`,
    }));
}

/** Names of one agent in two spellings make two agents; agents that differ in case or punctuation only look like that. */
function lintNames(contracts: Contracts): LintFinding[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]+/g, '');
  const seen = new Map<string, string>();
  return [...contracts.agents.keys()].flatMap((agent): LintFinding[] => {
    const other = seen.get(plain(agent));
    seen.set(plain(agent), other ?? agent);
    if (other === undefined) return [];
    const message = `agents ${JSON.stringify(other)} and ${JSON.stringify(agent)} differ only in case or punctuation; if they are one, make one an alias`;
    return [{ severity: 'warning', rule: 'similar_agents', agent, message }];
  });
}

/**
 * Reviews valid contracts (wire contract, section 11). Refused (`error`) is a route that enforces without
 * `on_violation`, `purpose`, owners and `reviewed_by`. Listed (`warning`) are verdicts that nobody owns, agents from
 * which no terminal agent can be reached, and agents whose names look like one. `passed` needs no owner. Empty for
 * contracts with nothing to say about; errors come first, then the order of the contracts.
 */
export function lintContracts(contracts: Contracts): readonly LintFinding[] {
  const routes = [...contracts.routes.values()];
  return [
    ...routes.flatMap(lintEnforcement),
    ...routes.flatMap(lintOwners),
    ...lintTerminal(contracts),
    ...lintNames(contracts),
  ];
}
