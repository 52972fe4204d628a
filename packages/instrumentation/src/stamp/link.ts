import { isSpanContextValid, type Link, type SpanContext } from '@opentelemetry/api';

/**
 * The link from a span of the consumer's to the producer's, where they stand in different traces; in one trace the tree says
 * it. Without one nobody could get from one trace to the other, and the finding `trace_broken` says so.
 *
 * @param here The consumer's span, or the parent under which it begins: none begins a trace of its own.
 */
export function linksAcross(producer: SpanContext | undefined, here: SpanContext | undefined): Link[] {
  if (producer === undefined || !isSpanContextValid(producer) || producer.traceId === here?.traceId) return [];
  return [{ context: producer }];
}
