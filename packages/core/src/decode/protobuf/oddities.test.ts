import { decodeFully } from '@seamtrace/testkit';
import { describe, expect, test } from 'vitest';
import { MAX_OWN_SPANS, MAX_SPANS } from '../limits.js';
import type { AttributeValue, DecodedSpan } from '../types.js';
import { decodeTracesProtobuf } from './request.js';

// Each oddity by hand, in bytes, and beside it what a full protobufjs decode of the same bytes says.

type Bytes = readonly number[] | Uint8Array;

const join = (...parts: Bytes[]): Uint8Array => Buffer.concat(parts.map((part) => Uint8Array.from(part)));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const varint = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]);
const field = (number: number, ...parts: Bytes[]): Uint8Array => {
  const body = join(...parts);
  return join(varint((number << 3) | 2), varint(body.length), body);
};
const TRACE = field(1, Array<number>(16).fill(0xab));
const SPAN = field(2, Array<number>(8).fill(0xcd));
const attribute = (key: string, ...value: Bytes[]) => field(9, field(1, text(key)), field(2, ...value));
const speaks = attribute('seamtrace.handoff.id', field(1, text('h-1')));
const span = (...parts: Bytes[]) => field(2, TRACE, SPAN, speaks, ...parts);
const request = (...spans: Bytes[]) => field(1, field(2, ...spans));
const ff = (count: number) => Array<number>(count).fill(0xff);
const group = (number: number, ...inside: Bytes[]) =>
  join(varint((number << 3) | 3), ...inside, varint((number << 3) | 4));

/** The one span of a request that both decoders read, after they agreed on what concerns us. */
function both(...parts: Bytes[]): DecodedSpan {
  const bytes = request(span(...parts));
  const result = decodeTracesProtobuf(bytes);
  if (!result.ok) throw new Error(result.message);
  const [full] = decodeFully(bytes);
  expect(result.rejections).toEqual([]);
  const [ours] = result.spans as [DecodedSpan];
  expect(ours).toMatchObject({ name: full?.name, kind: full?.kind, statusCode: full?.statusCode, links: full?.links });
  for (const [key, value] of ours.attributes) expect(value).toEqual(full?.attributes.get(key));
  return ours;
}

const valueOf = (...value: Bytes[]): AttributeValue | undefined =>
  both(attribute('seamtrace.x', ...value)).attributes.get('seamtrace.x');

function protobufjsReads(bytes: Uint8Array): boolean {
  try {
    decodeFully(bytes);
    return true;
  } catch {
    return false;
  }
}

function rejectionOf(bytes: Uint8Array): string {
  const result = decodeTracesProtobuf(bytes);
  if (!result.ok) throw new Error(result.message);
  expect(result.rejections).toHaveLength(1);
  return result.rejections[0]?.reason ?? '';
}

function refusalOf(bytes: Uint8Array): string {
  const result = decodeTracesProtobuf(bytes);
  return result.ok ? 'read' : result.message;
}

