import { DecodeFault, reasonOf } from '../fault.js';
import { createTally } from '../tally.js';
import { createOutlineBuilder } from '../outline.js';
import type { Tally } from '../tally.js';
import type { AttributeValue, DecodedResource, DecodedScope, DecodeResult } from '../types.js';
import { MAX_JSON_CONTAINERS } from '../limits.js';
import { quoteLongIntegers } from './exact-integers.js';
import { asList, asObject, asText, faultIn, member, nested } from './shape.js';
import { createOutliner, type Outliner } from './outliner.js';
import { readSpan } from './span.js';
import { findSyntaxFault } from './syntax.js';
import { readKeyValue, readNested } from './value.js';

const OBJECT = 0x7b;
const LIST = 0x5b;

/**
 * Decodes an OTLP `ExportTraceServiceRequest` in JSON to exactly what {@link decodeTracesProtobuf} gives for the same
 * request.
 *
 * - `{}` is an empty request; an empty text is none.
 * - Text that is not JSON, or where anything above the spans has the wrong shape, is unreadable as a whole: `message`
 *   names the position or the path. A span of the wrong shape is one rejection; the rest is used.
 * - A text of more than 2,000,000 objects and lists is unreadable as a whole, since parsing would need far more memory
 *   than the text.
 * - Ids are hex in either case, 64-bit integers strings or numbers (read exactly), enums integers or names, member
 *   names lowerCamelCase or as in the .proto file, `null` is absent, unknown members are ignored.
 */
export function decodeTracesJson(text: string): DecodeResult {
  const tally = createTally();
  const outline = createOutlineBuilder();
  const outliner = createOutliner(outline);
  try {
    const root = parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (typeof root !== 'object' || root === null || Array.isArray(root)) {
      faultIn('the document', 'an object with an array resourceSpans', root);
    }
    const lists = asList(member(asObject(root, 'the document'), 'resourceSpans', 'resource_spans'), 'resourceSpans');
    for (const [at, item] of lists.entries()) readResourceSpans(item, `resourceSpans[${at}]`, tally, outliner);
  } catch (thrown) {
    return { ok: false, message: reasonOf(thrown) };
  }
  return tally.result(outline.build(), 0);
}

function parse(text: string): unknown {
  // Each takes a character at least, so most texts need no count.
  const containers = text.length > MAX_JSON_CONTAINERS ? countContainers(text) : 0;
  if (containers > MAX_JSON_CONTAINERS) {
    throw new DecodeFault(
      `the text opens ${containers} objects and lists, over the ${MAX_JSON_CONTAINERS} that one request may; send smaller batches`,
    );
  }
  try {
    return JSON.parse(quoteLongIntegers(text)) as unknown;
  } catch {
    const fault = findSyntaxFault(text);
    if (fault === undefined) throw new DecodeFault('the text is not JSON');
    const { offset, line, column, expected } = fault;
    const found = offset === text.length ? ', found the end of the text' : '';
    throw new DecodeFault(`at line ${line}, column ${column} (offset ${offset}): expected ${expected}${found}`);
  }
}

/** Opening brackets, those inside strings too: an upper bound that costs one look at each character. */
function countContainers(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OBJECT || code === LIST) count += 1;
  }
  return count;
}

function readResourceSpans(item: unknown, path: string, tally: Tally, outliner: Outliner): void {
  const object = asObject(item, path);
  const resource = readResource(member(object, 'resource'), `${path}.resource`);
  const lists = asList(member(object, 'scopeSpans', 'scope_spans'), `${path}.scopeSpans`);
  const read = (span: unknown, scope: DecodedScope): void =>
    tally.take(() => readSpan(span, { resource, scope, outliner }));
  for (const [at, inner] of lists.entries()) readScopeSpans(inner, `${path}.scopeSpans[${at}]`, read);
}

function readResource(value: unknown, path: string): DecodedResource {
  let serviceName: string | undefined;
  if (value === undefined) return { serviceName };
  const attributes = asList(member(asObject(value, path), 'attributes'), `${path}.attributes`);
  for (const [at, item] of attributes.entries()) {
    try {
      const entry = readKeyValue(item);
      if (entry.key === 'service.name') serviceName = textOrUndefined(readNested(entry.value, 1));
    } catch (thrown) {
      throw nested(`${path}.attributes[${at}]`, thrown);
    }
  }
  return { serviceName };
}

function textOrUndefined(value: AttributeValue): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function readScopeSpans(item: unknown, path: string, read: (span: unknown, scope: DecodedScope) => void): void {
  const object = asObject(item, path);
  const scope = readScope(member(object, 'scope'), `${path}.scope`);
  for (const span of asList(member(object, 'spans'), `${path}.spans`)) read(span, scope);
}

function readScope(value: unknown, path: string): DecodedScope {
  if (value === undefined) return { name: '', version: '' };
  const object = asObject(value, path);
  return {
    name: asText(member(object, 'name'), `${path}.name`),
    version: asText(member(object, 'version'), `${path}.version`),
  };
}
