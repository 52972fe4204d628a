import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NONE } from './column.js';
import { createTextTable } from './text-table.js';

it('equals a map, and never gives one number to two texts', () => {
  const text = fc.oneof(
    fc.nat(60).map((at) => `handoff-${at}`),
    fc.constantFrom('', 'é', '\u{1f600}', 'k'.repeat(9_000)),
  );
  fc.assert(
    fc.property(fc.array(fc.record({ text, free: fc.boolean() }), { maxLength: 200 }), (steps) => {
      const table = createTextTable();
      const model = new Map<string, number>();
      for (const { text, free } of steps) {
        const known = model.get(text);
        expect(table.find(text)).toBe(known ?? NONE);
        if (free && known !== undefined) {
          table.free(known);
          model.delete(text);
        } else {
          const number = table.take(text);
          if (known === undefined) expect([...model.values()]).not.toContain(number);
          else expect(number).toBe(known);
          model.set(text, number);
        }
        expect(table.size).toBe(model.size);
      }
      for (const [text, number] of model) {
        expect(table.find(text)).toBe(number);
        expect(table.textOf(number)).toBe(text);
      }
    }),
    { numRuns: 200, seed: 20_261_130 },
  );
});

it('finds each of many through all its growing and shrinking', () => {
  const table = createTextTable();
  const numbers = Array.from({ length: 30_000 }, (_, at) => table.take(`task ${at}`));
  for (let at = 0; at < 30_000; at += 3) table.free(numbers[at]!);
  for (let at = 0; at < 30_000; at += 1) {
    if (table.find(`task ${at}`) !== (at % 3 === 0 ? NONE : numbers[at])) throw new Error(`task ${at} is lost`);
  }
  expect(table.size).toBe(20_000);
});
