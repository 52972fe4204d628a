import { fact } from '../subject.js';
import { digestsDiffer } from './keys.js';
import type { FindingPass } from './types.js';

/** The contract asks for a read-back of the acceptance criteria, and none came; a degraded envelope's never counts. */
export const notAcknowledged: FindingPass = ({ subject: { record, route } }) => {
  if (route?.readBack !== true || !record.sides.consumer.speaks) return undefined;
  const readBack = fact(record, 'ingestCriteria');
  const degraded = fact(record, 'envelopeDegraded') === 'true';
  return readBack === undefined || degraded ? { id: 'not_acknowledged', detail: { degraded } } : undefined;
};

/** The criteria that the receiver restated are not those that were sent. */
export const readBackMismatch: FindingPass = ({ subject: { record } }) => {
  const sent = fact(record, 'dispatchCriteria');
  const restated = fact(record, 'ingestCriteria');
  if (sent === undefined || restated === undefined) return undefined;
  return digestsDiffer(sent, restated) ? { id: 'read_back_mismatch', detail: { sent, restated } } : undefined;
};
