import { decodeFully, encodeProtobuf } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRequest, reduce } from '../../../test/any-request.js';
import { anySeed, oddRequest } from '../../../test/odd-request.js';
import { decodeTracesProtobuf } from './request.js';

test('a request that another writer wrote in its own way reads the same', () => {
  fc.assert(
    fc.property(anyRequest, anySeed, (model, seed) => {
      const plain = encodeProtobuf(model);
      expect(decodeTracesProtobuf(oddRequest(plain, seed))).toEqual(decodeTracesProtobuf(plain));
    }),
    { numRuns: 500 },
  );
});

test('and reads as a full protobufjs decode of the same bytes does', () => {
  fc.assert(
    fc.property(anyRequest, anySeed, (model, seed) => {
      const odd = oddRequest(encodeProtobuf(model), seed);
      const spans = decodeFully(odd).map(reduce);
      expect(decodeTracesProtobuf(odd)).toMatchObject({
        ok: true,
        spans: spans.filter((span) => span !== undefined),
        rejections: [],
      });
    }),
    { numRuns: 500 },
  );
});
