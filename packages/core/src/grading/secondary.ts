import { routesBetween } from '@seamtrace/contracts';
import { contractOf } from './contract.js';
import { ruleContext } from './rows.js';
import type { SecondaryGrade } from './types.js';
import type { Subject } from './subject.js';

/**
 * What a misrouted handoff was worth to the agent that really took it, by the contract of the declared route to it:
 * `null` where the file declares no such route, or several.
 */
export function secondaryOf(subject: Subject): SecondaryGrade | null {
  const { source, destination } = subject;
  const { contracts } = subject.context;
  if (contracts === undefined || source === undefined || destination === undefined) return null;
  const routes = routesBetween(contracts, source, destination);
  const [route] = routes;
  if (route === undefined || routes.length > 1) return null;
  const contract = contractOf(route);
  if (contract === undefined) return null;
  const resolution = { ok: true as const, producer: contract, consumer: contract, migration: undefined };
  const ruling = ruleContext({ ...subject, route, target: destination, contract: resolution });
  return {
    route: route.name,
    verdict: ruling.verdict,
    boundary: ruling.boundary,
    missing_keys: ruling.missingKeys,
  };
}
