import { type HandoffRecord, fact, numericFact } from '@seamtrace/core';
import type { UnmeasurableReason } from '@seamtrace/semconv';

export type Latency = { readonly seconds: number } | { readonly unmeasurable: UnmeasurableReason };

const NANOS_PER_SECOND = 1e9;

/**
 * From the end of the dispatch span to the end of ingest; after a repair, from the first attempt's dispatch. Only for
 * what was taken: `undefined` for a rejected or escalated ingest and for a dispatch that never left. A negative
 * difference between two clocks is unmeasurable, never clamped (wire contract, section 7).
 */
export function latencyOf(record: HandoffRecord, siblings: readonly HandoffRecord[]): Latency | undefined {
  const dispatched = fact(record, 'dispatchOutcome');
  const ingested = fact(record, 'ingestOutcome');
  if (dispatched === 'prevented' || dispatched === 'dropped') return undefined;
  if (ingested === 'rejected' || ingested === 'escalated') return undefined;
  const start = firstDispatch(record, siblings);
  if (start === undefined) return { unmeasurable: 'dispatch_missing' };
  const end = ingestEnd(record);
  if (end === undefined) return { unmeasurable: 'ingest_missing' };
  return end < start ? { unmeasurable: 'negative' } : { seconds: Number(end - start) / NANOS_PER_SECOND };
}

/** From the first touch of what arrived to the end of ingest; `undefined` where no span says so. */
export function ingestDurationOf(record: HandoffRecord): number | undefined {
  const { ingestSpan } = record;
  if (ingestSpan === undefined) return numericFact(record, 'ingestOffset');
  const nanos = BigInt(ingestSpan.endUnixNano) - BigInt(ingestSpan.startUnixNano);
  return nanos < 0n ? undefined : Number(nanos) / NANOS_PER_SECOND;
}

/** The dispatch of the first attempt that left; `undefined` where it, or an attempt before this one, was not seen. */
function firstDispatch(record: HandoffRecord, siblings: readonly HandoffRecord[]): bigint | undefined {
  const own = siblings.filter((sibling) => sibling.handoffId === record.handoffId && sibling.attempt < record.attempt);
  const attempts = [...own, record].sort((a, b) => a.attempt - b.attempt);
  if (new Set(attempts.map(({ attempt }) => attempt)).size < record.attempt) return undefined;
  const left = attempts.filter((attempt) => !['prevented', 'dropped'].includes(fact(attempt, 'dispatchOutcome') ?? ''));
  const span = left[0]?.dispatchSpan;
  return span === undefined ? undefined : BigInt(span.endUnixNano);
}

/** An ingest span's own end, else the offset that the destination's run states from its start. */
function ingestEnd(record: HandoffRecord): bigint | undefined {
  if (record.ingestSpan !== undefined) return BigInt(record.ingestSpan.endUnixNano);
  const offset = numericFact(record, 'ingestOffset');
  if (record.runSpan === undefined || offset === undefined) return undefined;
  return BigInt(record.runSpan.startUnixNano) + BigInt(Math.round(offset * NANOS_PER_SECOND));
}
