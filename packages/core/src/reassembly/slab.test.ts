import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlab } from './slab.js';

const filled = (length: number, seed: number) => Uint8Array.from({ length }, (_, at) => (at * 7 + seed) & 255);

describe('slab', () => {
  it('equals a map of copies, over any order of puts, replacements and frees', () => {
    const length = fc.oneof(fc.nat(200), fc.nat(40_000), fc.constantFrom(0, 60, 61, 32_764, 32_765));
    const step = fc.record({ do: fc.constantFrom('put', 'put', 'replace', 'free'), length, pick: fc.nat(50) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const slab = createSlab();
        let model: { handle: number; value: Uint8Array }[] = [];
        steps.forEach(({ do: action, length, pick }, turn) => {
          const value = filled(length, turn);
          const chosen = model[pick % Math.max(1, model.length)];
          if (action === 'put') model.push({ handle: slab.put(value), value });
          else if (chosen === undefined) return;
          else if (action === 'free') {
            slab.free(chosen.handle);
            model = model.filter((one) => one !== chosen);
          } else {
            chosen.handle = slab.replace(chosen.handle, value);
            chosen.value = value;
          }
          expect(new Set(model.map(({ handle }) => handle)).size).toBe(model.length);
          for (const { handle, value } of model) {
            expect(handle).toBeGreaterThan(0);
            expect(Buffer.compare(slab.get(handle), value)).toBe(0);
          }
        });
        for (const { handle } of model) slab.free(handle);
        expect([slab.bytes, slab.held]).toEqual([0, 0]);
      }),
      { numRuns: 200, seed: 20_261_130 },
    );
  });

  it('knows the text that it holds from any other', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\u{1f600}', '\u0000') }),
      fc.string({ maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, text, (one, other) => {
        const slab = createSlab();
        const handle = slab.putText(one);
        expect(slab.get(handle)).toEqual(Buffer.from(one));
        expect(slab.holds(handle, one)).toBe(true);
        expect(slab.holds(handle, other)).toBe(one === other);
        expect([`${one}a`, `${one}é`, `é${one}`, one.slice(1)].filter((near) => slab.holds(handle, near))).toEqual(
          one === '' ? [''] : [],
        );
      }),
    );
  });

  it('wastes at most an eighth on rounding up, but for small blocks', () => {
    for (let length = 128; length < 40_000; length += 97) {
      const slab = createSlab();
      slab.put(filled(length, 0));
      expect(slab.bytes).toBeLessThanOrEqual((length + 4) * 1.125 + 16);
    }
  });

  it('gives pages back when their blocks are free, and takes no new ones while there is room', () => {
    const slab = createSlab();
    const handles = Array.from({ length: 10_000 }, (_, turn) => slab.put(filled(400, turn)));
    const full = slab.held;
    expect(full).toBeLessThan(slab.bytes * 1.02 + 256 * 1024);
    for (const handle of handles.splice(0, 5_000)) slab.free(handle);
    expect(slab.held).toBeLessThan(0.55 * full);
    for (let turn = 0; turn < 5_000; turn += 1) handles.push(slab.put(filled(400, turn)));
    expect(slab.held).toBeLessThanOrEqual(full);
  });
});
