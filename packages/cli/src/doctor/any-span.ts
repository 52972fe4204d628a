import type { AttributeValue } from '@seamtrace/core';
import protobuf from 'protobufjs';

/** A span of any origin, as far as the doctor looks at it. */
export interface AnySpan {
  readonly service: string | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly droppedAttributes: number;
}

// The part of opentelemetry-proto 1.11 that the doctor reads. Other than grading it looks at every span whole, and it is
// run by a person now and then, so it takes the library's full decoder.
const { root } = protobuf.parse(`
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { repeated Span spans = 2; }
message Span {
  bytes trace_id = 1;
  bytes span_id = 2;
  string name = 5;
  repeated KeyValue attributes = 9;
  uint32 dropped_attributes_count = 10;
}
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1;
    bool bool_value = 2;
    int64 int_value = 3;
    double double_value = 4;
    ArrayValue array_value = 5;
    KeyValueList kvlist_value = 6;
    bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
`);
const requestType = root.lookupType('Request');

type Plain = Readonly<Record<string, unknown>>;

/** All spans of one OTLP request that is known to be readable. */
export function* readAnySpans(bytes: Uint8Array, format: 'json' | 'protobuf'): Iterable<AnySpan> {
  const request =
    format === 'protobuf'
      ? requestType.toObject(requestType.decode(bytes), { longs: String })
      : (JSON.parse(new TextDecoder().decode(bytes)) as Plain);
  for (const resourceSpans of members(request, 'resourceSpans')) {
    const service = attributesOf(member(resourceSpans, 'resource')).get('service.name');
    for (const scopeSpans of members(resourceSpans, 'scopeSpans')) {
      for (const span of members(scopeSpans, 'spans')) {
        yield {
          service: typeof service === 'string' && service !== '' ? service : undefined,
          traceId: idOf(member(span, 'traceId')),
          spanId: idOf(member(span, 'spanId')),
          name: textOf(member(span, 'name')),
          attributes: attributesOf(span),
          droppedAttributes: Number(member(span, 'droppedAttributesCount') ?? 0),
        };
      }
    }
  }
}

function attributesOf(holder: unknown): ReadonlyMap<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  for (const entry of members(holder, 'attributes'))
    found.set(textOf(member(entry, 'key')), valueOf(member(entry, 'value')));
  return found;
}

/** Deeper values say nothing to the doctor. */
const MAX_DEPTH = 8;

function valueOf(value: unknown, depth = 0): AttributeValue {
  const [kind = '', held] = Object.entries(isPlain(value) ? value : {})[0] ?? [];
  if (depth > MAX_DEPTH) return null;
  switch (kind.replace(/_[a-z]/g, (part) => part.slice(1).toUpperCase())) {
    case 'stringValue':
    case 'boolValue':
    case 'bytesValue':
      return held as AttributeValue;
    case 'intValue':
      return integerOf(held);
    case 'doubleValue':
      return Number(held);
    case 'arrayValue':
      return members(held, 'values').map((each) => valueOf(each, depth + 1));
    case 'kvlistValue':
      return new Map(
        members(held, 'values').map((entry) => [
          textOf(member(entry, 'key')),
          valueOf(member(entry, 'value'), depth + 1),
        ]),
      );
    default:
      return null;
  }
}

function integerOf(held: unknown): AttributeValue {
  try {
    return BigInt(held as string);
  } catch {
    return null;
  }
}

/** OTLP JSON writes members in lowerCamelCase; some writers keep the names of the protobuf file. */
function member(holder: unknown, name: string): unknown {
  if (!isPlain(holder)) return undefined;
  return holder[name] ?? holder[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function members(holder: unknown, name: string): readonly unknown[] {
  const list = member(holder, name);
  return Array.isArray(list) ? list : [];
}

function idOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : textOf(value).toLowerCase();
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isPlain = (value: unknown): value is Plain => typeof value === 'object' && value !== null;
