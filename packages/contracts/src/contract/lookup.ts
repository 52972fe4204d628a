import type { Contracts, ContractVersion, Migration, Route } from '../types.js';

interface Index {
  /** Agent names and aliases → agent name. */
  readonly agents: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, readonly Route[]>;
}

// Contracts are frozen, so what is looked up for every handoff is indexed once.
const indexes = new WeakMap<Contracts, Index>();
const pair = (source: string, target: string): string => JSON.stringify([source, target]);

function indexOf(contracts: Contracts): Index {
  const known = indexes.get(contracts);
  if (known !== undefined) return known;
  const agents = new Map<string, string>();
  for (const agent of contracts.agents.values()) {
    for (const name of [agent.name, ...agent.aliases]) agents.set(name, agent.name);
  }
  const pairs = new Map<string, Route[]>();
  for (const route of contracts.routes.values()) {
    const key = pair(route.from, route.to);
    const routes = pairs.get(key);
    if (routes === undefined) pairs.set(key, [route]);
    else routes.push(route);
  }
  const index = { agents, pairs };
  indexes.set(contracts, index);
  return index;
}

/** The declared agent that a name stands for, by name or alias, exactly as written; `undefined` for any other name. */
export function resolveAgent(contracts: Contracts, name: string): string | undefined {
  return indexOf(contracts).agents.get(name);
}

/** The routes declared from one agent to another, in the order of the file. Aliases are resolved. Empty for none. */
export function routesBetween(contracts: Contracts, source: string, target: string): readonly Route[] {
  const { agents, pairs } = indexOf(contracts);
  return pairs.get(pair(agents.get(source) ?? source, agents.get(target) ?? target)) ?? [];
}

/**
 * The contract in force: the version named, or where none is, the route's current one. `undefined` when the version is
 * not declared, or none is named and the route has several and no `current`.
 */
export function contractVersion(route: Route, version?: string): ContractVersion | undefined {
  const name = version ?? route.current;
  return name === undefined ? undefined : route.versions.get(name);
}

/** The declared migration between two versions of a route. Migrations are not chained. */
export function findMigration(route: Route, from: string, to: string): Migration | undefined {
  return route.migrations.find((migration) => migration.from === from && migration.to === to);
}
