import type { Contracts, EnforceMode, Route } from '@seamtrace/contracts';
import { MODES } from '../runtime/config.js';
import { warnAloud } from '../runtime/report.js';

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

/** The override as the application gives it. A mode that there is not is named and left out: it must not count as another. */
export function enforceOption(given: unknown): EnforceOverride | undefined {
  if (typeof given !== 'object' || given === null) return modeOption('enforce', given);
  const { producer, consumer } = given as Readonly<Record<Side, unknown>>;
  return { producer: modeOption('enforce.producer', producer), consumer: modeOption('enforce.consumer', consumer) };
}

function modeOption(option: string, given: unknown): EnforceMode | undefined {
  if (given === undefined || given === null) return undefined;
  const mode = MODES.find((each) => each === given);
  if (mode !== undefined) return mode;
  const shown = typeof given === 'string' ? JSON.stringify(given.slice(0, 32)) : `a ${typeof given}`;
  warnAloud(`option:${option}`, `createHandoffs: ${option} is ${shown}, none of ${MODES.join(', ')}; it is left out`);
  return undefined;
}
