import { type Contracts, contractVersion, type ContractVersion, type Route, routesBetween } from '@seamtrace/contracts';
import { warnOnce } from '../runtime/report.js';

/** The declared route and version that a dispatch falls under. */
export interface RouteContract {
  readonly route: Route | undefined;
  /** The route's name; also where the application names one that this side's file does not have. */
  readonly name: string | undefined;
  readonly version: ContractVersion | undefined;
}

export interface RouteQuestion {
  readonly route: string | undefined;
  readonly version: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const NONE: RouteContract = { route: undefined, name: undefined, version: undefined };

/**
 * The contract of a dispatch: the route that the application names, else the only one declared between the two agents.
 * With none or several there is no contract: a guess would measure one route by another's terms.
 */
export function contractOf(
  contracts: Contracts | undefined,
  { route: named, version, from, to }: RouteQuestion,
): RouteContract {
  if (contracts === undefined) return { ...NONE, name: named };
  if (named !== undefined) {
    const route = contracts.routes.get(named);
    if (route === undefined) warnOnce(`route:${named}`, `route ${JSON.stringify(named)} is not in the contract file`);
    return route === undefined ? { ...NONE, name: named } : inVersion(route, version);
  }
  if (to === undefined) return NONE;
  if (from === undefined) {
    warnOnce(
      `from:${to}`,
      `who hands over to ${JSON.stringify(to)} is not known, so its route is not either; pass \`from\``,
    );
    return NONE;
  }
  const routes = routesBetween(contracts, from, to);
  const [only] = routes;
  if (only !== undefined && routes.length === 1) return inVersion(only, version);
  if (routes.length > 1) {
    const names = routes.map((route) => route.name).join(', ');
    warnOnce(`routes:${names}`, `several routes lead from ${from} to ${to} (${names}); pass \`route\``);
  }
  return NONE;
}

function inVersion(route: Route, version: string | undefined): RouteContract {
  const found = contractVersion(route, version);
  if (found === undefined) {
    const why =
      version === undefined ? 'has several versions and no `current`' : `has no version ${JSON.stringify(version)}`;
    const known = [...route.versions.keys()].join(', ') || 'none';
    warnOnce(
      `version:${route.name}:${version}`,
      `route ${route.name} ${why} (known: ${known}); no contract applies: dispatch sends the whole source, nothing is enforced`,
    );
  }
  return { route, name: route.name, version: found };
}
