import type { HandoffRecord, SpanRef } from '@seamtrace/core';

/** The span that stands for a handoff: the destination's, else its ingest, else its dispatch. */
export function spanOf({ runSpan, ingestSpan, dispatchSpan }: HandoffRecord): SpanRef | undefined {
  return runSpan ?? ingestSpan ?? dispatchSpan;
}
