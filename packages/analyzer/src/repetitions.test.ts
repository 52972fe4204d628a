import { expect, it } from 'vitest';
import { createRepetitions } from './repetitions.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('knows what was remembered, byte for byte, and nothing that was only asked for', async () => {
  const repetitions = await createRepetitions(100);
  expect(repetitions.has(bytes('a span'))).toBe(false);
  expect(repetitions.has(bytes('a span'))).toBe(false);
  repetitions.remember(bytes('a span'));
  expect(repetitions.has(bytes('a span'))).toBe(true);
  expect(repetitions.has(bytes('a spam'))).toBe(false);
});

it('forgets what lies further back than its window', async () => {
  const repetitions = await createRepetitions(100);
  for (let piece = 0; piece < 1000; piece += 1) {
    repetitions.remember(bytes(`span ${piece}`));
    for (let back = 0; back < Math.min(50, piece + 1); back += 1) {
      expect(repetitions.has(bytes(`span ${piece - back}`))).toBe(true);
    }
  }
  expect(repetitions.has(bytes('span 0'))).toBe(false);
});
