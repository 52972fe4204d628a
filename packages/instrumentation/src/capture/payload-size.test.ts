import fc from 'fast-check';
import { expect, it } from 'vitest';
import { payloadSize } from './payload-size.js';

it('equals the bytes of JSON.stringify for JSON values of any text', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const expected = typeof value === 'string' ? value : JSON.stringify(value);
      expect(payloadSize(value)).toBe(Buffer.byteLength(expected));
    }),
  );
});

it('equals it for what JSON leaves out or changes', () => {
  const values = [
    { a: undefined, b: () => 1, c: Symbol('s'), d: Number.NaN, e: -0, f: 1e21, g: 1e-7 },
    [undefined, () => 1, Infinity],
    { 'naïve "key"\n': '\u2028\ud800' },
    new Date(0),
    { at: new Date(8.64e15), not: new Date(Number.NaN) },
    [, 1], // eslint-disable-line no-sparse-arrays
    Object.create(null),
  ];
  for (const value of values) expect(payloadSize(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
  expect(payloadSize('{"a":1}')).toBe(7);
  expect(payloadSize(Buffer.from('abc'))).toBe(3);
});

it('is unknown where only user code or too much work could tell', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  class Money {
    toJSON() {
      throw new Error('ran');
    }
  }
  const dated = Object.assign(new Date(0), { toJSON: () => 'x' });
  const values = [
    cyclic,
    new Map(),
    new Set(),
    1n,
    { a: 1n },
    new Money(),
    {
      get a() {
        throw new Error('ran');
      },
    },
    new Proxy({}, {}),
    dated,
    undefined,
    () => 1,
    Object(1),
    Array.from({ length: 60_000 }, () => 0),
  ];
  for (const value of values) expect(payloadSize(value)).toBeUndefined();
});
