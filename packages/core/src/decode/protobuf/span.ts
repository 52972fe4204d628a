import { addAttribute } from '../attributes.js';
import { DecodeFault } from '../fault.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import type { AttributeValue, DecodedLink, DecodedResource, DecodedScope, DecodedSpan } from '../types.js';
import { checkValue, scanKeyValue, valueOf } from './value.js';
import { wantedNameInBytes } from './wanted-bytes.js';
import {
  eachField,
  expectWireType,
  FIXED64,
  LENGTH_DELIMITED,
  passFixed64,
  readEnum,
  readFrameEnd,
  readTag,
  skipField,
  VARINT,
} from './wire.js';
import type { Wire } from './wire.js';

/** What all spans of one scope share. */
export interface SpanSetting {
  readonly resource: DecodedResource;
  readonly scope: DecodedScope;
}

/** Fields of `Span` that are read, by field number. Others (trace state, events, counts, flags) are passed over. */
const SPAN_FIELDS = [
  undefined,
  { name: 'trace_id', wireType: LENGTH_DELIMITED },
  { name: 'span_id', wireType: LENGTH_DELIMITED },
  undefined,
  { name: 'parent_span_id', wireType: LENGTH_DELIMITED },
  { name: 'name', wireType: LENGTH_DELIMITED },
  { name: 'kind', wireType: VARINT },
  { name: 'start_time_unix_nano', wireType: FIXED64 },
  { name: 'end_time_unix_nano', wireType: FIXED64 },
  { name: 'attributes', wireType: LENGTH_DELIMITED },
  undefined,
  undefined,
  undefined,
  { name: 'links', wireType: LENGTH_DELIMITED },
  undefined,
  { name: 'status', wireType: LENGTH_DELIMITED },
] as const;

interface Place {
  start: number;
  end: number;
}

/**
 * Reads the span between the cursor and `end`; `undefined` when it carries no wanted attribute. Everything but wanted
 * attributes is only located in this pass, and becomes strings and numbers once the span turns out to speak.
 *
 * @throws DecodeFault where the span cannot be read
 */
export function readSpan(wire: Wire, end: number, setting: SpanSetting): DecodedSpan | undefined {
  const { reader } = wire;
  reader.len = end;
  const traceId: Place = { start: 0, end: 0 };
  const spanId: Place = { start: 0, end: 0 };
  const parentSpanId: Place = { start: 0, end: 0 };
  const name: Place = { start: 0, end: 0 };
  let kind = 0;
  let startAt = -1;
  let endAt = -1;
  let statusCode = 0;
  let attributes: Map<string, AttributeValue> | undefined;
  let links: number[] | undefined;
  while (reader.pos < end) {
    const tag = readTag(reader, 'Span');
    const number = tag >>> 3;
    const field = SPAN_FIELDS[number];
    if (field === undefined) {
      skipField(reader, tag, 'Span');
      continue;
    }
    expectWireType(reader, tag, field.wireType, field.name);
    switch (number) {
      case 9:
        attributes = readAttribute(wire, readFrameEnd(reader, 'attributes'), attributes);
        break;
      case 1:
        pass(wire, traceId, 'trace_id');
        break;
      case 2:
        pass(wire, spanId, 'span_id');
        break;
      case 4:
        pass(wire, parentSpanId, 'parent_span_id');
        break;
      case 5:
        pass(wire, name, 'name');
        break;
      case 6:
        kind = readEnum(reader, 'kind');
        break;
      case 7:
        startAt = passFixed64(reader, 'start_time_unix_nano');
        break;
      case 8:
        endAt = passFixed64(reader, 'end_time_unix_nano');
        break;
      case 13: {
        const linkEnd = readFrameEnd(reader, 'links');
        (links ??= []).push(reader.pos, linkEnd);
        reader.pos = linkEnd;
        break;
      }
      default:
        statusCode = readStatusCode(wire, readFrameEnd(reader, 'status'), statusCode);
    }
  }
  requireId(wire, traceId, TRACE_ID_BYTES, 'trace_id');
  requireId(wire, spanId, SPAN_ID_BYTES, 'span_id');
  const parent = optionalId(wire, parentSpanId, SPAN_ID_BYTES, 'parent_span_id');
  const decodedLinks = readLinks(wire, links);
  if (attributes === undefined) return undefined;
  return {
    traceId: hex(wire, traceId),
    spanId: hex(wire, spanId),
    parentSpanId: parent ? hex(wire, parentSpanId) : '',
    name: wire.text(name.start, name.end),
    kind,
    startUnixNano: startAt < 0 ? 0n : wire.view.getBigUint64(startAt, true),
    endUnixNano: endAt < 0 ? 0n : wire.view.getBigUint64(endAt, true),
    statusCode,
    attributes,
    links: decodedLinks,
    resource: setting.resource,
    scope: setting.scope,
  };
}

