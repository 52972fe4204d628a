import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { captureKeys } from './capture.js';
import { EMPTY_KEYS_DIGEST, keysDigest } from './digest.js';
import { incompleteCapture } from './key-capture.js';

const keysOf = (value: unknown, ...paths: string[]) => captureKeys(value, { paths }).keys;
const boom = (): never => {
  throw new Error('user code ran');
};

describe('what a capture holds', () => {
  test('top-level names and every contract path, sorted, with count and digest', () => {
    const state = {
      order: { id: 1, lines: [{ sku: 'a' }, { sku: 'b' }] },
      customer_id: 'C',
      gone: undefined,
      nil: null,
    };
    const capture = captureKeys(state, { paths: ['customer_id', 'order.id', 'order.lines[].sku', 'order.note'] });
    const keys = ['customer_id', 'order', 'order.id', 'order.lines[].sku'];
    expect(capture).toEqual({ keys, complete: true, keyCount: 4, keysDigest: keysDigest(keys) });
  });

  test('nothing of an empty object, completely', () => {
    for (const empty of [{}, Object.create(null), new Map(), Object.freeze({})]) {
      expect(captureKeys(empty, { paths: ['a', 'b.c'] })).toEqual({
        keys: [],
        complete: true,
        keyCount: 0,
        keysDigest: EMPTY_KEYS_DIGEST,
      });
    }
  });

  test('null only where the contract lists it as nullable', () => {
    const state = { a: null, b: null, c: { d: null } };
    expect(captureKeys(state, { paths: ['a', 'b', 'c.d'], nullable: ['a', 'c.d'] }).keys).toEqual(['a', 'c', 'c.d']);
    expect(captureKeys(new Map([['a', null]]), { paths: ['a'], nullable: ['a'] }).keys).toEqual(['a']);
  });

  test('a list path when every element has it, so also for an empty list', () => {
    expect(keysOf({ l: [] }, 'l[].a')).toEqual(['l', 'l[].a']);
    expect(keysOf({ l: [{ a: 1 }, { a: 2 }] }, 'l[].a')).toEqual(['l', 'l[].a']);
    expect(keysOf({ l: [{ a: 1 }, {}] }, 'l[].a')).toEqual(['l']);
    expect(keysOf({ l: [{ a: 1 }, null] }, 'l[].a')).toEqual(['l']);
    expect(keysOf({ l: [1, undefined] }, 'l[]')).toEqual(['l']);
    // eslint-disable-next-line no-sparse-arrays
    expect(keysOf({ l: [1, , 2] }, 'l[]')).toEqual(['l']);
    expect(keysOf({ l: { a: 1 } }, 'l[].a')).toEqual(['l']);
    expect(keysOf({ l: [[1], []] }, 'l[][]')).toEqual(['l', 'l[][]']);
  });

  test('a dotted member under its escaped name, apart from a path', () => {
    expect(keysOf({ 'a.b': 1 }, 'a\\.b', 'a.b')).toEqual(['a\\.b']);
    expect(keysOf({ a: { b: 1 } }, 'a\\.b', 'a.b')).toEqual(['a', 'a.b']);
  });

  test('own members named like inherited ones, and not the inherited ones', () => {
    const state = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": 1}') as object;
    expect(captureKeys(state, { paths: ['__proto__.polluted', 'constructor', 'toString'] })).toMatchObject({
      keys: ['__proto__', '__proto__.polluted', 'constructor'],
      complete: true,
    });
    expect(captureKeys({}, { paths: ['__proto__', 'constructor', 'toString'] })).toMatchObject({
      keys: [],
      complete: true,
    });
    expect(
      captureKeys(
        new (class A {
          a = 1;
        })(),
        { paths: ['constructor', '__proto__'] },
      ),
    ).toMatchObject({
      keys: ['a'],
      complete: true,
    });
  });

  test('objects of another realm as if they were of this one', () => {
    const state: unknown = runInNewContext('({ a: { b: [1] }, m: new Map([["k", 1]]) })');
    expect(captureKeys(state, { paths: ['a.b[]', 'm.k', 'c'] })).toMatchObject({
      keys: ['a', 'a.b[]', 'm', 'm.k'],
      complete: true,
    });
  });

  test('own members of a class instance', () => {
    class State {
      customer_id = 'C';
      method(): void {}
    }
    expect(captureKeys(new State(), { paths: ['customer_id', 'invoice_id'] })).toMatchObject({
      keys: ['customer_id'],
      complete: true,
    });
  });

  test('a contract key that is there but not enumerable', () => {
    const state = Object.defineProperty({}, 'a', { value: { b: 1 }, enumerable: false });
    expect(keysOf(state, 'a.b')).toEqual(['a', 'a.b']);
  });

  test('JSON text only when asked to', () => {
    const text = '{"a":{"b":1},"c":null}';
    expect(captureKeys(text, { paths: ['a.b'] })).toEqual(incompleteCapture('unsupported'));
    expect(captureKeys(text, { paths: ['a.b'], json: true })).toMatchObject({ keys: ['a', 'a.b'], complete: true });
    for (const bad of ['', '{', '[]', '1', 'null', '"a"', 'hello']) {
      expect(captureKeys(bad, { paths: ['a'], json: true })).toEqual(incompleteCapture('unsupported'));
    }
    expect(captureKeys(`{"a":"${'x'.repeat(1_048_576)}"}`, { paths: ['a'], json: true })).toEqual(
      incompleteCapture('truncated'),
    );
  });
});

