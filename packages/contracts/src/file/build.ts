import { createHash } from 'node:crypto';
import { toolKey } from '../contract/tool-keys.js';
import { canonicalJson } from '../keys/canonical-json.js';
import { sortUnique } from '../keys/order.js';
import type { AgentDeclaration, Contracts, ContractVersion, Migration, Route } from '../types.js';
import type { DraftContracts, DraftMigration, DraftRoute, DraftVersion } from './draft.js';
import { frozenMap } from './freeze.js';
import type { Read } from './read.js';

/** What a route does where the file does not say (wire contract, section 11). */
const ROUTE_DEFAULTS = Object.freeze({
  enforce: 'observe',
  gate: 'advisory',
  readBack: false,
  deadlineSeconds: 600,
});

type List = Read<readonly Read<string>[]> | undefined;

const texts = (items: readonly Read<string>[]): readonly string[] => Object.freeze(items.map((item) => item.value));
const list = (read: List): readonly string[] => texts(read?.value ?? []);

function buildVersion(version: string, draft: DraftVersion): ContractVersion {
  const tools = list(draft.tools).flatMap((name) => toolKey(name) ?? []);
  const withTools = (keys: readonly string[]) =>
    tools.length === 0 ? keys : Object.freeze([...new Set([...keys, ...tools])]);
  return Object.freeze({
    version,
    required: withTools(list(draft.required)),
    permitted: draft.permitted && withTools(list(draft.permitted)),
    nullable: list(draft.nullable),
    integrity: list(draft.integrity),
  });
}

function buildMigration(draft: DraftMigration): Migration {
  return Object.freeze({
    from: draft.from?.value ?? '',
    to: draft.to?.value ?? '',
    rename: frozenMap([...draft.rename].map(([source, target]) => [source, target.value] as const)),
    add: texts(draft.add),
    drop: texts(draft.drop),
  });
}

function buildRoute(name: string, draft: DraftRoute): Route {
  const versions = frozenMap([...draft.versions].map(([key, version]) => [key, buildVersion(key, version)] as const));
  const only = versions.size === 1 ? [...versions.keys()][0] : undefined;
  return Object.freeze({
    name,
    from: draft.from?.value ?? '',
    to: draft.to?.value ?? '',
    purpose: draft.purpose?.value,
    reviewedBy: draft.reviewedBy?.value,
    current: draft.current?.value ?? only,
    versions,
    migrations: Object.freeze(draft.migrations.map(buildMigration)),
    enforce: Object.freeze({
      producer: draft.producer?.value ?? ROUTE_DEFAULTS.enforce,
      consumer: draft.consumer?.value ?? ROUTE_DEFAULTS.enforce,
    }),
    onViolation: draft.onViolation?.value,
    gate: draft.gate?.value ?? ROUTE_DEFAULTS.gate,
    readBack: draft.readBack?.value ?? ROUTE_DEFAULTS.readBack,
    hopLimit: draft.hopLimit?.value,
    deadlineSeconds: draft.deadlineSeconds?.value ?? ROUTE_DEFAULTS.deadlineSeconds,
    replanIgnore: list(draft.replanIgnore),
    idempotent: list(draft.idempotent),
    stateRef: draft.stateRef?.value,
    owners: frozenMap([...draft.owners].map(([verdict, team]) => [verdict, team.value] as const)),
  });
}

/** The agents that the file declares, then those that only routes name. */
function buildAgents(draft: DraftContracts, routes: readonly Route[]): ReadonlyMap<string, AgentDeclaration> {
  const agents = new Map<string, AgentDeclaration>();
  for (const [name, { aliases, terminal }] of draft.agents ?? []) {
    agents.set(name, Object.freeze({ name, aliases: texts(aliases), terminal }));
  }
  for (const name of sortUnique(routes.flatMap((route) => [route.from, route.to]))) {
    if (!agents.has(name)) agents.set(name, Object.freeze({ name, aliases: Object.freeze([]), terminal: false }));
  }
  return frozenMap(agents);
}

/** Lists whose order says nothing are sorted, so that only what a contract says decides its digest. */
function canonicalRoute(route: Route): object {
  return {
    ...route,
    versions: new Map(
      [...route.versions].map(([name, version]) => [
        name,
        {
          required: sortUnique(version.required),
          permitted: version.permitted && sortUnique(version.permitted),
          nullable: sortUnique(version.nullable),
          integrity: sortUnique(version.integrity),
        },
      ]),
    ),
    migrations: new Map(
      route.migrations.map((each) => [
        JSON.stringify([each.from, each.to]),
        { rename: each.rename, add: sortUnique(each.add), drop: sortUnique(each.drop) },
      ]),
    ),
    replanIgnore: sortUnique(route.replanIgnore),
    idempotent: sortUnique(route.idempotent),
  };
}

function digestOf(agents: Contracts['agents'], routes: Contracts['routes']): string {
  const canonical = canonicalJson({
    agents: new Map([...agents].map(([name, each]) => [name, { ...each, aliases: sortUnique(each.aliases) }])),
    routes: new Map([...routes].map(([name, route]) => [name, canonicalRoute(route)])),
  });
  return createHash('sha256')
    .update(canonical ?? '', 'utf8')
    .digest('hex')
    .slice(0, 16);
}

/** Turns a draft without faults into frozen contracts, defaults filled in. */
export function buildContracts(draft: DraftContracts): Contracts {
  const routes = [...draft.routes].map(([name, route]) => buildRoute(name, route));
  const agents = buildAgents(draft, routes);
  const byName = frozenMap(routes.map((route) => [route.name, route] as const));
  return Object.freeze({ agents, routes: byName, digest: digestOf(agents, byName) });
}