function pass(wire: Wire, place: Place, field: string): void {
  place.end = readFrameEnd(wire.reader, field);
  place.start = wire.reader.pos;
  wire.reader.pos = place.end;
}

function readAttribute(
  wire: Wire,
  end: number,
  attributes: Map<string, AttributeValue> | undefined,
): Map<string, AttributeValue> | undefined {
  const entry = scanKeyValue(wire, end);
  const name = wantedNameInBytes(wire, entry.keyStart, entry.keyEnd);
  if (name === undefined) {
    checkValue(wire, entry);
    return attributes;
  }
  const into = attributes ?? new Map<string, AttributeValue>();
  addAttribute(into, name, valueOf(wire, entry, 1));
  return into;
}

function readStatusCode(wire: Wire, end: number, earlier: number): number {
  let code = earlier;
  eachField(wire.reader, end, 'Status', (number, tag) => {
    if (number !== 3) return false;
    expectWireType(wire.reader, tag, VARINT, 'status.code');
    code = readEnum(wire.reader, 'status.code');
    return true;
  });
  return code;
}

/** Links are always checked; one without both ids says nothing and is left out, as the API allows empty links. */
function readLinks(wire: Wire, places: readonly number[] | undefined): readonly DecodedLink[] {
  if (places === undefined) return NO_LINKS;
  const links: DecodedLink[] = [];
  for (let at = 0; at < places.length; at += 2) {
    const link = readLink(wire, places[at] as number, places[at + 1] as number);
    if (link !== undefined) links.push(link);
  }
  return links;
}

const NO_LINKS: readonly DecodedLink[] = Object.freeze([]);

function readLink(wire: Wire, start: number, end: number): DecodedLink | undefined {
  const traceId: Place = { start: 0, end: 0 };
  const spanId: Place = { start: 0, end: 0 };
  wire.reader.pos = start;
  eachField(wire.reader, end, 'Link', (number, tag) => {
    if (number !== 1 && number !== 2) return false;
    const field = number === 1 ? 'links.trace_id' : 'links.span_id';
    expectWireType(wire.reader, tag, LENGTH_DELIMITED, field);
    pass(wire, number === 1 ? traceId : spanId, field);
    return true;
  });
  const hasTrace = optionalId(wire, traceId, TRACE_ID_BYTES, 'links.trace_id');
  const hasSpan = optionalId(wire, spanId, SPAN_ID_BYTES, 'links.span_id');
  return hasTrace && hasSpan ? { traceId: hex(wire, traceId), spanId: hex(wire, spanId) } : undefined;
}

function requireId(wire: Wire, place: Place, length: number, field: string): void {
  if (place.end === place.start) throw new DecodeFault(`${field} is missing; ${length} bytes are required`);
  if (!optionalId(wire, place, length, field)) {
    throw new DecodeFault(`${field} at byte ${place.start} is all zeros, which identifies nothing`);
  }
}

/** Whether an id is stated. Empty and all zeros both mean "none"; any other length is a fault. */
function optionalId(wire: Wire, place: Place, length: number, field: string): boolean {
  const found = place.end - place.start;
  if (found === 0) return false;
  if (found !== length) {
    throw new DecodeFault(`${field} at byte ${place.start} has ${found} bytes; ${length} are required`);
  }
  for (let at = place.start; at < place.end; at++) if (wire.buffer[at] !== 0) return true;
  return false;
}

function hex(wire: Wire, place: Place): string {
  return wire.buffer.toString('hex', place.start, place.end);
}
