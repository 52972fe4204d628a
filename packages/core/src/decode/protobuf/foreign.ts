import { readForeign } from '../../evidence/dialects/read-foreign.js';
import type { ForeignSpan } from '../../evidence/dialects/types.js';
import { OPERATION_KEY, TOOL_KEY } from '../outline-facts.js';
import { MODEL, type OutlineBuilder, type OutlineOp } from '../outline.js';
import type { AttributeValue } from '../types.js';
import { plainText, readAttribute, readWanted, type WantedAttributes } from './attribute.js';
import { codeOf } from './wanted-bytes.js';
import { scanKeyValue, valueOf } from './value.js';
import { eachField, expectWireType, LENGTH_DELIMITED, readFrameEnd, type Wire } from './wire.js';

/** Structured values of more bytes are not read: a few bytes on the wire may become an object of hundreds. */
const MAX_STRUCTURED_BYTES = 65_536;
const OPERATION = codeOf(OPERATION_KEY);
const TOOL = codeOf(TOOL_KEY);

/** Where the parts of a span stand that a dialect may ask for; times are offsets, 0 where not stated. */
export interface ForeignPlace {
  readonly trace: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly scope: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly failed: boolean;
}

/** Tells an outline what spans of foreign dialects say. */
export interface ForeignReader {
  /** `attributes` are the wanted ones where they were read already. Moves the cursor. */
  read(
    wanted: WantedAttributes,
    attributes: ReadonlyMap<string, AttributeValue> | undefined,
    place: ForeignPlace,
  ): void;
}

/** Whether a dialect may read a span: it has the mark of one, or an operation that is no call of a model. */
export function mayBeForeign(wanted: WantedAttributes, op: OutlineOp | undefined): boolean {
  if (wanted.marked) return true;
  if (op !== undefined) return op !== MODEL;
  for (let at = 0; at < wanted.count; at += 3) {
    const code = wanted.places[at];
    if (code === OPERATION || code === TOOL) return true;
  }
  return false;
}

export function createForeignReader(shared: Wire, outline: OutlineBuilder): ForeignReader {
  // What is read for a dialect must not use up what evidence may hold.
  const wire: Wire = { ...shared, takeNested: () => undefined, lists: [] };

  return {
    read(wanted, attributes, place) {
      const { reader } = wire;
      const [pos, len] = [reader.pos, reader.len];
      const sign = readForeign(viewOf(wanted, attributes ?? readWanted(wire, wanted), place));
      reader.pos = pos;
      reader.len = len;
      if (sign === undefined) return;
      const { trace, spanId, parentSpanId, startAt, endAt, failed } = place;
      const time = (at: number): string => (at === 0 ? '0' : wire.view.getBigUint64(at, true).toString());
      const row = { trace, spanId, parentSpanId, start: time(startAt), end: time(endAt), sign };
      outline.foreign({ ...row, failed: sign.failed ?? failed });
    },
  };

  function viewOf(
    wanted: WantedAttributes,
    attributes: ReadonlyMap<string, AttributeValue>,
    { traceId, nameStart, nameEnd, scope }: ForeignPlace,
  ): ForeignSpan {
    const value = (key: string): AttributeValue | undefined =>
      attributes.has(key) ? (attributes.get(key) ?? undefined) : foreignValue(wanted, key);
    return {
      name: wire.text(nameStart, nameEnd),
      scope,
      traceId,
      value,
      text: (key) => textOf(value(key)),
      eventText: (event, key) => eventText(wanted, event, key),
    };
  }

  /** What cannot be read is not known, nor is what stands twice. */
  function foreignValue({ foreign, foreignCount }: WantedAttributes, key: string): AttributeValue | undefined {
    const code = foreignCount === 0 ? -1 : codeOf(key);
    let found = -1;
    for (let at = 0; at < foreignCount; at += 3) {
      if (foreign[at] !== code) continue;
      if (found >= 0) return undefined;
      found = at;
    }
    if (found < 0) return undefined;
    const [start, end] = [foreign[found + 1] as number, foreign[found + 2] as number];
    const into = new Map<string, AttributeValue>();
    if (end - start > MAX_STRUCTURED_BYTES && plainText(wire.buffer, start, end) < 0) return undefined;
    try {
      wire.reader.len = end;
      readAttribute(wire, code, start, end, into);
    } catch {
      return undefined;
    }
    return into.get(key) ?? undefined;
  }

  function eventText({ events, eventCount }: WantedAttributes, name: string, key: string): string | undefined {
    try {
      for (let at = 0; at < eventCount; at += 2) {
        const found = readEvent(events[at] as number, events[at + 1] as number, name, key);
        if (found !== undefined) return found;
      }
    } catch {
      // Events are no evidence; a broken one says nothing.
    }
    return undefined;
  }

  function readEvent(start: number, end: number, name: string, key: string): string | undefined {
    const { reader } = wire;
    let named = '';
    const attributes: number[] = [];
    reader.len = end;
    reader.pos = start;
    eachField(reader, end, 'Event', (number, tag) => {
      if (number !== 2 && number !== 3) return false;
      expectWireType(reader, tag, LENGTH_DELIMITED, number === 2 ? 'name' : 'attributes');
      const fieldEnd = readFrameEnd(reader, 'a field of Event');
      if (number === 2) named = wire.text(reader.pos, fieldEnd);
      else attributes.push(reader.pos, fieldEnd);
      reader.pos = fieldEnd;
      return true;
    });
    if (named !== name) return undefined;
    for (let at = 0; at < attributes.length; at += 2) {
      reader.pos = attributes[at] as number;
      reader.len = end;
      const entry = scanKeyValue(wire, attributes[at + 1] as number);
      if (wire.text(entry.keyStart, entry.keyEnd) === key) return textOf(valueOf(wire, entry, 1));
    }
    return undefined;
  }
}

function textOf(value: AttributeValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
