import type { Contracts } from '@seamtrace/contracts';
import { hasFallbackProvider } from './current-tracer.js';
import { warnAloud, warnOnce } from './report.js';

/**
 * Tells once that contracts ask for digests which are not made, since there is no secret to key them by: nobody would see
 * otherwise that a changed value passes. On stderr under `register`, where nobody reads `diag`.
 */
export function noteDigestsOff(contracts: Contracts | undefined, secret: string | undefined): void {
  if (contracts === undefined || (secret !== undefined && secret !== '')) return;
  const routes = [...contracts.routes.values()].filter(
    ({ stateRef, versions }) =>
      stateRef !== undefined || [...versions.values()].some(({ integrity }) => integrity.length > 0),
  );
  const [first] = routes;
  if (first === undefined) return;
  const others = routes.length > 1 ? ` and ${routes.length - 1} more` : '';
  const tell = hasFallbackProvider() ? warnAloud : warnOnce;
  tell(
    'digests-off',
    `SEAMTRACE_SECRET is not set, so digests are off: integrity and state_ref of route ${first.name}${others} have no effect`,
  );
}
