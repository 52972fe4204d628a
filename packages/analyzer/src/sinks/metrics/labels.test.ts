import { expect, it } from 'vitest';
import { OTHER, createLabelGuard } from './labels.js';

it('gives each label of each metric its own cap, and the rest one value', () => {
  const overflowed: string[] = [];
  const guard = createLabelGuard(2, (label) => overflowed.push(label));
  const admit = (value: string) => guard.admit('m', 'source', value);
  expect([admit('a'), admit('b'), admit('c'), admit('a'), admit('d')]).toEqual(['a', 'b', OTHER, 'a', OTHER]);
  expect(overflowed).toEqual(['source', 'source']);
  expect(guard.admit('m', 'field', 'c')).toBe('c');
  expect(guard.admit('other', 'source', 'c')).toBe('c');
});

it('keeps the places of what is declared, and of closed sets', () => {
  const guard = createLabelGuard(1, () => {});
  guard.reserve('route', ['declared']);
  for (const stranger of ['x', 'y', 'z']) guard.admit('m', 'route', stranger);
  expect(guard.admit('m', 'route', 'declared')).toBe('declared');
  for (const verdict of ['passed', 'packaging_loss', 'ingestion_loss']) {
    expect(guard.admit('m', 'verdict', verdict)).toBe(verdict);
  }
});

it('does not take a value of any length', () => {
  const guard = createLabelGuard(10, () => {});
  expect(guard.admit('m', 'source', 'x'.repeat(128))).toBe('x'.repeat(128));
  expect(guard.admit('m', 'source', 'x'.repeat(129))).toBe(OTHER);
});
