import { DecodeFault } from '../fault.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import { readFacts } from '../outline-facts.js';
import type { OutlineBuilder } from '../outline.js';
import type { DecodedLink, DecodedResource, DecodedScope, DecodedSpan } from '../types.js';
import { mayBeForeign } from './foreign.js';
import { clearWanted, locateAttribute, noteEvent, readWanted, type WantedAttributes } from './attribute.js';
import type { FactsReader } from './facts.js';
import type { ForeignReader } from './foreign.js';
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

const STATUS_ERROR = 2;
const ATTRIBUTES_TAG = 0x4a;
const EVENTS_TAG = 0x5a;

/** What all spans of one scope share. */
export interface SpanSetting {
  readonly resource: DecodedResource;
  readonly scope: DecodedScope;
  readonly outline: OutlineBuilder;
  readonly facts: FactsReader;
  /** Scratch of one span. */
  readonly wanted: WantedAttributes;
  readonly foreign: ForeignReader;
}

/**
 * Fields of `Span` that are read, by field number. Others (trace state, counts, flags) are passed over, and so are events,
 * of which only the places are noted.
 */
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

/**
 * Reads the span between the cursor and `end`; `undefined` when it carries nothing of ours, and then only the outline
 * tells of it. Everything is only located in the first pass, and becomes strings and numbers once it is known to be needed.
 *
 * @throws DecodeFault where the span cannot be read
 */
