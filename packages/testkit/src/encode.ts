import type { AttributeValue } from '@seamtrace/core';
import { otlpTypes } from './otlp-types.js';
import { attributePairs } from './request-model.js';
import type { Attributes, SpanModel, TraceRequestModel } from './request-model.js';

type Plain = { readonly [member: string]: unknown };

/** How the two encodings write what they do not share: ids and bytes. */
interface Notation {
  id(hex: string): unknown;
  bytes(bytes: Uint8Array): unknown;
}

const inProtobuf: Notation = { id: (hex) => Buffer.from(hex, 'hex'), bytes: (bytes) => bytes };
const inJson: Notation = { id: (hex) => hex, bytes: (bytes) => Buffer.from(bytes).toString('base64') };

/** The request as OTLP protobuf. */
export function encodeProtobuf(request: TraceRequestModel): Uint8Array {
  const type = otlpTypes.traceRequest;
  return type.encode(type.fromObject(plainRequest(request, inProtobuf))).finish();
}

/** The request as OTLP JSON, as the specification writes it: hex ids, lowerCamelCase, 64-bit integers as strings. */
export function encodeJson(request: TraceRequestModel): string {
  return JSON.stringify(plainRequest(request, inJson));
}

function plainRequest(request: TraceRequestModel, notation: Notation): Plain {
  return {
    resourceSpans: request.resources.map(({ attributes, scopes }) => ({
      resource: { attributes: plainAttributes(attributes, notation) },
      scopeSpans: scopes.map(({ name, version, spans }) => ({
        scope: { name, version: version ?? '' },
        spans: spans.map((span) => plainSpan(span, notation)),
      })),
    })),
  };
}

function plainSpan(span: SpanModel, notation: Notation): Plain {
  return {
    traceId: notation.id(span.traceId),
    spanId: notation.id(span.spanId),
    traceState: span.traceState ?? '',
    parentSpanId: notation.id(span.parentSpanId ?? ''),
    name: span.name,
    kind: span.kind ?? 0,
    startTimeUnixNano: span.startUnixNano.toString(),
    endTimeUnixNano: span.endUnixNano.toString(),
    attributes: plainAttributes(span.attributes, notation),
    events: (span.events ?? []).map(({ timeUnixNano, name, attributes }) => ({
      timeUnixNano: timeUnixNano.toString(),
      name,
      attributes: plainAttributes(attributes, notation),
    })),
    links: (span.links ?? []).map(({ traceId, spanId, traceState, attributes }) => ({
      traceId: notation.id(traceId),
      spanId: notation.id(spanId),
      traceState: traceState ?? '',
      attributes: plainAttributes(attributes, notation),
    })),
    status: { message: span.statusMessage ?? '', code: span.statusCode ?? 0 },
    flags: span.flags ?? 0,
  };
}

function plainAttributes(attributes: Attributes | undefined, notation: Notation): readonly Plain[] {
  return attributePairs(attributes).map(([key, value]) => ({ key, value: plainValue(value, notation) }));
}

function plainValue(value: AttributeValue, notation: Notation): Plain {
  if (value === null) return {};
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'bigint') return { intValue: value.toString() };
  // proto3 JSON has no literal for these; protobufjs reads the strings just as well.
  if (typeof value === 'number') return { doubleValue: isPlainNumber(value) ? value : numberText(value) };
  if (value instanceof Uint8Array) return { bytesValue: notation.bytes(value) };
  if (value instanceof Map) return { kvlistValue: { values: plainAttributes(value, notation) } };
  const items = value as readonly AttributeValue[];
  return { arrayValue: { values: items.map((item) => plainValue(item, notation)) } };
}

function isPlainNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