describe('varints', () => {
  test('ten bytes are read, of every kind of field; bits beyond the sixty-fourth are dropped', () => {
    expect(valueOf([0x18, ...ff(9), 0x01])).toBe(-1n);
    expect(valueOf([0x18, ...ff(9), 0x7f])).toBe(-1n);
    expect(valueOf([0x10, ...Array<number>(9).fill(0x80), 0x00])).toBe(false);
    expect(valueOf([0x10, ...Array<number>(8).fill(0x80), 0x81, 0x00])).toBe(true);
    expect(both([0x30, ...ff(9), 0x01]).kind).toBe(-1);
    expect(both(field(15, [0x18, 0x82, ...Array<number>(8).fill(0x80), 0x00])).statusCode).toBe(2);
  });

  test.each<[string, Bytes]>([
    ['an int_value', attribute('seamtrace.x', [0x18, ...ff(10), 0x01])],
    ['a bool_value', attribute('seamtrace.x', [0x10, ...ff(10), 0x01])],
    ['the kind', [0x30, ...ff(10), 0x01]],
    ['a status code', field(15, [0x18, ...ff(10), 0x01])],
    ['a value that nobody asks for', attribute('http.x', [0x18, ...ff(10), 0x01])],
  ])('eleven bytes reject the span: %s; protobufjs refuses the whole request', (_name, part) => {
    expect(rejectionOf(request(span(part)))).toMatch(/at byte \d+: expected a varint of /);
    expect(protobufjsReads(request(span(part)))).toBe(false);
  });

  test('eleven bytes in a field that is skipped reject the span, too, which protobufjs lets pass', () => {
    const bytes = request(span([0xa0, 0x06, ...ff(10), 0x01]));
    expect(rejectionOf(bytes)).toMatch(/at byte \d+: expected a varint of Span/);
    expect(protobufjsReads(bytes)).toBe(true);
  });

  test('tags and lengths may be padded up to five bytes, and no further', () => {
    expect(both([0xaa, 0x80, 0x80, 0x80, 0x00, 0x81, 0x80, 0x80, 0x80, 0x00, 0x6e]).name).toBe('n');
    for (const part of [
      [0xaa, 0x80, 0x80, 0x80, 0x80, 0x00, 0x01, 0x6e],
      [0x2a, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0x6e],
    ]) {
      expect(rejectionOf(request(span(part)))).toMatch(/expected (a field tag|the length) of /);
      expect(protobufjsReads(request(span(part)))).toBe(false);
    }
  });
});

describe('groups', () => {
  const inside = join([0x08, 1], field(2, text('x')));
  // protobufjs and other parsers skip unknown groups. OTLP never had any, nested ones need a stack, and where one stands
  // a sender speaks of something else: the place is named.
  test.each<[string, Uint8Array, RegExp]>([
    ['at the top', join(group(15, inside), request(span())), /^at byte 1: .*group start \(field 15\)$/],
    ['beside scope_spans', field(1, group(7, inside), field(2, span())), /^at byte 3: .*group start \(field 7\)$/],
    ['beside spans', field(1, field(2, group(7), span())), /^at byte 5: .*group start \(field 7\)$/],
    ['in place of spans', field(1, field(2, group(2))), /expected spans as length-delimited, found group start/],
    ['an end without start', join([0x7c], request(span())), /group end \(field 15\)/],
  ])('above the spans refuse the request: %s', (_name, bytes, message) => {
    expect(refusalOf(bytes)).toMatch(message);
  });

  test.each<[string, Bytes]>([
    ['of a number that OTLP does not have', group(18, inside)],
    ['within one another', group(18, group(19, group(20)))],
    ['of a number that it has', group(5)],
    ['without end', [0x93, 0x01]],
    ['in a status', field(15, group(7))],
    ['in a value', attribute('seamtrace.x', group(9))],
    ['in a value that nobody asks for', attribute('http.x', group(9))],
  ])('in a span reject the span: %s; the rest is used', (_name, part) => {
    const result = decodeTracesProtobuf(request(span(), span(part), span()));
    expect(result).toMatchObject({ ok: true, received: 3, rejections: [{ index: 1 }] });
    expect(rejectionOf(request(span(), span(part)))).toMatch(/group start/);
  });

  test('in an event nobody looks', () => {
    expect(both(field(11, group(9))).attributes.get('seamtrace.handoff.id')).toBe('h-1');
  });
});

