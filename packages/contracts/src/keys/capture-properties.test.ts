import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { captureKeys } from './capture.js';
import { keysDigest } from './digest.js';
import { mergeCaptures } from './key-capture.js';

describe('a capture', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'long_name', '$x', '__proto__', 'jane@example.com', 'x.y');
  const leaf = fc.constantFrom<unknown>(undefined, null, 0, '', 'text', false);
  const tree = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(name, tie('node'), { maxKeys: 4 }),
    ),
  })).node;
  const state = fc.dictionary(name, tree, { maxKeys: 6 });
  const path = fc.constantFrom('a', 'b.c', 'a[].b', 'c[][]', '$x.a.b', 'x\\.y', 'long_name', '__proto__.a');

  // The same rules, written the plain way over plain data.
  const escape = (key: string) => key.replaceAll('.', '\\.');
  const has = (value: unknown, rest: string[]): boolean => {
    const [step, ...more] = rest;
    if (step === undefined) return value !== undefined && value !== null;
    if (step === '[]') return Array.isArray(value) && value.every((element) => has(element, more));
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false;
    return has((value as Record<string, unknown>)[step], more);
  };
  const split = (text: string) =>
    text
      .replaceAll('[]', '.[]')
      .split(/(?<!\\)\./)
      .map((step) => step.replaceAll('\\.', '.'));

  test('a capture of plain data equals the reference model', () => {
    fc.assert(
      fc.property(state, fc.array(path), (value, paths) => {
        const top = Object.keys(value)
          .filter((key) => has(value, [key]))
          .map((key) => (key.includes('@') ? '*' : escape(key)));
        const keys = [...new Set([...top, ...paths.filter((text) => has(value, split(text)))])].sort();
        expect(captureKeys(value, { paths })).toEqual({
          keys,
          complete: true,
          keyCount: keys.length,
          keysDigest: keysDigest(keys),
        });
      }),
      { numRuns: 1_000 },
    );
  });

  test('reading JSON text equals reading the value', () => {
    fc.assert(
      fc.property(state, fc.array(path), (value, paths) => {
        const text = JSON.stringify(value);
        expect(captureKeys(text, { paths, json: true })).toEqual(captureKeys(JSON.parse(text), { paths }));
      }),
    );
  });

  test('merging is commutative, idempotent, and equals capturing the union of flat carriers', () => {
    const flat = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constant(1));
    fc.assert(
      fc.property(flat, flat, (a, b) => {
        const [left, right] = [captureKeys(a, { paths: [] }), captureKeys(b, { paths: [] })];
        expect(mergeCaptures(left, right)).toEqual(mergeCaptures(right, left));
        expect(mergeCaptures(left, left)).toEqual(left);
        expect(mergeCaptures(left, right)).toEqual(captureKeys({ ...a, ...b }, { paths: [] }));
      }),
    );
  });

  test('nothing thrown, whatever is captured', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withNullPrototype: true,
          withObjectString: true,
          withTypedArray: true,
          withSparseArray: true,
        }),
        fc.array(fc.oneof(path, fc.string())),
        (value, paths) => {
          for (const json of [true, false]) {
            const capture = captureKeys(value, { paths, json });
            expect(capture.complete).toBe(capture.incompleteReason === undefined);
            if (capture.complete) expect(capture.keysDigest).toBe(keysDigest(capture.keys));
          }
        },
      ),
    );
  });
});
