import { expect, it } from 'vitest';
import { sayRejected } from './rejected.js';

it('speaks of a rest only where there is one, and of one span in the singular', () => {
  expect(sayRejected(['a', 'b'], 4)).toBe('2 of 4 spans rejected, the rest was used: a; b');
  expect(sayRejected(['a', 'b'], 2)).toBe('2 of 2 spans rejected: a; b');
  expect(sayRejected(['a'], 1)).toBe('1 of 1 span rejected: a');
});

it('names the first five, none of them at any length', () => {
  const said = sayRejected(['x'.repeat(10_000), 'b', 'c', 'd', 'e', 'f', 'g'], 9);
  expect(said).toMatch(/x; b; c; d; e; and 2 more$/);
  expect(said.length).toBeLessThan(400);
});
