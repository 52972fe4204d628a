import { describe, expect, test } from 'vitest';
import { MAX_VALUE_DEPTH } from '../limits.js';
import type { AttributeValue, DecodedSpan } from '../types.js';
import { decodeTracesJson } from './request.js';

const TRACE = '0AF7651916CD43DD8448EB211C80319C';
const SPAN = 'b7ad6b7169203331';
const ids = { traceId: TRACE, spanId: SPAN };
const speaks = { key: 'seamtrace.handoff.id', value: { stringValue: 'h-1' } };
const good = { ...ids, attributes: [speaks] };

const document = (...spans: unknown[]) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

function read(text: string) {
  const result = decodeTracesJson(text);
  if (!result.ok) throw new Error(result.message);
  return result;
}

function readOne(span: unknown): DecodedSpan {
  const { spans, rejections } = read(document(span));
  expect(rejections).toEqual([]);
  return spans[0] as DecodedSpan;
}

const valueOf = (value: unknown): AttributeValue | undefined =>
  readOne({ ...ids, attributes: [{ key: 'seamtrace.x', value }] }).attributes.get('seamtrace.x');

function rejection(span: unknown): string | undefined {
  const { spans, rejections } = read(document(good, span, good));
  expect([spans.length, rejections.length, rejections[0]?.index]).toEqual([2, 1, 1]);
  return rejections[0]?.reason;
}

function refusal(text: string): string {
  const result = decodeTracesJson(text);
  return result.ok ? 'read' : result.message;
}

describe('spans', () => {
  test('ids are hex in either case and come out in lower case', () => {
    expect(readOne({ ...good, parentSpanId: 'AAAAAAAAAAAAAAAA' })).toMatchObject({
      traceId: TRACE.toLowerCase(),
      spanId: SPAN,
      parentSpanId: 'aaaaaaaaaaaaaaaa',
    });
  });

  test('64-bit integers are strings or numbers, read exactly either way', () => {
    const text = document({ ...good, startTimeUnixNano: '1767225600123456789', endTimeUnixNano: '@' });
    const { startUnixNano, endUnixNano } = read(text.replace('"@"', '1767225600123456789')).spans[0] as DecodedSpan;
    expect([startUnixNano, endUnixNano]).toEqual([1767225600123456789n, 1767225600123456789n]);
  });

  test('digits inside strings stay as they are when long integers are read exactly', () => {
    const tricky = String.raw`a\", : 1767225600123456789 , \\`;
    const text = document({ ...good, name: '@', startTimeUnixNano: '#' }).replace('"@"', `"${tricky}"`);
    expect(read(text.replace('"#"', '1767225600123456789')).spans[0]).toMatchObject({
      name: JSON.parse(`"${tricky}"`) as string,
      startUnixNano: 1767225600123456789n,
    });
  });

  test('enums are integers or names', () => {
    expect(readOne({ ...good, kind: 3, status: { code: 2 } })).toMatchObject({ kind: 3, statusCode: 2 });
    const named = { ...good, kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_ERROR' } };
    expect(readOne(named)).toMatchObject({ kind: 3, statusCode: 2 });
  });

  test('null is absent, unknown members are ignored, camelCase wins over snake_case', () => {
    expect(
      readOne({ ...good, parentSpanId: null, kind: null, status: null, links: null, events: 7, later: {} }),
    ).toEqual(readOne(good));
    expect(readOne({ ...good, trace_id: '00', name: 'n' })).toMatchObject({ traceId: TRACE.toLowerCase(), name: 'n' });
  });

  test('resource and scope', () => {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'billing' } }] };
    const scope = { name: 'lib', version: '2' };
    const text = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [good] }] }] });
    expect(read(text).spans[0]).toMatchObject({ resource: { serviceName: 'billing' }, scope });
    expect(readOne(good)).toMatchObject({ resource: { serviceName: undefined }, scope: { name: '', version: '' } });
  });
});