describe('masking', () => {
  test('hides names that are data, and counts them once', () => {
    const state = { ok: 1, 'jane@example.com': 1, '4915112345678': 1 };
    expect(captureKeys(state, { paths: [] })).toEqual({
      keys: ['*', 'ok'],
      complete: true,
      keyCount: 2,
      keysDigest: keysDigest(['*', 'ok']),
    });
  });

  test('hides every Map entry that no contract lists', () => {
    const state = new Map<unknown, unknown>([
      ['customer_id', 1],
      ['looks_fine', 1],
      [42, 1],
      ['order', new Map([['id', 1]])],
    ]);
    expect(keysOf(state, 'customer_id', 'order.id')).toEqual(['*', 'customer_id', 'order', 'order.id']);
  });

  test('never hides what a contract lists', () => {
    const id = 'id_20240101123456';
    expect(keysOf({ [id]: { x: 1 } }, `${id}.x`)).toEqual([id, `${id}.x`]);
    expect(keysOf({ [id]: { x: 1 } })).toEqual(['*']);
  });
});

describe('what cannot be known', () => {
  const opaque: [string, unknown, string[]][] = [
    ['an own accessor', Object.defineProperty({}, 'a', { get: boom, enumerable: true }), ['a']],
    ['an own accessor on the way', { a: Object.defineProperty({}, 'b', { get: boom }) }, ['a.b']],
    [
      'an accessor of the class',
      new (class {
        x = 1;
        get a(): number {
          return boom();
        }
      })(),
      ['a'],
    ],
    [
      'an accessor of a base class',
      new (class extends class {
        x = 1;
        get a(): number {
          return boom();
        }
      } {})(),
      ['a'],
    ],
    ['an inherited member', Object.create({ a: 1 }, { x: { value: 1, enumerable: true } }), ['a']],
    [
      'a Proxy',
      new Proxy(
        { a: 1 },
        { get: boom, has: boom, ownKeys: boom, getPrototypeOf: boom, getOwnPropertyDescriptor: boom },
      ),
      ['a'],
    ],
    [
      'a revoked Proxy',
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
      [],
    ],
    ['a Proxy on the way', { a: new Proxy({}, { get: boom, getOwnPropertyDescriptor: boom }) }, ['a.b']],
    ['a Proxy as prototype', Object.create(new Proxy({}, { getPrototypeOf: boom, has: boom })), ['a']],
    [
      'private state',
      new (class {
        #a = 1;
        get(): number {
          return this.#a;
        }
      })(),
      ['a'],
    ],
    ['members that toJSON adds', { x: 1, toJSON: boom }, ['a']],
    [
      'a Map that looks up its own way',
      new (class extends Map<string, number> {
        override get(): number {
          return boom();
        }
      })(),
      ['a'],
    ],
    ['a Set as a list', { a: new Set([{ b: 1 }]) }, ['a[].b']],
    [
      'an iterable class as a list',
      {
        a: new (class {
          x = 1;
          [Symbol.iterator] = boom;
        })(),
      },
      ['a[].b'],
    ],
    ['an element behind an accessor', { a: Object.defineProperty([], 0, { get: boom }) }, ['a[].b']],
    ['a serialized member', { a: '{"b":1}' }, ['a.b']],
    ['a promise on the way', { a: Promise.resolve({ b: 1 }) }, ['a.b']],
    ['a malformed path', { a: 1 }, ['a..b']],
  ];
  test.each(opaque)('%s is neither present nor absent', (_, value, paths) => {
    const capture = captureKeys(value, { paths });
    expect(capture).toMatchObject({ complete: false, incompleteReason: 'unsupported' });
    for (const path of paths) expect(capture.keys).not.toContain(path);
  });

  const noRecord: unknown[] = [
    undefined,
    null,
    0,
    1n,
    'a',
    true,
    Symbol('a'),
    boom,
    class {},
    [],
    [{ a: 1 }],
    new Set(['a']),
    new Date(),
    /a/,
    new WeakMap(),
    Promise.resolve({}),
    Buffer.from('a'),
    new ArrayBuffer(1),
    new String('abc'),
    (function* () {
      yield 1;
    })(),
  ];
  test.each(noRecord.map((value) => [value]))('value %# is no record', (value) => {
    expect(captureKeys(value, { paths: ['a'] })).toEqual(incompleteCapture('unsupported'));
  });

  test('an accessor that no contract lists is a name like others', () => {
    const state = Object.defineProperty({ a: 1 }, 'lazy', { get: boom, enumerable: true });
    expect(captureKeys(state, { paths: ['a'] })).toMatchObject({ keys: ['a', 'lazy'], complete: true });
  });

  test('toJSON and iterators are never run where they are members', () => {
    const state = {
      a: 1,
      toJSON: boom,
      toString: boom,
      valueOf: boom,
      [Symbol.iterator]: boom,
      [Symbol.toPrimitive]: boom,
    };
    expect(captureKeys(state, { paths: ['a'] }).keys).toEqual(['a', 'toJSON', 'toString', 'valueOf']);
  });
});

