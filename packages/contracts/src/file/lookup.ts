import type { Contracts, ContractVersion, Migration, Route } from '../types.js';

/** The declared name that an agent goes by, directly or through an alias; `undefined` where the file knows none. */
export function resolveAgent(contracts: Contracts, name: string): string | undefined {
  if (contracts.agents.has(name)) return name;
  for (const agent of contracts.agents.values()) {
    if (agent.aliases.includes(name)) return agent.name;
  }
  return undefined;
}

/** Declared routes from one agent to another, in the order of the file; names are resolved through aliases. */
export function routesBetween(contracts: Contracts, source: string, target: string): readonly Route[] {
  const from = resolveAgent(contracts, source) ?? source;
  const to = resolveAgent(contracts, target) ?? target;
  return [...contracts.routes.values()].filter((route) => route.from === from && route.to === to);
}

/** The named version of a route; without a name its current one. `undefined` where that is not declared or ambiguous. */
export function contractVersion(route: Route, version: string | undefined): ContractVersion | undefined {
  const name = version ?? route.current;
  return name === undefined ? undefined : route.versions.get(name);
}

/** What a builder may let cross: the permitted list, or what is required where none is written. */
export function permittedFor(version: ContractVersion): readonly string[] {
  return version.permitted ?? version.required;
}

/** The declared migration between two versions; versions are not chained through a third. */
export function findMigration(route: Route, from: string, to: string): Migration | undefined {
  return route.migrations.find((migration) => migration.from === from && migration.to === to);
}