describe('values', () => {
  test.each<[string, unknown, AttributeValue]>([
    ['a string', { stringValue: 'a' }, 'a'],
    ['an empty string', { stringValue: '' }, ''],
    ['a lone surrogate', { stringValue: 'a\ud800b' }, 'a\ufffdb'],
    ['a boolean', { boolValue: false }, false],
    ['an integer as string', { intValue: '-9223372036854775808' }, -(2n ** 63n)],
    ['an integer as number', { intValue: 12 }, 12n],
    ['a double', { doubleValue: 1.5 }, 1.5],
    ['a double that is a whole number stays a double', { doubleValue: 2 }, 2],
    ['a double as string', { doubleValue: '-Infinity' }, -Infinity],
    ['not a number', { doubleValue: 'NaN' }, NaN],
    ['bytes', { bytesValue: 'AP8=' }, Uint8Array.of(0, 255)],
    ['bytes, URL-safe and without padding', { bytesValue: '-_8' }, Uint8Array.of(0xfb, 0xff)],
    ['an array', { arrayValue: { values: [{ intValue: '1' }, {}, null] } }, [1n, null, null]],
    ['an empty array', { arrayValue: {} }, []],
    ['a kvlist', { kvlistValue: { values: [{ key: 'k', value: { boolValue: true } }] } }, new Map([['k', true]])],
    ['an empty value', {}, null],
    ['an absent value', undefined, null],
    ['an unknown kind', { laterValue: 1 }, null],
  ])('%s', (_name, value, expected) => {
    expect(valueOf(value)).toEqual(expected);
  });

  test('a key that stands twice with different values is null', () => {
    const again = { ...speaks, value: { stringValue: 'h-2' } };
    expect(readOne({ ...ids, attributes: [speaks, speaks] }).attributes.get(speaks.key)).toBe('h-1');
    expect(readOne({ ...ids, attributes: [speaks, again] }).attributes.get(speaks.key)).toBeNull();
  });

  test('a key called __proto__ is a key', () => {
    const entry = '{"key":"__proto__","value":{"stringValue":"v"}}';
    const text = document({ ...ids, attributes: [{ key: 'seamtrace.x', value: { kvlistValue: { values: ['@'] } } }] });
    const { spans } = read(text.replace('"@"', entry));
    expect(spans[0]?.attributes.get('seamtrace.x')).toEqual(new Map([['__proto__', 'v']]));
  });
});

describe('a span of the wrong shape is rejected, its neighbours are used', () => {
  const nest = (depth: number): unknown => {
    let value: unknown = { stringValue: 'deep' };
    for (let level = 1; level < depth; level++) value = { arrayValue: { values: [value] } };
    return value;
  };
  const valued = (value: unknown, key = 'seamtrace.x') => ({ ...ids, attributes: [{ key, value }] });

  test.each<[string, unknown, string]>([
    ['no object', 'span', 'span: expected an object, found a string'],
    ['null', null, 'span: expected an object, found null'],
    ['no ids', {}, 'traceId is missing or all zeros, expected 32 hex digits'],
    [
      'a base64 id',
      { ...good, traceId: 'CvdlGRbNQ92ESOshHIAxnA==' },
      'traceId: expected 32 hex digits, found 24 characters',
    ],
    ['zeros as id', { ...good, spanId: '0'.repeat(16) }, 'spanId is missing or all zeros, expected 16 hex digits'],
    ['a number as id', { ...good, spanId: 7 }, 'spanId: expected a string, found a number'],
    ['a bad parent', { ...good, parentSpanId: 'xyz' }, 'parentSpanId: expected 16 hex digits, found 3 characters'],
    [
      'a bad link',
      { ...good, links: [{ traceId: 'ab' }] },
      'links[0].traceId: expected 32 hex digits, found 2 characters',
    ],
    [
      'a negative time',
      { ...good, startTimeUnixNano: '-1' },
      'startTimeUnixNano: expected an unsigned integer within 64 bits, found a string',
    ],
    ['an unknown kind', { ...good, kind: 'SERVER' }, 'kind: expected an integer or one of SPAN_KIND_UNSPECIFIED'],
    ['half a kind', { ...good, kind: 1.5 }, 'kind: expected an integer or one of'],
    ['attributes as an object', { ...good, attributes: {} }, 'attributes: expected an array, found an object'],
    ['a value that is no object', valued('x'), 'attributes[0].value: expected an object, found a string'],
    [
      'a word as intValue',
      valued({ intValue: 'seven' }),
      'attributes[0].value.intValue: expected a 64-bit integer, found a string',
    ],
    [
      'a fraction as intValue',
      valued({ intValue: 1.5 }),
      'attributes[0].value.intValue: expected a 64-bit integer, found a number',
    ],
    ['an intValue of 65 bits', valued({ intValue: '9223372036854775808' }), 'expected an integer within 64 bits'],
    [
      'a number as stringValue',
      valued({ stringValue: 1 }),
      'attributes[0].value.stringValue: expected a string, found a number',
    ],
    [
      'a string as boolValue',
      valued({ boolValue: 'true' }),
      'attributes[0].value.boolValue: expected a boolean, found a string',
    ],
    ['two kinds of value', valued({ intValue: 1, boolValue: true }), 'expected one kind of value, found several'],
    ['bad base64', valued({ bytesValue: '*' }), 'attributes[0].value.bytesValue: expected base64'],
    ['a word as intValue that nobody asks for', valued({ intValue: 'x' }, 'http.x'), 'attributes[0].value.intValue'],
    ['a value nested too deep', valued(nest(MAX_VALUE_DEPTH + 1)), `nested deeper than ${MAX_VALUE_DEPTH} levels`],
  ])('%s', (_name, span, expected) => {
    expect(rejection(span)).toContain(expected);
  });

  test('a reason never quotes the value', () => {
    expect(rejection(valued({ intValue: 'my secret prompt' }))).not.toContain('secret');
  });
});

