import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { valueAt } from './value-at.js';

const boom = (): never => {
  throw new Error('user code ran');
};

test('gives the value at a path', () => {
  const state = { a: { b: [{ c: 1 }, { c: 2 }], n: null }, m: new Map([['k', 'v']]) };
  expect(valueAt(state, 'a.b[].c')).toEqual({ status: 'present', value: [1, 2] });
  expect(valueAt(state, 'm.k')).toEqual({ status: 'present', value: 'v' });
  expect(valueAt(state, 'a.n')).toEqual({ status: 'present', value: null });
  expect(valueAt(state, 'a.b[].d')).toEqual({ status: 'absent' });
  expect(valueAt(state, 'a.x.y')).toEqual({ status: 'absent' });
  expect(valueAt(state, 'a..x')).toEqual({ status: 'absent' });
  expect(valueAt(undefined, 'a')).toEqual({ status: 'absent' });
});

test('does not run code to find out', () => {
  expect(valueAt(Object.defineProperty({}, 'a', { get: boom }), 'a')).toEqual({ status: 'unreadable' });
  expect(valueAt(new Proxy({}, { get: boom, getOwnPropertyDescriptor: boom }), 'a')).toEqual({ status: 'unreadable' });
});

test('writes equal JSON values as one text', () => {
  expect(canonicalJson({ b: [1, { z: null, a: 'x' }], a: 1e21, u: undefined })).toBe(
    '{"a":1e+21,"b":[1,{"a":"x","z":null}]}',
  );
  expect(
    canonicalJson(
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
    ),
  ).toBe('{"a":2,"b":1}');
  expect(canonicalJson({ d: new Date(0) })).toBe('{"d":"1970-01-01T00:00:00.000Z"}');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value) as string;
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});

test('has no text for what JSON cannot hold, without running it', () => {
  const cycle: unknown[] = [];
  cycle.push(cycle);
  const unfit = [
    undefined,
    boom,
    1n,
    NaN,
    Infinity,
    Symbol('a'),
    cycle,
    new Set([1]),
    new Date(NaN),
    { toJSON: boom },
    Object.defineProperty({}, 'a', { get: boom, enumerable: true }),
    new Proxy({}, { ownKeys: boom }),
    'x'.repeat(1_048_577),
  ];
  for (const value of unfit) expect(canonicalJson(value)).toBeUndefined();
});
