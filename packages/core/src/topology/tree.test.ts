import { describe, expect, it } from 'vitest';
import { createTree } from './tree.js';

/** Span ids of which many fall together. */
const idOf = (span: number): [number, number] => [span % 7, -span];

describe('a tree', () => {
  it('finds the spans of small and large traces, and none that went', () => {
    const tree = createTree(2048, 42);
    const sizes = [1, 63, 64, 65, 66, 500, 130];
    const rows = new Map<string, number>();
    // Each trace grows by one span at a time, between spans of the others.
    for (let span = 0; span < Math.max(...sizes); span += 1) {
      for (const [trace, size] of sizes.entries()) {
        if (span < size) rows.set(`${trace}/${span}`, tree.add(trace, span, ...idOf(span)));
      }
    }
    const seen = (trace: number, span: number): number => tree.find(trace, sizes[trace]!, ...idOf(span));
    for (const [trace, size] of sizes.entries()) {
      for (let span = 0; span < size; span += 1) expect(seen(trace, span)).toBe(rows.get(`${trace}/${span}`));
      expect(seen(trace, size)).toBe(-1);
    }
    for (let span = 0; span < sizes[5]!; span += 1) tree.remove(rows.get(`5/${span}`)!);
    for (let span = 0; span < sizes[5]!; span += 1) expect(seen(5, span)).toBe(-1);
    expect(seen(6, 129)).toBe(rows.get('6/129'));
    expect(tree.size).toBe(sizes.reduce((sum, size) => sum + size, 0) - sizes[5]!);
  });
});
