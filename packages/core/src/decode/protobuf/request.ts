import { reasonOf } from '../fault.js';
import { createOutlineBuilder } from '../outline.js';
import { createTally } from '../tally.js';
import type { Tally } from '../tally.js';
import type { AttributeValue, DecodeResult } from '../types.js';
import { createWanted } from './attribute.js';
import { createFactsReader } from './facts.js';
import { createForeignReader } from './foreign.js';
import { readSpan, type SpanSetting } from './span.js';
import { scanKeyValue, valueOf } from './value.js';
import { createWire, eachField, expectWireType, LENGTH_DELIMITED, readFrameEnd } from './wire.js';
import type { Wire } from './wire.js';

interface MutableResource {
  serviceName: string | undefined;
}

/** What all spans of a request share. */
type Shared = Omit<SpanSetting, 'resource' | 'scope'>;

interface MutableScope {
  name: string;
  version: string;
}

/**
 * Decodes an OTLP `ExportTraceServiceRequest` in protobuf, materialising only what evidence needs: spans that carry
 * something of ours become objects, of all others an outline tells where they stand.
 *
 * - No bytes are an empty request.
 * - Frames above the spans that do not fit together make the whole request unreadable: `message` names the byte offset
 *   and what was expected there.
 * - A span whose frame is sound and whose inside is not is one rejection; the rest is used. Attributes that nobody
 *   asks for are checked at their outermost level only, and events not at all: they are never read.
 * - Unknown fields are skipped, groups are not OTLP, repeated singular fields follow protobuf (the last scalar wins,
 *   messages merge), invalid UTF-8 becomes U+FFFD and is counted, an attribute key that stands twice follows {@link addAttribute}.
 *
 * The result shares no memory with `bytes`. It is at worst about ten times their size.
 */
export function decodeTracesProtobuf(bytes: Uint8Array): DecodeResult {
  const wire = createWire(bytes);
  const tally = createTally();
  const outline = createOutlineBuilder();
  const shared: Shared = {
    outline,
    facts: createFactsReader(wire, outline),
    wanted: createWanted(),
    foreign: createForeignReader(wire, outline),
  };
  try {
    eachField(wire.reader, bytes.length, 'ExportTraceServiceRequest', (number, tag) => {
      if (number !== 1) return false;
      readResourceSpans(wire, openFrame(wire, tag, 'resource_spans'), tally, shared);
      return true;
    });
  } catch (thrown) {
    return { ok: false, message: reasonOf(thrown) };
  }
  return tally.result(outline.build(), wire.invalidUtf8());
}

function openFrame(wire: Wire, tag: number, field: string): number {
  expectWireType(wire.reader, tag, LENGTH_DELIMITED, field);
  return readFrameEnd(wire.reader, field);
}

// Fields may come in any order, so the spans get their resource and scope by reference and these are filled on the way.
function readResourceSpans(wire: Wire, end: number, tally: Tally, shared: Shared): void {
  const resource: MutableResource = { serviceName: undefined };
  eachField(wire.reader, end, 'ResourceSpans', (number, tag) => {
    if (number === 1) readResource(wire, openFrame(wire, tag, 'resource'), resource);
    else if (number === 2) readScopeSpans(wire, openFrame(wire, tag, 'scope_spans'), resource, tally, shared);
    else return false;
    return true;
  });
}

function readResource(wire: Wire, end: number, resource: MutableResource): void {
  eachField(wire.reader, end, 'Resource', (number, tag) => {
    if (number !== 1) return false;
    const entry = scanKeyValue(wire, openFrame(wire, tag, 'attributes'));
    if (wire.text(entry.keyStart, entry.keyEnd) === 'service.name') {
      resource.serviceName = textOrUndefined(valueOf(wire, entry, 1));
    }
    return true;
  });
}

function textOrUndefined(value: AttributeValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readScopeSpans(wire: Wire, end: number, resource: MutableResource, tally: Tally, shared: Shared): void {
  const { reader } = wire;
  const scope: MutableScope = { name: '', version: '' };
  const setting: SpanSetting = { resource, scope, ...shared };
  let spanEnd = 0;
  const read = () => readSpan(wire, spanEnd, setting);
  eachField(reader, end, 'ScopeSpans', (number, tag) => {
    if (number === 1) readScope(wire, openFrame(wire, tag, 'scope'), scope);
    else if (number === 2) {
      spanEnd = openFrame(wire, tag, 'spans');
      tally.take(read);
      // Wherever a broken span left the cursor, the next one starts behind this frame.
      reader.pos = spanEnd;
      reader.len = end;
    } else return false;
    return true;
  });
}

function readScope(wire: Wire, end: number, scope: MutableScope): void {
  eachField(wire.reader, end, 'InstrumentationScope', (number, tag) => {
    if (number !== 1 && number !== 2) return false;
    const field = number === 1 ? 'name' : 'version';
    const textEnd = openFrame(wire, tag, field);
    scope[field] = wire.text(wire.reader.pos, textEnd);
    wire.reader.pos = textEnd;
    return true;
  });
}
