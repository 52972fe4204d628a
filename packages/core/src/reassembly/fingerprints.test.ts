import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFingerprints } from './fingerprints.js';
import { createRecentSet } from './recent.js';

it('knows what a set of the names themselves knows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 40 }), fc.array(fc.nat(60), { maxLength: 200 }), (max, names) => {
      const prints = createFingerprints(max);
      const set = createRecentSet(max);
      for (const name of names) {
        prints.add(`name ${name}`);
        set.add(`name ${name}`);
        for (let other = 0; other <= 60; other += 1) {
          expect(prints.has(`name ${other}`)).toBe(set.has(`name ${other}`));
        }
      }
    }),
    { numRuns: 100, seed: 20_261_130 },
  );
});

it('knows the newer half of many, and no stranger', () => {
  const prints = createFingerprints(200_000);
  for (let turn = 0; turn < 250_000; turn += 1) prints.add(`handoff-${turn}~1`);
  expect(prints.size).toBeLessThanOrEqual(200_000);
  for (let turn = 150_000; turn < 250_000; turn += 1) {
    if (!prints.has(`handoff-${turn}~1`)) throw new Error(`forgot ${turn}`);
  }
  for (let turn = 0; turn < 100_000; turn += 1) {
    if (prints.has(`stranger-${turn}~1`)) throw new Error(`knows stranger ${turn}`);
  }
});
