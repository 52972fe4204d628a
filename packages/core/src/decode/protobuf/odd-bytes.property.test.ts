import { decodeFully, encodeProtobuf } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyRequest, reduce } from '../../../test/any-request.js';
import { anySeed, oddRequest } from '../../../test/odd-request.js';
import type { DecodedSpan } from '../types.js';
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

/** What we refuse on purpose where protobufjs goes on: fields of another type, groups, ids that are none, depth. */
const OURS_ALONE =
  /expected .* as |group (start|end)|field number 0|has \d+ bytes, expected|all zeros|is missing|nested deeper|more than \d+ (keys|values)/;

/** Damage can make two keys one, where the last value counts in protobufjs and `null` in ours: those are left out. */
function withoutRepeatedKeys(span: DecodedSpan, ours: DecodedSpan | undefined): DecodedSpan {
  const kept = [...span.attributes].filter(([key]) => {
    const value = ours?.attributes.get(key);
    return value !== null && !(value instanceof Map) && !Array.isArray(value);
  });
  return { ...span, attributes: new Map(kept) };
}

function decodedByProtobufjs(bytes: Uint8Array): ReturnType<typeof decodeFully> | undefined {
  try {
    return decodeFully(bytes);
  } catch {
    return undefined;
  }
}

test('damaged bytes: what both read is the same, and what we alone refuse we refuse for a reason of our own', () => {
  const damage = fc.array(fc.tuple(fc.constantFrom('set', 'insert', 'delete'), fc.nat(), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 3,
  });
  let bothRead = 0;
  fc.assert(
    fc.property(anyRequest, anySeed, damage, (model, seed, changes) => {
      const bytes = [...oddRequest(encodeProtobuf(model), seed)];
      for (const [how, at, byte] of changes) {
        const place = at % (bytes.length + 1);
        if (how === 'set') bytes[place] = byte;
        else bytes.splice(place, how === 'delete' ? 1 : 0, ...(how === 'delete' ? [] : [byte]));
      }
      const damaged = Uint8Array.from(bytes);
      const full = decodedByProtobufjs(damaged);
      const ours = decodeTracesProtobuf(damaged);
      if (full === undefined) return;
      if (!ours.ok) {
        expect(ours.message).toMatch(OURS_ALONE);
        return;
      }
      for (const { reason } of ours.rejections) expect(reason).toMatch(OURS_ALONE);
      expect(ours.received).toBe(full.length);
      if (ours.rejections.length > 0) return;
      bothRead += 1;
      const theirs = full.map(reduce).filter((span) => span !== undefined);
      expect(ours.spans.map((span) => withoutRepeatedKeys(span, span))).toEqual(
        theirs.map((span, at) => withoutRepeatedKeys(span, ours.spans[at])),
      );
    }),
    { numRuns: 1_000, endOnFailure: true },
  );
  expect(bothRead).toBeGreaterThan(30);
});
