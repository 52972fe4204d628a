import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { memoize, memoizeList } from './memo.js';

test('a remembered function of lists is the function itself, also of lists that read alike', () => {
  const list = fc.array(fc.constantFrom('', 'a', 'b', 'a\nb', '\n'), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 40 }), (lists) => {
      const remembered = memoizeList(3, (names) => JSON.stringify(names));
      for (const names of lists) expect(remembered(names)).toBe(JSON.stringify(names));
    }),
  );
});

test('a result is worked out once while it is held, and again for a text too long to hold', () => {
  const compute = vi.fn((text: string) => text.length);
  const remembered = memoize(2, compute);
  expect(['a', 'bb', 'a', 'bb'].map(remembered)).toEqual([1, 2, 1, 2]);
  expect(compute).toHaveBeenCalledTimes(2);
  expect(['ccc', 'a'].map(remembered), 'the third lets the first two go').toEqual([3, 1]);
  expect(compute).toHaveBeenCalledTimes(4);
  const long = 'x'.repeat(2000);
  expect([long, long].map(remembered)).toEqual([2000, 2000]);
  expect(compute).toHaveBeenCalledTimes(6);
});
