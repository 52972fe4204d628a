import { sortUnique } from '@seamtrace/contracts';
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

/**
 * The read-back came after the run's first tool call. Told only where an `ingest` span says when ingest ended, and the call
 * stands in the same trace: clocks of two processes are not compared.
 */
export const acknowledgedLate: FindingPass = ({ subject: { record, route, context } }) => {
  const ingest = record.ingestSpan;
  if (route?.readBack !== true || ingest === undefined || fact(record, 'ingestCriteria') === undefined)
    return undefined;
  const readBackAt = BigInt(ingest.endUnixNano);
  const earlier = context.tools.filter(
    ({ span }) => span.traceId === ingest.traceId && BigInt(span.startUnixNano) < readBackAt,
  );
  return earlier.length === 0
    ? undefined
    : { id: 'acknowledged_late', detail: { tools: sortUnique(earlier.map(({ tool }) => tool)) } };
};
