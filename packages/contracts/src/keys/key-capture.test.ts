import { INCOMPLETE_REASONS } from '@seamtrace/semconv';
import { describe, expect, test } from 'vitest';
import { captureKeys } from './capture.js';
import { keysDigest } from './digest.js';
import { incompleteCapture, INCOMPLETE_REASON_ORDER, mergeCaptures } from './key-capture.js';

describe('two carriers', () => {
  const paths = ['a', 'b'];
  test('hold together what either holds', () => {
    const merged = mergeCaptures(captureKeys({ a: 1 }, { paths }), captureKeys({ b: 1, a: 2 }, { paths }));
    expect(merged).toEqual({ keys: ['a', 'b'], complete: true, keyCount: 2, keysDigest: keysDigest(['a', 'b']) });
  });

  test('are complete only together, with the more telling reason', () => {
    const merged = mergeCaptures(incompleteCapture('error'), captureKeys({ a: 1 }, { paths }));
    expect(merged).toMatchObject({ keys: ['a'], complete: false, incompleteReason: 'error' });
    expect(mergeCaptures(incompleteCapture('error'), incompleteCapture('redacted')).incompleteReason).toBe('redacted');
  });

  test('keep the cap, contract keys first', () => {
    const half = (letter: string) =>
      captureKeys(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [letter + i, 1])), { paths: [] });
    const merged = mergeCaptures(half('a'), half('z'), { paths: ['z199'] });
    expect(merged).toMatchObject({ complete: false, incompleteReason: 'truncated', keyCount: 400 });
    expect(merged.keys).toHaveLength(256);
    expect(merged.keys).toContain('z199');
  });

  test('every reason of the wire has its place in the order', () => {
    expect([...INCOMPLETE_REASON_ORDER].sort()).toEqual([...INCOMPLETE_REASONS].sort());
  });
});
