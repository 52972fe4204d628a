import type { AttributeValue } from '@seamtrace/core';

/** Attributes as an object, or as pairs where a test needs an order or a key that stands twice. */
export type Attributes =
  Readonly<Record<string, AttributeValue>> | Iterable<readonly [key: string, value: AttributeValue]>;

export interface EventModel {
  readonly timeUnixNano: bigint;
  readonly name: string;
  readonly attributes?: Attributes;
}

export interface LinkModel {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState?: string;
  readonly attributes?: Attributes;
}

/** A span as a test writes it down. Ids are hex, of any length, so that bad ones can be written too. */
export interface SpanModel {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name: string;
  readonly kind?: number;
  readonly startUnixNano: bigint;
  readonly endUnixNano: bigint;
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly attributes?: Attributes;
  readonly events?: readonly EventModel[];
  readonly links?: readonly LinkModel[];
  readonly flags?: number;
}

export interface ScopeModel {
  readonly name: string;
  readonly version?: string;
  readonly spans: readonly SpanModel[];
}

export interface ResourceModel {
  readonly attributes?: Attributes;
  readonly scopes: readonly ScopeModel[];
}

/** An `ExportTraceServiceRequest`. */
export interface TraceRequestModel {
  readonly resources: readonly ResourceModel[];
}

/** One request with all spans under one resource and one scope. */
export function traceRequest(spans: readonly SpanModel[], serviceName = 'test-agent'): TraceRequestModel {
  return {
    resources: [{ attributes: { 'service.name': serviceName }, scopes: [{ name: 'test', version: '1', spans }] }],
  };
}

/** Attributes as pairs, however they were written. */
export function attributePairs(attributes: Attributes = {}): readonly (readonly [string, AttributeValue])[] {
  return isIterable(attributes) ? [...attributes] : Object.entries(attributes);
}

function isIterable(attributes: Attributes): attributes is Iterable<readonly [string, AttributeValue]> {
  return Symbol.iterator in attributes;
}
