import type { HandoffRecord, SpanRef } from '../evidence/types.js';

/**
 * The record may have the evidence of this span already, since the protocol delivers at least once. Only then is it worth
 * asking whether anything changed.
 */
export function repeats(evidence: HandoffRecord, known: HandoffRecord): boolean {
  return (
    same(evidence.dispatchSpan, known.dispatchSpan) ||
    same(evidence.ingestSpan, known.ingestSpan) ||
    same(evidence.runSpan, known.runSpan)
  );
}

function same(a: SpanRef | undefined, b: SpanRef | undefined): boolean {
  return a !== undefined && b !== undefined && a.spanId === b.spanId && a.traceId === b.traceId;
}