describe('repetitions', () => {
  test('scalars: the last one counts, ids included, whatever the others held', () => {
    const bytes = request(field(2, field(1, [1, 2, 3]), TRACE, field(2), SPAN, speaks, field(5, text('a')), field(5)));
    const result = decodeTracesProtobuf(bytes);
    expect(result).toMatchObject({ ok: true, spans: [{ traceId: 'ab'.repeat(16), name: '' }] });
    expect(decodeFully(bytes)[0]).toMatchObject({ traceId: 'ab'.repeat(16), name: '' });
  });

  test('messages merge; of a oneof the last member counts, and a list that comes after another member is new', () => {
    const list = (value: string) => field(5, field(1, field(1, text(value))));
    expect(valueOf(list('a'), list('b'))).toEqual(['a', 'b']);
    expect(valueOf(list('a'), field(1, text('between')), list('b'))).toEqual(['b']);
    const entry = (key: string) => field(6, field(1, field(1, text(key)), field(2, [0x10, 1])));
    const merged = new Map<string, AttributeValue>([
      ['a', true],
      ['b', true],
    ]);
    expect(valueOf(entry('a'), entry('b'))).toEqual(merged);
    expect(both(field(15, [0x18, 2]), field(15, field(2, text('said later')))).statusCode).toBe(2);
  });
});

describe('empty and long', () => {
  test('values of nothing', () => {
    expect(valueOf()).toBeNull();
    expect(valueOf(field(1))).toBe('');
    expect(valueOf(field(5))).toEqual([]);
    expect(valueOf(field(6))).toEqual(new Map());
    expect(valueOf(field(7))).toEqual(new Uint8Array());
    expect(valueOf(field(5, field(1), field(1, field(6))))).toEqual([null, new Map()]);
    expect(valueOf(field(6, field(1)))).toEqual(new Map([['', null]]));
  });

  test('a list of numbers stands as one message each: OTLP has no field that could be packed', () => {
    expect(valueOf(field(5, field(1, [0x18, 1]), field(1, [0x18, 2])))).toEqual([1n, 2n]);
    // What looks like packed integers is a field of another wire type.
    expect(rejectionOf(request(span(attribute('seamtrace.x', field(3, [1, 2, 3])))))).toMatch(
      /int_value as varint, found length-delimited/,
    );
  });

  test.each<[string, Bytes, RegExp]>([
    ['an attribute', [0x4a, 0x7f, 0x0a, 0x01, 0x61], /attributes of 127 bytes/],
    ['a key', field(9, [0x0a, 0x7f, 0x61]), /key of 127 bytes, found 1 bytes left/],
    ['a value', field(9, field(1, text('seamtrace.x')), [0x12, 0x7f, 0x0a, 0x01, 0x61]), /value of 127 bytes/],
    ['a text', attribute('seamtrace.x', [0x0a, 0x05, 0x61]), /string_value of 5 bytes, found 1 bytes left/],
    ['a list', attribute('seamtrace.x', field(5, [0x0a, 0x05])), /values of 5 bytes/],
    ['a link', field(13, [0x0a, 0x10, 0x61]), /links.trace_id of 16 bytes/],
    ['an unknown field', [0xa2, 0x06, 0x7f], /field 100 of Span of 127 bytes/],
    ['a length of 4 GiB', [0x2a, 0xff, 0xff, 0xff, 0xff, 0x0f], /the length of name/],
  ])('a length that lies rejects the span and no other: %s', (_name, part, message) => {
    expect(rejectionOf(request(span(), span(part), span()))).toMatch(message);
    expect(protobufjsReads(request(span(part)))).toBe(false);
  });

  test.each<[string, Bytes, RegExp]>([
    ['zeros', [0, 0, 0], /expected a field tag of ExportTraceServiceRequest, found field number 0/],
    ['a newline', text('\n'), /expected the length of resource_spans/],
    ['half a field', [0x0a, 0x05, 0x12], /resource_spans of 5 bytes, found 1 bytes left/],
    ['text', text('\r\n--boundary'), /./],
  ])('bytes behind the request refuse it: %s', (_name, rest, message) => {
    const sound = request(span());
    expect(refusalOf(join(sound, rest))).toMatch(message);
    expect(refusalOf(join(sound, rest))).toMatch(new RegExp(`^at byte ${sound.length}|^at byte ${sound.length + 1}`));
  });
});

