import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createChunks } from './chunks.js';

test('gives back what came, however it was cut up', () => {
  const size = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 20_000 }), fc.constantFrom(8191, 8192, 65_536));
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const sent = sizes.map((length, at) => Buffer.alloc(length, at + 1));
      const chunks = createChunks();
      for (const chunk of sent) chunks.add(chunk);
      expect(chunks.join().equals(Buffer.concat(sent))).toBe(true);
    }),
  );
});

test('a body that comes byte by byte is held in blocks', () => {
  const chunks = createChunks();
  const read = Buffer.alloc(200_000, 7);
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < read.length; at += 1) chunks.add(read.subarray(at, at + 1));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * read.length);
  read.fill(0, 1_000);
  // What was copied does not change with the buffer that it came in.
  expect(
    chunks
      .join()
      .subarray(1_000)
      .every((byte) => byte === 7),
  ).toBe(true);
});

test('small parts of large reads are copied, so that the reads can go', () => {
  const chunks = createChunks();
  const reads = Array.from({ length: 40 }, (_, at) => Buffer.alloc(65_536, at));
  for (const read of reads) chunks.add(read.subarray(0, 16_384));
  const expected = Buffer.concat(reads.map((read) => read.subarray(0, 16_384)));
  for (const read of reads) read.fill(255);
  expect(chunks.join().equals(expected)).toBe(true);
});
