import type { HandoffRecord, SpanRef } from '../evidence/types.js';

/**
 * The evidence of one span is already in a record: the protocol delivers at least once. Only a span whose id the record
 * knows is compared in full, so that ordinary evidence costs three comparisons.
 */
export function addsNothing(evidence: HandoffRecord, known: HandoffRecord, merged: HandoffRecord): boolean {
  const repeated =
    same(evidence.dispatchSpan, known.dispatchSpan) ||
    same(evidence.ingestSpan, known.ingestSpan) ||
    same(evidence.runSpan, known.runSpan);
  return repeated && JSON.stringify(merged) === JSON.stringify(known);
}

function same(a: SpanRef | undefined, b: SpanRef | undefined): boolean {
  return a !== undefined && b !== undefined && a.spanId === b.spanId && a.traceId === b.traceId;
}
