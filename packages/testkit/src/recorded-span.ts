import type { AttributeValue } from '@seamtrace/core';
import type { PlainMessage } from './otlp-sink.js';
import { otlpTypes } from './otlp-types.js';
import { attributeMap, child, id, integer, list, nanos, text } from './plain-otlp.js';

/** A span as it arrived, whole: other than the analyzer's decoder, a collector under test keeps everything. */
export interface RecordedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly droppedAttributesCount: number;
  readonly events: readonly { readonly name: string; readonly attributes: ReadonlyMap<string, AttributeValue> }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly resource: ReadonlyMap<string, AttributeValue>;
  readonly scope: { readonly name: string; readonly version: string };
}

/** Decodes a trace request with protobufjs, whole: the yardstick for a decoder that skips. */
export function decodeFully(bytes: Uint8Array): readonly RecordedSpan[] {
  const type = otlpTypes.traceRequest;
  return [...readSpans(type.toObject(type.decode(bytes), { longs: String }))];
}

/** All spans of a trace request in plain form. */
export function* readSpans(message: PlainMessage): Iterable<RecordedSpan> {
  for (const resourceSpans of list(message, 'resourceSpans')) {
    const resource = attributeMap(child(resourceSpans, 'resource'));
    for (const scopeSpans of list(resourceSpans, 'scopeSpans')) {
      const scope = child(scopeSpans, 'scope');
      const shared = { resource, scope: { name: text(scope, 'name'), version: text(scope, 'version') } };
      for (const span of list(scopeSpans, 'spans')) yield { ...readSpan(span), ...shared };
    }
  }
}

function readSpan(span: PlainMessage): Omit<RecordedSpan, 'resource' | 'scope'> {
  return {
    traceId: id(span, 'traceId'),
    spanId: id(span, 'spanId'),
    parentSpanId: id(span, 'parentSpanId'),
    name: text(span, 'name'),
    kind: integer(span, 'kind'),
    startUnixNano: nanos(span, 'startTimeUnixNano'),
    endUnixNano: nanos(span, 'endTimeUnixNano'),
    statusCode: integer(child(span, 'status'), 'code'),
    statusMessage: text(child(span, 'status'), 'message'),
    attributes: attributeMap(span),
    droppedAttributesCount: integer(span, 'droppedAttributesCount'),
    events: list(span, 'events').map((event) => ({ name: text(event, 'name'), attributes: attributeMap(event) })),
    links: list(span, 'links').map((link) => ({ traceId: id(link, 'traceId'), spanId: id(link, 'spanId') })),
  };
}
