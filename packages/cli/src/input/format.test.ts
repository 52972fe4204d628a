import { describe, expect, it } from 'vitest';
import { detectFormat } from './format.js';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe('detectFormat', () => {
  it('knows gzip by its magic bytes', () => {
    expect(detectFormat(Uint8Array.of(0x1f, 0x8b, 8))).toBe('gzip');
  });

  it.each(['{}', '{"resourceSpans":[]}', '\n\n  {"a":1}', '\uFEFF{"a":1}', '\n{\n  "a": 1\n}', '\r\n{ }', '[1]'])(
    'takes %j for JSON',
    (value) => {
      expect(detectFormat(text(value))).toBe('json');
    },
  );

  it('is not fooled by a protobuf request whose length is a brace', () => {
    // resource_spans, 123 bytes, holding a resource of 34 bytes (a quote) that starts with an attribute.
    expect(detectFormat(Uint8Array.of(0x0a, 0x7b, 0x0a, 0x22, 0x0a, 0x10))).toBe('protobuf');
    expect(detectFormat(Uint8Array.of(0x0a, 0x7b, 0x12, 0x22))).toBe('protobuf');
    expect(detectFormat(Uint8Array.of(0x0a, 0x5b, 0x0a, 0x22))).toBe('protobuf');
  });

  it('takes everything else for protobuf, whose decoder says what is wrong', () => {
    expect(detectFormat(Uint8Array.of(0x0a, 0x03, 1, 2, 3))).toBe('protobuf');
    expect(detectFormat(text('hello'))).toBe('protobuf');
    expect(detectFormat(new Uint8Array())).toBe('protobuf');
  });
});