describe('size', () => {
  test('keeps 256 names, contract keys first, and says how many there were', () => {
    const state = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${String(i).padStart(3, '0')}`, 1]));
    const capture = captureKeys({ ...state, zz: 1 }, { paths: ['zz'] });
    expect(capture).toMatchObject({ complete: false, incompleteReason: 'truncated', keyCount: 301 });
    expect(capture.keys).toHaveLength(256);
    expect(capture.keys).toContain('zz');
    expect(capture.keys).toEqual([...capture.keys].sort());
    expect(capture.keysDigest).toBe(keysDigest([...Object.keys(state), 'zz']));
  });

  test('is complete at exactly the cap', () => {
    const state = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`k${i}`, 1]));
    expect(captureKeys(state, { paths: [] })).toMatchObject({ complete: true, keyCount: 256 });
  });

  test('honours smaller caps', () => {
    expect(captureKeys({ abc: 1, b: 2 }, { paths: [], maxKeyBytes: 2 })).toMatchObject({
      keys: ['b'],
      complete: false,
      incompleteReason: 'truncated',
      keyCount: 2,
    });
    expect(captureKeys({ a: 1, b: 2 }, { paths: [], maxKeys: 0 })).toMatchObject({
      keys: [],
      complete: false,
      keyCount: 2,
    });
  });

  test('counts a million members and still finds the contract key among them', () => {
    const state: Record<string, unknown> = {};
    for (let i = 0; i < 1_000_000; i += 1) state[`k${i}`] = i;
    state['invoice'] = { id: 1 };
    const capture = captureKeys(state, { paths: ['invoice.id', 'k999999'] });
    expect(capture).toMatchObject({ complete: false, incompleteReason: 'truncated', keyCount: 1_000_002 });
    expect(capture.keys).toHaveLength(256);
    expect(capture.keys).toEqual(expect.arrayContaining(['invoice', 'invoice.id', 'k999999']));
  });

  test('counts the entries of a large Map', () => {
    const state = new Map(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, 1]));
    expect(captureKeys(state.set('a', 1), { paths: ['a'] })).toMatchObject({
      keys: ['*', 'a'],
      complete: false,
      keyCount: 10_001,
    });
  });

  test('stops in lists that branch into themselves', () => {
    const list: unknown[] = [];
    list.push(list, list, list);
    const capture = captureKeys({ list }, { paths: [`list${'[]'.repeat(40)}`] });
    expect(capture).toMatchObject({ complete: false, incompleteReason: 'truncated' });
  });

  test('follows cycles as deep as a path goes', () => {
    const state: Record<string, unknown> = { id: 1 };
    state['self'] = state;
    expect(captureKeys(state, { paths: ['self.self.self.id'] })).toMatchObject({
      keys: ['id', 'self', 'self.self.self.id'],
      complete: true,
    });
  });
});