export function readSpan(wire: Wire, end: number, setting: SpanSetting): DecodedSpan | undefined {
  const { reader, buffer } = wire;
  reader.len = end;
  // Offsets, 0 where absent: no field of a span stands at the very start of a request.
  let traceStart = 0;
  let traceEnd = 0;
  let spanStart = 0;
  let spanEnd = 0;
  let parentStart = 0;
  let parentEnd = 0;
  let nameStart = 0;
  let nameEnd = 0;
  let startAt = 0;
  let endAt = 0;
  let kind = 0;
  let statusCode = 0;
  const { wanted, outline } = setting;
  clearWanted(wanted);
  let links: number[] | undefined;
  while (reader.pos < end) {
    // Two of three fields of a span.
    if (buffer[reader.pos] === ATTRIBUTES_TAG) {
      reader.pos += 1;
      locateAttribute(wire, readFrameEnd(reader, 'attributes'), wanted);
      continue;
    }
    const tag = readTag(reader, 'Span');
    const number = tag >>> 3;
    const field = SPAN_FIELDS[number];
    if (field === undefined) {
      if (tag === EVENTS_TAG) {
        const eventEnd = readFrameEnd(reader, 'field 11 of Span');
        noteEvent(wanted, reader.pos, eventEnd);
        reader.pos = eventEnd;
      } else skipField(reader, tag, 'Span');
      continue;
    }
    expectWireType(reader, tag, field.wireType, field.name);
    switch (number) {
      case 1:
        traceEnd = readFrameEnd(reader, field.name);
        traceStart = reader.pos;
        reader.pos = traceEnd;
        break;
      case 2:
        spanEnd = readFrameEnd(reader, field.name);
        spanStart = reader.pos;
        reader.pos = spanEnd;
        break;
      case 4:
        parentEnd = readFrameEnd(reader, field.name);
        parentStart = reader.pos;
        reader.pos = parentEnd;
        break;
      case 5:
        nameEnd = readFrameEnd(reader, field.name);
        nameStart = reader.pos;
        reader.pos = nameEnd;
        break;
      case 6:
        kind = readEnum(reader, field.name);
        break;
      case 7:
        startAt = passFixed64(reader, field.name);
        break;
      case 8:
        endAt = passFixed64(reader, field.name);
        break;
      case 9:
        locateAttribute(wire, readFrameEnd(reader, field.name), wanted);
        break;
      case 13: {
        const linkEnd = readFrameEnd(reader, field.name);
        (links ??= []).push(reader.pos, linkEnd);
        reader.pos = linkEnd;
        break;
      }
      default:
        statusCode = readStatusCode(wire, readFrameEnd(reader, field.name), statusCode);
    }
  }
  requireId(wire, traceStart, traceEnd, TRACE_ID_BYTES, 'trace_id');
  requireId(wire, spanStart, spanEnd, SPAN_ID_BYTES, 'span_id');
  const hasParent = statesId(wire, parentStart, parentEnd, SPAN_ID_BYTES, 'parent_span_id');
  const decodedLinks = links === undefined ? NO_LINKS : readLinks(wire, links);
  const attributes = wanted.own || wanted.odd ? readWanted(wire, wanted) : undefined;
  const trace = outline.trace(wire.buffer, traceStart);
  if (attributes === undefined || !wanted.own) {
    const parentAt = hasParent ? parentStart : -1;
    const facts =
      attributes === undefined ? setting.facts.read(wanted) : readFacts(attributes, outline, setting.facts.facts);
    if (facts === undefined) outline.link(trace, wire.buffer, spanStart, parentAt);
    else {
      facts.failed = statusCode === STATUS_ERROR;
      outline.node(trace, facts, wire.buffer, spanStart, parentAt, startAt || -1, endAt || -1);
    }
    if (mayBeForeign(wanted, facts?.op)) {
      const [spanId, parentSpanId] = [wire.hex(spanStart, spanEnd), hasParent ? wire.hex(parentStart, parentEnd) : ''];
      setting.foreign.read(wanted, attributes, {
        trace,
        traceId: wire.hex(traceStart, traceEnd),
        spanId,
        parentSpanId,
        nameStart,
        nameEnd,
        scope: setting.scope.name,
        startAt,
        endAt,
        failed: statusCode === STATUS_ERROR,
      });
    }
    return undefined;
  }
  outline.speaks(trace);
  return {
    traceId: wire.hex(traceStart, traceEnd),
    spanId: wire.hex(spanStart, spanEnd),
    parentSpanId: hasParent ? wire.hex(parentStart, parentEnd) : '',
    name: wire.text(nameStart, nameEnd),
    kind,
    startUnixNano: startAt === 0 ? 0n : wire.view.getBigUint64(startAt, true),
    endUnixNano: endAt === 0 ? 0n : wire.view.getBigUint64(endAt, true),
    statusCode,
    attributes,
    links: decodedLinks,
    resource: setting.resource,
    scope: setting.scope,
  };
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

const NO_LINKS: readonly DecodedLink[] = Object.freeze([]);

/** Links are always checked; one without both ids says nothing and is left out, as the API allows empty links. */
function readLinks(wire: Wire, places: readonly number[]): readonly DecodedLink[] {
  const links: DecodedLink[] = [];
  for (let at = 0; at < places.length; at += 2) {
    wire.reader.pos = places[at] as number;
    const link = readLink(wire, places[at + 1] as number);
    if (link !== undefined) links.push(link);
  }
  return links;
}

function readLink(wire: Wire, end: number): DecodedLink | undefined {
  const { reader } = wire;
  const trace = { start: 0, end: 0 };
  const span = { start: 0, end: 0 };
  eachField(reader, end, 'Link', (number, tag) => {
    if (number !== 1 && number !== 2) return false;
    const field = number === 1 ? 'links.trace_id' : 'links.span_id';
    const place = number === 1 ? trace : span;
    expectWireType(reader, tag, LENGTH_DELIMITED, field);
    place.end = readFrameEnd(reader, field);
    place.start = reader.pos;
    reader.pos = place.end;
    return true;
  });
  const hasTrace = statesId(wire, trace.start, trace.end, TRACE_ID_BYTES, 'links.trace_id');
  const hasSpan = statesId(wire, span.start, span.end, SPAN_ID_BYTES, 'links.span_id');
  if (!hasTrace || !hasSpan) return undefined;
  return { traceId: wire.hex(trace.start, trace.end), spanId: wire.hex(span.start, span.end) };
}

function requireId(wire: Wire, start: number, end: number, length: number, field: string): void {
  if (statesId(wire, start, end, length, field)) return;
  if (end === start) throw new DecodeFault(`${field} is missing, expected ${length} bytes`);
  throw new DecodeFault(`${field} at byte ${start} is all zeros, which identifies nothing`);
}

/** Whether an id is stated. Empty and all zeros both mean "none"; any other length is a fault. */
function statesId(wire: Wire, start: number, end: number, length: number, field: string): boolean {
  const found = end - start;
  if (found === 0) return false;
  if (found !== length) {
    throw new DecodeFault(`${field} at byte ${start} has ${found} bytes, expected ${length}`);
  }
  const { buffer } = wire;
  for (let at = start; at < end; at++) if (buffer[at] !== 0) return true;
  return false;
}