describe('a document that is no trace request is refused', () => {
  test.each<[string, string, string]>([
    ['nothing', '', 'at line 1, column 1 (offset 0): expected a JSON value, found the end of the text'],
    [
      'cut off',
      '{"resourceSpans":',
      'at line 1, column 18 (offset 17): expected a JSON value, found the end of the text',
    ],
    ['a trailing comma', '{\n  "a": [1,]\n}', 'at line 2, column 11 (offset 12): expected a JSON value'],
    ['two documents', '{} {}', 'at line 1, column 4 (offset 3): expected the end of the document'],
    ['an array', '[]', 'the document: expected an object with an array resourceSpans, found an array'],
    ['null', 'null', 'the document: expected an object with an array resourceSpans, found null'],
    ['spans as an object', '{"resourceSpans":{}}', 'resourceSpans: expected an array, found an object'],
    ['a number for a resource', '{"resourceSpans":[1]}', 'resourceSpans[0]: expected an object, found a number'],
    [
      'a string for spans',
      '{"resourceSpans":[{"scopeSpans":[{"spans":"x"}]}]}',
      'resourceSpans[0].scopeSpans[0].spans: expected an array, found a string',
    ],
  ])('%s', (_name, text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test('the message never quotes the document', () => {
    expect(refusal('{"prompt": my secret}')).toBe('at line 1, column 12 (offset 11): expected a JSON value');
  });

  test('a bare object, absent lists and a byte order mark are fine', () => {
    const empty = { ok: true, spans: [], received: 0, ignored: 0, rejections: [], invalidUtf8: 0 };
    expect(decodeTracesJson('{}')).toEqual(empty);
    expect(decodeTracesJson('{"resourceSpans":null}')).toEqual(empty);
    expect(decodeTracesJson('\ufeff{"resource_spans":[{}]}')).toEqual(empty);
  });

  test('a hundred thousand open brackets neither overflow the stack nor pass', () => {
    expect(refusal('['.repeat(100_000))).toContain('(offset 100000): expected a JSON value, found the end of the text');
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(refusal(deep)).toBe('read');
  });
});

describe('texts that would grow when parsed', () => {
  test('are refused before they are, with the number and the limit', () => {
    const result = decodeTracesJson(`{"resourceSpans":[${'{},'.repeat(2_000_000)}{}]}`);
    expect(result).toEqual({
      ok: false,
      message: 'the text opens 2000003 objects and lists, over the 2000000 that one request may; send smaller batches',
    });
  });
});
