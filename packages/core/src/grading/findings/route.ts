import { type Contracts, routesBetween } from '@seamtrace/contracts';
import { foldName } from '../../evidence/fold-name.js';
import { looksRewritten } from '../../evidence/masked.js';
import { isInferred } from '../../evidence/whole.js';
import { declared } from '../names.js';
import { mayReturn } from '../subject.js';
import { idReused } from '../rows.js';
import type { FindingPass } from './types.js';

/** The contract file knows no route from this source to this target. Returns need none. */
export const undeclaredRoute: FindingPass = ({ subject: { record, source, target, context } }) => {
  const { contracts } = context;
  if (contracts === undefined || source === undefined || target === undefined) return undefined;
  if (mayReturn(record) || routesBetween(contracts, source, target).length > 0) return undefined;
  if ([source, target].some((name) => mayBeDeclared(name, contracts))) return undefined;
  // By other names than the file's, another instrumentation may speak of the file's agents.
  if (isInferred(record) && [source, target].some((name) => declared(name, contracts) === undefined)) return undefined;
  return { id: 'undeclared_route', detail: { source, target } };
};

/** An undeclared name that may be a declared one, rewritten or shortened on its way. */
function mayBeDeclared(name: string, contracts: Contracts): boolean {
  if (declared(name, contracts) !== undefined) return false;
  const spellings = [...contracts.agents.values()].flatMap((agent) => [agent.name, ...agent.aliases]);
  return looksRewritten(name) || spellings.some((spelling) => foldName(spelling).startsWith(foldName(name)));
}

/** The sides work under different versions, which a migration bridges. */
export const versionSkew: FindingPass = ({ subject: { contract } }) => {
  if (!contract.ok || contract.migration === undefined) return undefined;
  return { id: 'version_skew', detail: { source: contract.producer.version, destination: contract.consumer.version } };
};

/** One id names two handoffs: the consumer restates a payload that was never dispatched under it. */
export const identityReused: FindingPass = ({ subject: { record } }) =>
  idReused(record) ? { id: 'identity_reused', detail: { handoff_id: record.handoffId } } : undefined;
