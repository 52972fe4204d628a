import type { Contracts, EnforceMode, Route } from '@seamtrace/contracts';

/** What the application or the environment says instead of the contract file, for both sides or for one. */
export type EnforceOverride =
  EnforceMode | { readonly producer?: EnforceMode | undefined; readonly consumer?: EnforceMode | undefined };

export type Side = 'producer' | 'consumer';

/** How strict one side of a route is. Without a declared route nothing is enforced, whatever the override says. */
export function enforceMode(side: Side, route: Route | undefined, override: EnforceOverride | undefined): EnforceMode {
  if (route === undefined) return 'observe';
  const stated = typeof override === 'object' ? override[side] : override;
  return stated ?? route.enforce[side];
}

/** The declared route of a name, if this side's contract file has it. */
export function routeNamed(contracts: Contracts | undefined, name: string | undefined): Route | undefined {
  return name === undefined ? undefined : contracts?.routes.get(name);
}
