import { addAttribute } from '../attributes.js';
import { DecodeFault } from '../fault.js';
import { SPAN_ID_BYTES, TRACE_ID_BYTES } from '../ids.js';
import type { AttributeValue, DecodedLink, DecodedResource, DecodedScope, DecodedSpan } from '../types.js';
import { FOREIGN_KEYS, WANTED_PREFIX, wantedName } from '../wanted.js';
import { readForeign } from '../../evidence/dialects/read-foreign.js';
import { createForeignView, TWICE } from './foreign.js';
import { asEnum, asUint64 } from './numbers.js';
import { asList, asObject, asText, member, nested, wellFormed } from './shape.js';
import type { JsonObject } from './shape.js';
import type { Outliner } from './outliner.js';
import { checkValue, readKeyValue, readNested } from './value.js';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (kind) => `SPAN_KIND_${kind}`,
);
const CODES = ['UNSET', 'OK', 'ERROR'].map((code) => `STATUS_CODE_${code}`);

/** What all spans of one scope share. */
export interface SpanSetting {
  readonly resource: DecodedResource;
  readonly scope: DecodedScope;
  readonly outliner: Outliner;
}

/**
 * Reads one span; `undefined` when it carries nothing of ours, and then only the outline tells of it. Paths in faults
 * start at the span.
 *
 * @throws DecodeFault where the span cannot be read
 */
export function readSpan(item: unknown, { resource, scope, outliner }: SpanSetting): DecodedSpan | undefined {
  const span = asObject(item, 'span');
  const traceId = requireId(span, 'traceId', 'trace_id', TRACE_ID_BYTES);
  const spanId = requireId(span, 'spanId', 'span_id', SPAN_ID_BYTES);
  const parentSpanId = readId(span, 'parentSpanId', 'parent_span_id', SPAN_ID_BYTES);
  const name = asText(member(span, 'name'), 'name');
  const kind = asEnum(member(span, 'kind'), KINDS, 'kind');
  const startUnixNano = asUint64(member(span, 'startTimeUnixNano', 'start_time_unix_nano'), 'startTimeUnixNano');
  const endUnixNano = asUint64(member(span, 'endTimeUnixNano', 'end_time_unix_nano'), 'endTimeUnixNano');
  const status = member(span, 'status');
  const statusCode =
    status === undefined ? 0 : asEnum(member(asObject(status, 'status'), 'code'), CODES, 'status.code');
  const foreign = new Map<string, unknown>();
  const attributes = readAttributes(member(span, 'attributes'), foreign);
  const links = readLinks(member(span, 'links'));
  if (!carriesOurs(attributes)) {
    const outlined = { traceId, spanId, parentSpanId, startUnixNano, endUnixNano, statusCode, attributes };
    outliner.add(outlined);
    const view = createForeignView({
      name,
      scope: scope.name,
      traceId,
      attributes,
      foreign,
      events: member(span, 'events'),
    });
    const sign = view === undefined ? undefined : readForeign(view);
    if (sign !== undefined) outliner.foreign(outlined, sign);
    return undefined;
  }
  outliner.speaks(traceId);
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind,
    startUnixNano,
    endUnixNano,
    statusCode,
    attributes,
    links,
    resource,
    scope,
  };
}

function carriesOurs(attributes: ReadonlyMap<string, AttributeValue>): boolean {
  for (const key of attributes.keys()) if (key.startsWith(WANTED_PREFIX)) return true;
  return false;
}

function readAttributes(value: unknown, foreign: Map<string, unknown>): Map<string, AttributeValue> {
  const attributes = new Map<string, AttributeValue>();
  for (const [at, item] of asList(value, 'attributes').entries()) {
    try {
      readAttribute(item, attributes, foreign);
    } catch (thrown) {
      throw nested(`attributes[${at}]`, thrown);
    }
  }
  return attributes;
}

function readAttribute(item: unknown, into: Map<string, AttributeValue>, foreign: Map<string, unknown>): void {
  const entry = readKeyValue(item);
  const name = wantedName(entry.key);
  if (name !== undefined) return addAttribute(into, wellFormed(name), readNested(entry.value, 1));
  try {
    checkValue(entry.value);
  } catch (thrown) {
    throw nested('.value', thrown);
  }
  if (FOREIGN_KEYS.has(entry.key)) foreign.set(entry.key, foreign.has(entry.key) ? TWICE : entry.value);
}

function readLinks(value: unknown): readonly DecodedLink[] {
  const links: DecodedLink[] = [];
  for (const [at, item] of asList(value, 'links').entries()) {
    const link = asObject(item, `links[${at}]`);
    const traceId = readId(link, 'traceId', 'trace_id', TRACE_ID_BYTES, `links[${at}].`);
    const spanId = readId(link, 'spanId', 'span_id', SPAN_ID_BYTES, `links[${at}].`);
    if (traceId !== '' && spanId !== '') links.push({ traceId, spanId });
  }
  return links;
}

function requireId(object: JsonObject, camel: string, snake: string, length: number): string {
  const id = readId(object, camel, snake, length);
  if (id !== '') return id;
  throw new DecodeFault(`${camel} is missing or all zeros, expected ${length * 2} hex digits`);
}

/** An id as lower-case hex; empty where none is stated, which all zeros mean too. */
function readId(object: JsonObject, camel: string, snake: string, length: number, path = ''): string {
  const text = asText(member(object, camel, snake), `${path}${camel}`);
  if (text === '') return '';
  if (text.length !== length * 2 || !/^[0-9a-fA-F]+$/.test(text)) {
    throw new DecodeFault(`${path}${camel}: expected ${length * 2} hex digits, found ${text.length} characters`);
  }
  return /^0+$/.test(text) ? '' : text.toLowerCase();
}
