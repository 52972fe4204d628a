import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** A span context that survives a message to another thread: the trace state as text. */
interface SentContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
  readonly isRemote: boolean | undefined;
  readonly traceState: string | undefined;
}

/** A finished span as plain data. Spans of one batch share few resources and scopes, which are sent once and numbered. */
export interface SentSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SentContext;
  readonly parent: SentContext | undefined;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly duration: HrTime;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
  readonly links: readonly { readonly context: SentContext; readonly rest: Omit<Link, 'context'> }[];
  readonly events: ReadableSpan['events'];
  readonly dropped: readonly [attributes: number, events: number, links: number];
  readonly resource: number;
  readonly scope: number;
}

export interface SentBatch {
  readonly spans: readonly SentSpan[];
  readonly resources: readonly { readonly attributes: Attributes; readonly schemaUrl: string | undefined }[];
  readonly scopes: readonly ReadableSpan['instrumentationScope'][];
}

export function toBatch(spans: readonly ReadableSpan[]): SentBatch {
  const resources = new Map<ReadableSpan['resource'], number>();
  const scopes = new Map<ReadableSpan['instrumentationScope'], number>();
  const number = <T>(known: Map<T, number>, value: T): number => {
    if (!known.has(value)) known.set(value, known.size);
    return known.get(value) ?? 0;
  };
  const sent = spans.map((span) => ({
    name: span.name,
    kind: span.kind,
    context: sendContext(span.spanContext()),
    parent: span.parentSpanContext === undefined ? undefined : sendContext(span.parentSpanContext),
    startTime: span.startTime,
    endTime: span.endTime,
    duration: span.duration,
    status: span.status,
    attributes: span.attributes,
    links: span.links.map(({ context, ...rest }) => ({ context: sendContext(context), rest })),
    events: span.events,
    dropped: [span.droppedAttributesCount, span.droppedEventsCount, span.droppedLinksCount] as const,
    resource: number(resources, span.resource),
    scope: number(scopes, span.instrumentationScope),
  }));
  return {
    spans: sent,
    resources: [...resources.keys()].map(({ attributes, schemaUrl }) => ({ attributes, schemaUrl })),
    scopes: [...scopes.keys()].map(({ name, version, schemaUrl }) => ({ name, version, schemaUrl }) as never),
  };
}

export function fromBatch({ spans, resources, scopes }: SentBatch): ReadableSpan[] {
  const shared = resources.map((resource) => ({ ...resource, merge: notHere, getRawAttributes: () => [] }));
  return spans.map(
    ({ context, parent, links, dropped, resource, scope, ...rest }) =>
      ({
        ...rest,
        spanContext: () => readContext(context),
        parentSpanContext: parent === undefined ? undefined : readContext(parent),
        links: links.map((link) => ({ ...link.rest, context: readContext(link.context) })),
        ended: true,
        droppedAttributesCount: dropped[0],
        droppedEventsCount: dropped[1],
        droppedLinksCount: dropped[2],
        resource: shared[resource],
        instrumentationScope: scopes[scope],
      }) as unknown as ReadableSpan,
  );
}

function sendContext({ traceId, spanId, traceFlags, isRemote, traceState }: SpanContext): SentContext {
  return { traceId, spanId, traceFlags, isRemote, traceState: traceState?.serialize() };
}

function readContext({ traceState, isRemote, ...ids }: SentContext): SpanContext {
  return {
    ...ids,
    ...(isRemote === undefined ? {} : { isRemote }),
    ...(traceState === undefined ? {} : { traceState: { serialize: () => traceState } as never }),
  };
}

function notHere(): never {
  throw new Error('a resource on the export thread is read only');
}