describe('what grows when it is read is bounded', () => {
  const MANY = 40_000;
  const list = (...item: Bytes[]) => {
    const one = field(1, ...item);
    return field(5, Buffer.concat(Array<Uint8Array>(MANY).fill(one)));
  };

  test.each<[string, Uint8Array]>([
    ['kvlists', field(6)],
    ['bytes', field(7)],
    ['lists', field(5)],
  ])('%s inside values: more than 65,536 in a request reject the span that has them', (_name, empty) => {
    const many = attribute('seamtrace.x', list(empty));
    expect(decodeTracesProtobuf(request(span(many)))).toMatchObject({ received: 1, rejections: [] });
    const result = decodeTracesProtobuf(request(span(many), span(many), span()));
    expect(result).toMatchObject({ received: 3, rejections: [{ index: 1 }] });
    expect(rejectionOf(request(span(many), span(many)))).toBe(
      'more than 65536 lists, kvlists and bytes inside other values of the request',
    );
    // What nobody asks for is never made.
    expect(
      decodeTracesProtobuf(request(span(attribute('http.x', list(empty)), attribute('http.y', list(empty))))),
    ).toMatchObject({
      rejections: [],
    });
  });

  test('texts and numbers inside values are not counted', () => {
    const many = attribute('seamtrace.x', list(field(1, text('key'))));
    expect(decodeTracesProtobuf(request(span(many), span(many), span(many)))).toMatchObject({ rejections: [] });
  });

  test('more spans of ours than any batch of 64 MiB holds refuse the request', () => {
    const one = field(2, TRACE, SPAN, attribute('seamtrace.x'));
    const spans = (count: number) => field(1, field(2, Buffer.concat(Array<Uint8Array>(count).fill(one))));
    expect(decodeTracesProtobuf(spans(MAX_OWN_SPANS))).toMatchObject({ ok: true, received: MAX_OWN_SPANS });
    expect(refusalOf(spans(MAX_OWN_SPANS + 1))).toBe(
      'more than 262144 spans of handoffs in one request; send smaller batches',
    );
  });

  test('more spans of any kind than a batch ever has refuse the request', () => {
    const one = field(2, TRACE, SPAN);
    const spans = (count: number) => field(1, field(2, Buffer.concat(Array<Uint8Array>(count).fill(one))));
    expect(decodeTracesProtobuf(spans(MAX_SPANS))).toMatchObject({ ok: true, received: MAX_SPANS });
    expect(refusalOf(spans(MAX_SPANS + 1))).toBe('more than 524288 spans in one request; send smaller batches');
  });
});

describe('ids', () => {
  const withIds = (...parts: Bytes[]) => request(span(), field(2, speaks, ...parts), span());
  test.each<[string, Uint8Array, RegExp]>([
    ['none', withIds(), /trace_id is missing, expected 16 bytes/],
    ['of no length', withIds(field(1), field(2)), /trace_id is missing/],
    ['a trace id as hex', withIds(field(1, text('ab'.repeat(16))), SPAN), /trace_id .* has 32 bytes, expected 16/],
    ['a span id of seven bytes', withIds(TRACE, field(2, ff(7))), /span_id .* has 7 bytes, expected 8/],
    ['a parent of sixteen', withIds(TRACE, SPAN, field(4, ff(16))), /parent_span_id .* has 16 bytes, expected 8/],
    ['a link of nine', withIds(TRACE, SPAN, field(13, field(2, ff(9)))), /links.span_id .* has 9 bytes, expected 8/],
    ['zeros', withIds(TRACE, field(2, Array<number>(8).fill(0))), /span_id .* is all zeros/],
  ])('%s: the span is rejected, its neighbours are used', (_name, bytes, message) => {
    expect(rejectionOf(bytes)).toMatch(message);
    expect(decodeTracesProtobuf(bytes)).toMatchObject({ received: 3, rejections: [{ index: 1 }] });
  });

  test('a parent of no length is none', () => {
    expect(both(field(4)).parentSpanId).toBe('');
  });
});
