import { isSpanContextValid, type SpanContext } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

/** Member of a carried object with the dispatch span's W3C trace context. No attribute: it only travels. */
export const TRACE_PARENT = 'traceparent';

/** A span context as W3C `traceparent`; `undefined` for that of no real span. */
export function formatTraceParent(span: SpanContext | undefined): string | undefined {
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** Reads it back; `undefined` for what is no W3C `traceparent`, which harms nothing but the link. */
export function readTraceParent(carried: unknown): SpanContext | undefined {
  const parsed = typeof carried === 'string' ? parseTraceParent(carried) : null;
  return parsed === null ? undefined : { ...parsed, isRemote: true };
}
