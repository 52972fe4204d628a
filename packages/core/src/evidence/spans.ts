import { byCodeUnit } from './distinct.js';
import type { SpanRef } from './types.js';

/** Identity of a span: a repetition of it is the same span. */
export function spanKey({ traceId, spanId }: SpanRef): string {
  return `${traceId}/${spanId}`;
}

/** By start, then ids: a total order that does not depend on receipt. */
export function compareStarts(a: SpanRef, b: SpanRef): number {
  return compareNanos(a.startUnixNano, b.startUnixNano) || byCodeUnit(spanKey(a), spanKey(b));
}

/** Decimal nanoseconds as numbers: a longer text is a greater number. */
export function compareNanos(a: string, b: string): number {
  return a.length - b.length || byCodeUnit(a, b);
}

/** The one of the lower execution, then the one that ended first; `a` where they say the same. */
export function earlierSpan(a: SpanRef | undefined, b: SpanRef | undefined): SpanRef | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareEnds(a, b) <= 0 ? a : b;
}

/** The one of the higher execution, then the one that ended last; `a` where they say the same. */
export function laterSpan(a: SpanRef | undefined, b: SpanRef | undefined): SpanRef | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareEnds(a, b) < 0 ? b : a;
}

/** By execution and end, then by all that they say: a total order, so that no choice depends on which was read first. */
function compareEnds(a: SpanRef, b: SpanRef): number {
  const first = a.execution - b.execution || compareNanos(a.endUnixNano, b.endUnixNano);
  return first !== 0 || sameRef(a, b) ? first : byCodeUnit(JSON.stringify(a), JSON.stringify(b));
}

function sameRef(a: SpanRef, b: SpanRef): boolean {
  return (
    a.spanId === b.spanId &&
    a.traceId === b.traceId &&
    a.startUnixNano === b.startUnixNano &&
    a.failed === b.failed &&
    a.errorType === b.errorType
  );
}

/** `inner` began and ended within `outer`, in one trace. Spans of one run are of one process, so their times compare. */
export function encloses(outer: SpanRef, inner: SpanRef): boolean {
  return (
    outer.traceId === inner.traceId &&
    compareNanos(outer.startUnixNano, inner.startUnixNano) <= 0 &&
    compareNanos(inner.endUnixNano, outer.endUnixNano) <= 0
  );
}

/** `span` began while `run` lasted, in one trace. */
export function beganWithin(span: SpanRef, run: SpanRef): boolean {
  return (
    span.traceId === run.traceId &&
    compareNanos(run.startUnixNano, span.startUnixNano) <= 0 &&
    compareNanos(span.startUnixNano, run.endUnixNano) <= 0
  );
}

/** Seconds that a span lasted; 0 where it ended before it began. */
export function secondsOf(span: SpanRef): number {
  const nanos = BigInt(span.endUnixNano) - BigInt(span.startUnixNano);
  return nanos > 0n ? Number(nanos) / 1e9 : 0;
}

/**
 * Two statements about one span: what one of them leaves out, such as the owner that only the span's place in its trace
 * tells, the other may say. Where they contradict each other one is kept, whichever came first.
 */
export function joinStatements<T extends { readonly span: SpanRef }>(a: T, b: T): T {
  const joined: Record<string, unknown> = { ...a };
  for (const [name, stated] of Object.entries(b)) {
    const known = joined[name];
    if (stated === undefined || known === stated) continue;
    if (known === undefined || byCodeUnit(JSON.stringify(stated), JSON.stringify(known)) < 0) joined[name] = stated;
  }
  return joined as T;
}
