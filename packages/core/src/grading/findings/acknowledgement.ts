import { sortUnique } from '@seamtrace/contracts';
import type { SpanRef } from '../../evidence/types.js';
import { compareNanos } from '../../tasks/spans.js';
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
 * The read-back came after the run's first model or tool call. Told only where an `ingest` span says when ingest ended, and
 * the call stands in the same trace and belongs to the same run: clocks of two processes are not compared.
 */
export const acknowledgedLate: FindingPass = ({ subject: { record, route, context } }) => {
  const ingest = record.ingestSpan;
  if (route?.readBack !== true || ingest === undefined || fact(record, 'ingestCriteria') === undefined)
    return undefined;
  const early = ({ span }: { readonly span: SpanRef }) =>
    span.traceId === ingest.traceId && compareNanos(span.startUnixNano, ingest.endUnixNano) < 0;
  const tools = sortUnique(context.tools.filter(early).map(({ tool }) => tool));
  const modelCalls = (context.task?.modelCallsOf(record.handoffId) ?? []).filter(early).length;
  if (tools.length === 0 && modelCalls === 0) return undefined;
  return { id: 'acknowledged_late', detail: modelCalls === 0 ? { tools } : { tools, model_calls: modelCalls } };
};
