import { type Contracts, resolveAgent } from '@seamtrace/contracts';

/**
 * The agent that this process hosts, where nothing at hand says who is at work: the name of the service, if the contract
 * file declares an agent of that name. Any other service is not taken for an agent.
 */
export function hostAgent(stated: string | undefined, contracts: Contracts | undefined): string | undefined {
  if (stated !== undefined && stated !== '') return stated;
  const service = process.env['OTEL_SERVICE_NAME'];
  if (service === undefined || contracts === undefined) return undefined;
  return resolveAgent(contracts, service) === undefined ? undefined : service;
}
