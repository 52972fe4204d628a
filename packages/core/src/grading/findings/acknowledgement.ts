import { sortUnique } from '@seamtrace/contracts';
import type { HandoffRecord, SpanRef } from '../../evidence/types.js';
import { beganWithin, compareNanos, encloses } from '../../evidence/spans.js';
import { fact } from '../subject.js';
import { digestsDiffer } from './keys.js';
import type { FindingPass } from './types.js';

/**
 * The contract asks for a read-back of the acceptance criteria, and none came; a degraded envelope's never counts. What was
 * refused has nothing to be acknowledged.
 */
export const notAcknowledged: FindingPass = ({ subject: { record, route } }) => {
  if (route?.readBack !== true || !record.sides.consumer.speaks || !ingestSeen(record)) return undefined;
  const outcomes = record.facts.ingestOutcome?.values ?? [];
  if (outcomes.includes('rejected') || outcomes.includes('escalated')) return undefined;
  const degraded = fact(record, 'envelopeDegraded') === 'true';
  // Two that differ are a read-back all the same.
  const readBack = record.facts.ingestCriteria !== undefined && !degraded;
  return readBack ? undefined : { id: 'not_acknowledged', detail: { degraded } };
};

/** A span tells of the ingest. Where only the end of the run was seen, the read-back may stand on a span that was not. */
function ingestSeen({ ingestSpan, facts, stages }: HandoffRecord): boolean {
  const told = facts.ingestOutcome ?? facts.ingestOffset ?? facts.ingestCriteria;
  return (
    ingestSpan !== undefined ||
    told !== undefined ||
    stages.destination.executions.some(({ complete }) => complete.length > 0)
  );
}

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
    span.traceId === ingest.traceId &&
    compareNanos(span.startUnixNano, ingest.endUnixNano) < 0 &&
    ofThisAttempt(span, ingest, record, context.siblings);
  const tools = sortUnique(context.tools.filter(early).map(({ tool }) => tool));
  const modelCalls = (context.task?.modelCallsOf(record.handoffId) ?? []).filter(early).length;
  if (tools.length === 0 && modelCalls === 0) return undefined;
  return { id: 'acknowledged_late', detail: modelCalls === 0 ? { tools } : { tools, model_calls: modelCalls } };
};

/** Calls name their handoff, and not the attempt: the run around the ingest tells, else only what came after its first touch. */
function ofThisAttempt(
  span: SpanRef,
  ingest: SpanRef,
  { handoffId, attempt, runSpan }: HandoffRecord,
  siblings: readonly HandoffRecord[],
): boolean {
  if (runSpan !== undefined && encloses(runSpan, ingest)) return beganWithin(span, runSpan);
  const several = attempt > 1 || siblings.some((sibling) => sibling.handoffId === handoffId);
  return !several || compareNanos(span.startUnixNano, ingest.startUnixNano) >= 0;
}
