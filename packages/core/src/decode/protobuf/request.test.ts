import protobuf from 'protobufjs/minimal.js';
import type { Writer } from 'protobufjs/minimal.js';
import { describe, expect, test } from 'vitest';
import { MAX_REJECTIONS, MAX_VALUE_DEPTH } from '../limits.js';
import type { AttributeValue, DecodedSpan } from '../types.js';
import { decodeTracesProtobuf } from './request.js';

type Bytes = Uint8Array | readonly number[];

const LEN = 2;
/** A length-delimited field. */
const field = (number: number, ...parts: Bytes[]): Uint8Array => {
  const body = join(...parts);
  return join(
    write((w) => w.uint32((number << 3) | LEN)),
    write((w) => w.uint32(body.length)),
    body,
  );
};
const join = (...parts: Bytes[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const write = (fill: (writer: Writer) => void): Uint8Array => {
  const writer = protobuf.Writer.create();
  fill(writer);
  return Uint8Array.from(writer.finish());
};
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const TRACE = new Uint8Array(16).fill(0xab);
const SPAN = new Uint8Array(8).fill(0xcd);
const ids = join(field(1, TRACE), field(2, SPAN));
const attribute = (key: string, ...value: Bytes[]) => field(9, field(1, text(key)), field(2, ...value));
const stringValue = (value: string) => field(1, text(value));
const speaks = attribute('seamtrace.handoff.id', stringValue('h-1'));
const scopeSpans = (...spans: Bytes[]) => field(2, ...spans.map((span) => field(2, span)));
const request = (...spans: Bytes[]) => field(1, scopeSpans(...spans));

function read(bytes: Uint8Array) {
  const result = decodeTracesProtobuf(bytes);
  if (!result.ok) throw new Error(result.message);
  return result;
}

function readOne(span: Bytes): DecodedSpan {
  const { spans, rejections } = read(request(span));
  expect(rejections).toEqual([]);
  expect(spans).toHaveLength(1);
  return spans[0] as DecodedSpan;
}

const valueOf = (...value: Bytes[]): AttributeValue | undefined =>
  readOne(join(ids, attribute('seamtrace.x', ...value))).attributes.get('seamtrace.x');

const rejection = (span: Bytes): string | undefined => {
  const { spans, rejections } = read(request(join(ids, speaks), span, join(ids, speaks)));
  expect([spans.length, rejections.length, rejections[0]?.index]).toEqual([2, 1, 1]);
  return rejections[0]?.reason;
};

const refusal = (bytes: Bytes): string => {
  const result = decodeTracesProtobuf(Uint8Array.from(bytes));
  return result.ok ? 'read' : result.message;
};

describe('values', () => {
  test('an empty AnyValue, an absent one and an unknown kind are null', () => {
    expect(valueOf()).toBeNull();
    expect(valueOf(field(12, [1, 2]))).toBeNull();
    const keyOnly = field(9, field(1, text('seamtrace.x')));
    expect(readOne(join(ids, keyOnly)).attributes.get('seamtrace.x')).toBeNull();
  });

  test.each([
    ['zero', [0x18, 0], 0n],
    ['one byte', [0x18, 0x7f], 127n],
    ['two bytes', [0x18, 0x80, 0x01], 128n],
    ['minus one, ten bytes', [0x18, ...Array<number>(9).fill(0xff), 0x01], -1n],
    ['the smallest', [0x18, ...Array<number>(9).fill(0x80), 0x01], -(2n ** 63n)],
    ['the largest', [0x18, ...Array<number>(8).fill(0xff), 0x7f], 2n ** 63n - 1n],
    ['padded with zeros', [0x18, 0x85, 0x80, 0x80, 0x00], 5n],
    ['2^49, where low and high parts meet', [0x18, ...Array<number>(7).fill(0x80), 0x01], 2n ** 49n],
  ])('int_value: %s', (_name, bytes, expected) => {
    expect(valueOf(bytes)).toBe(expected);
  });

  test('bool, double, bytes, array and kvlist keep their types', () => {
    expect(valueOf([0x10, 1])).toBe(true);
    expect(valueOf([0x10, 0])).toBe(false);
    expect(valueOf(write((w) => w.uint32((4 << 3) | 1).double(-0.5)))).toBe(-0.5);
    expect(valueOf(field(7, [1, 255]))).toEqual(Uint8Array.of(1, 255));
    expect(valueOf(field(5, field(1, stringValue('a')), field(1, [0x18, 2]), field(1)))).toEqual(['a', 2n, null]);
    const entry = field(1, field(1, text('k')), field(2, stringValue('v')));
    expect(valueOf(field(6, entry))).toEqual(new Map([['k', 'v']]));
  });

  test('the value before the key, and the last of two keys', () => {
    const backwards = field(9, field(2, stringValue('v')), field(1, text('http.x')), field(1, text('seamtrace.x')));
    expect(readOne(join(ids, backwards)).attributes).toEqual(new Map([['seamtrace.x', 'v']]));
  });

  test('of several set kinds the last wins; repeated lists are one list; an empty repetition changes nothing', () => {
    expect(valueOf(stringValue('a'), [0x18, 1])).toBe(1n);
    expect(valueOf(field(5, field(1, stringValue('a'))), field(5, field(1, stringValue('b'))))).toEqual(['a', 'b']);
    const twice = (...second: Bytes[]) =>
      readOne(
        join(ids, field(9, field(1, text('seamtrace.x')), field(2, stringValue('a')), field(2, ...second))),
      ).attributes.get('seamtrace.x');
    expect(twice()).toBe('a');
    expect(twice(stringValue('b'))).toBe('b');
  });

  test('invalid UTF-8 becomes U+FFFD, in values and in names', () => {
    expect(valueOf(field(1, [0x61, 0xff, 0x62]))).toBe('a\ufffdb');
    expect(readOne(join(ids, speaks, field(5, [0xc3]))).name).toBe('\ufffd');
  });

  test('each string that is no UTF-8 is counted, and U+FFFD that was written as such is not', () => {
    const bad = field(1, [0x61, 0xff, 0xfe]);
    const key = field(9, field(1, text('seamtrace.'), [0x80]), field(2, bad));
    const inList = attribute('seamtrace.list', field(5, field(1, bad), field(1, stringValue('sound'))));
    const inMap = attribute('seamtrace.map', field(6, field(1, field(1, [0xc3]), field(2, stringValue('\ufffd')))));
    const unread = attribute('http.route', bad);
    expect(read(request(join(ids, field(5, [0xff]), key, inList, inMap, unread))).invalidUtf8).toBe(5);
    expect(read(request(join(ids, attribute('seamtrace.x', stringValue('\ufffd'))))).invalidUtf8).toBe(0);
  });

  test('bytes and strings do not keep the request alive', () => {
    const bytes = request(join(ids, attribute('seamtrace.x', field(7, [1, 2]))));
    const held = read(bytes).spans[0]?.attributes.get('seamtrace.x') as Uint8Array;
    expect(held.buffer.byteLength).toBe(2);
    bytes.fill(0);
    expect([...held]).toEqual([1, 2]);
  });

  test(`nesting of ${MAX_VALUE_DEPTH} levels is read, one more rejects the span, a million do not overflow`, () => {
    const nest = (depth: number) => {
      let value: Uint8Array = stringValue('deep');
      for (let level = 1; level < depth; level++) value = field(5, field(1, value));
      return value;
    };
    let found = valueOf(nest(MAX_VALUE_DEPTH));
    for (let level = 1; level < MAX_VALUE_DEPTH; level++)
      found = (found as readonly AttributeValue[])[0] as AttributeValue;
    expect(found).toBe('deep');
    expect(rejection(join(ids, attribute('seamtrace.x', nest(MAX_VALUE_DEPTH + 1))))).toContain('32 levels');
    // Nobody asks for this one, so its depth is never walked.
    expect(read(request(join(ids, speaks, attribute('http.x', nest(100))))).spans).toHaveLength(1);
  });
});

describe('attributes', () => {
  const both = (first: string, second: string) =>
    readOne(join(ids, attribute('seamtrace.x', stringValue(first)), attribute('seamtrace.x', stringValue(second))));

  test('a key that stands twice: equal values are one, different values are null', () => {
    expect(both('a', 'a').attributes).toEqual(new Map([['seamtrace.x', 'a']]));
    expect(both('a', 'b').attributes).toEqual(new Map([['seamtrace.x', null]]));
    const third = attribute('seamtrace.x', stringValue('a'));
    const thrice = join(ids, third, attribute('seamtrace.x', stringValue('b')), third);
    expect(readOne(thrice).attributes).toEqual(new Map([['seamtrace.x', null]]));
  });

  test('the metadata prefix is cut, and meets the plain key under the same rule', () => {
    const prefixed = (value: string) => attribute('mastra.metadata.seamtrace.handoff.id', stringValue(value));
    expect(readOne(join(ids, prefixed('h-1'))).attributes).toEqual(new Map([['seamtrace.handoff.id', 'h-1']]));
    expect(readOne(join(ids, prefixed('h-1'), speaks)).attributes.get('seamtrace.handoff.id')).toBe('h-1');
    expect(readOne(join(ids, prefixed('h-2'), speaks)).attributes.get('seamtrace.handoff.id')).toBeNull();
  });

  test('prompts and everything else nobody asks for is absent; a span with nothing else is only counted', () => {
    const prompt = attribute('gen_ai.input.messages', stringValue('secret'));
    expect([...readOne(join(ids, prompt, speaks)).attributes.keys()]).toEqual(['seamtrace.handoff.id']);
    expect(read(request(join(ids, prompt)))).toMatchObject({ spans: [], received: 1, ignored: 1, rejections: [] });
  });
});

describe('repeated and disordered fields', () => {
  test('the last scalar wins, and status merges', () => {
    const span = join(
      ids,
      speaks,
      field(5, text('first')),
      field(5, text('second')),
      [0x30, 1, 0x30, 3],
      field(15, [0x18, 2]),
      field(15, field(2, text('a message only'))),
    );
    expect(readOne(span)).toMatchObject({ name: 'second', kind: 3, statusCode: 2 });
  });

  test('a negative enum is ten bytes long', () => {
    expect(readOne(join(ids, speaks, [0x30, ...Array<number>(9).fill(0xff), 0x01])).kind).toBe(-1);
  });

  test('resource and scope apply to spans before them, and merge over repetitions', () => {
    const service = (name: string) => field(1, field(1, field(1, text('service.name')), field(2, stringValue(name))));
    const scope = (number: number, value: string) => field(1, field(number, text(value)));
    const span = field(2, join(ids, speaks));
    const bytes = field(1, field(2, span, scope(1, 'lib'), scope(2, '1.2')), service('a'), service('b'));
    expect(read(bytes).spans[0]).toMatchObject({
      resource: { serviceName: 'b' },
      scope: { name: 'lib', version: '1.2' },
    });
  });

  test('unknown fields are skipped on every level and of every wire type', () => {
    const unknown = join(
      [...write((w) => w.uint32(100 << 3)), 0x96, 0x01],
      [...write((w) => w.uint32((101 << 3) | 1)), 1, 2, 3, 4, 5, 6, 7, 8],
      field(102, [9, 9]),
      [...write((w) => w.uint32((103 << 3) | 5)), 1, 2, 3, 4],
    );
    const value = field(9, unknown, field(1, text('seamtrace.x')), field(2, unknown, stringValue('v')));
    const span = join(unknown, ids, value, field(15, unknown), field(13, unknown));
    const bytes = join(
      unknown,
      field(1, unknown, field(1, unknown), field(2, unknown, field(1, unknown), field(2, span))),
    );
    expect(read(bytes).spans[0]?.attributes.get('seamtrace.x')).toBe('v');
  });
});

describe('a span that cannot be read is rejected, its neighbours are used', () => {
  test.each<[string, Bytes, RegExp]>([
    ['no trace id', field(2, SPAN), /trace_id is missing, expected 16 bytes/],
    ['a trace id of 15 bytes', join(field(1, TRACE.subarray(1)), field(2, SPAN)), /trace_id .* 15 bytes, expected 16/],
    ['a trace id of zeros', join(field(1, new Uint8Array(16)), field(2, SPAN)), /trace_id .* all zeros/],
    ['a span id of 16 bytes', join(field(1, TRACE), field(2, TRACE)), /span_id .* 16 bytes, expected 8/],
    ['a parent id of 3 bytes', join(ids, field(4, [1, 2, 3])), /parent_span_id .* 3 bytes, expected 8/],
    ['a link id of 3 bytes', join(ids, field(13, field(1, [1, 2, 3]))), /links.trace_id .* 3 bytes, expected 16/],
    ['a varint that never ends', join(ids, [0x30, ...Array<number>(10).fill(0xff), 1]), /expected a varint/],
    ['a field that leaves the span', join(ids, [0x2a, 0x7f, 0x61]), /at byte \d+: expected name of 127 bytes, found 1/],
    ['a group', join(ids, [0x93, 0x01, 0x94, 0x01]), /group start \(field 18\)/],
    ['a name as varint', join(ids, [0x28, 1]), /expected name as length-delimited, found varint/],
    ['field number 0', join(ids, [0x02, 0]), /field number 0/],
    ['wire type 7', join(ids, [0x9f, 0x01]), /wire type 7/],
    ['half a time', join(ids, [0x39, 1, 2]), /8 bytes of start_time_unix_nano/],
    ['a wanted value cut short', join(ids, attribute('seamtrace.x', [0x0a, 9, 0x61])), /string_value of 9 bytes/],
    ['an unwanted value cut short', join(ids, attribute('http.x', [0x0a, 9, 0x61])), /field 1 of AnyValue of 9 bytes/],
    [
      'an unwanted value of another type',
      join(ids, attribute('http.x', [0x08, 1])),
      /string_value as length-delimited/,
    ],
  ])('%s', (_name, span, expected) => {
    expect(rejection(span)).toMatch(expected);
  });

  test('an index counts over all resources and scopes', () => {
    const bytes = join(request(join(ids, speaks)), field(1, scopeSpans(join(ids)), scopeSpans([1])));
    expect(read(bytes)).toMatchObject({ received: 3, ignored: 1, rejections: [{ index: 2 }] });
  });

  test('links without ids say nothing and are left out', () => {
    const link = field(13, field(1, TRACE), field(2, SPAN));
    const none = field(13, field(1, new Uint8Array(16)), field(2, new Uint8Array(8)));
    const { links } = readOne(join(ids, speaks, none, link, field(13)));
    expect(links).toEqual([{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) }]);
  });

  test('zeros as parent are no parent', () => {
    expect(readOne(join(ids, speaks, field(4, new Uint8Array(8)))).parentSpanId).toBe('');
  });

  test(`more than ${MAX_REJECTIONS} of them refuse the request`, () => {
    const empty = (count: number) => field(1, field(2, ...Array<Bytes>(count).fill([0x12, 0x00])));
    expect(read(empty(MAX_REJECTIONS)).rejections).toHaveLength(MAX_REJECTIONS);
    expect(refusal(empty(MAX_REJECTIONS + 1))).toContain('more than 10000 spans cannot be read; the first: trace_id');
  });
});

describe('a request whose outer frames do not fit is refused with the byte offset', () => {
  test.each<[string, Bytes, string]>([
    [
      'cut off',
      request(join(ids, speaks)).subarray(0, 20),
      'at byte 1: expected resource_spans of 63 bytes, found 18 bytes left',
    ],
    ['a text', text('hello'), 'at byte 3: expected a field of ExportTraceServiceRequest, found group end (field 13)'],
    ['JSON', text('{}'), 'at byte 1: expected a field of ExportTraceServiceRequest, found group start (field 15)'],
    [
      'another wire type at the top',
      [0x08, 0x01],
      'at byte 1: expected resource_spans as length-delimited, found varint',
    ],
    [
      'another wire type in a resource',
      field(1, [0x10, 1]),
      'at byte 3: expected scope_spans as length-delimited, found varint',
    ],
    ['a length of 4 GiB', [0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f], 'at byte 1: expected the length of resource_spans'],
    [
      'a broken resource',
      field(1, field(1, [0x0a, 5])),
      'at byte 5: expected attributes of 5 bytes, found 0 bytes left',
    ],
    ['a broken scope', field(1, field(2, field(1, [0x0a]))), 'at byte 7: expected the length of name'],
    ['half a tag', [0x80], 'at byte 0: expected a field tag of ExportTraceServiceRequest'],
  ])('%s', (_name, bytes, message) => {
    expect(refusal(bytes)).toBe(message);
  });

  test('no bytes and no spans are empty requests', () => {
    const empty = { ok: true, spans: [], received: 0, ignored: 0, rejections: [], invalidUtf8: 0 };
    expect(decodeTracesProtobuf(new Uint8Array())).toEqual(empty);
    expect(decodeTracesProtobuf(field(1, field(2)))).toEqual(empty);
  });

  test('bytes inside a larger buffer are read from where they begin', () => {
    const bytes = request(join(ids, speaks));
    const padded = join([1, 2, 3], bytes, [4, 5]);
    expect(decodeTracesProtobuf(padded.subarray(3, 3 + bytes.length))).toEqual(decodeTracesProtobuf(bytes));
  });
});
