import { decodeFully, encodeJson, encodeProtobuf } from '@seamtrace/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyRequest as request, reduce } from '../../test/any-request.js';
import { decodeTracesJson } from './json/request.js';
import { decodeTracesProtobuf } from './protobuf/request.js';

describe('decodeTracesProtobuf', () => {
  test('equals a full protobufjs decode, reduced to wanted attributes', () => {
    fc.assert(
      fc.property(request, (model) => {
        const bytes = encodeProtobuf(model);
        const full = decodeFully(bytes);
        const spans = full.map(reduce).filter((reduced) => reduced !== undefined);
        expect({ ...decodeTracesProtobuf(bytes), outline: undefined }).toEqual({
          ok: true,
          spans,
          received: full.length,
          ignored: full.length - spans.length,
          rejections: [],
          invalidUtf8: 0,
        });
      }),
      { numRuns: 250 },
    );
  });

  test('two requests, one after the other, are one request: protobuf merges messages by concatenation', () => {
    fc.assert(
      fc.property(request, request, (a, b) => {
        const joined = Buffer.concat([encodeProtobuf(a), encodeProtobuf(b)]);
        expect(decodeTracesProtobuf(joined)).toEqual(
          decodeTracesProtobuf(encodeProtobuf({ resources: [...a.resources, ...b.resources] })),
        );
      }),
    );
  });

  test('a request cut off at any byte is read or refused, never an exception', () => {
    fc.assert(
      fc.property(request, (model) => {
        const bytes = encodeProtobuf(model);
        for (let length = 0; length < bytes.length; length++) {
          const cut = decodeTracesProtobuf(bytes.subarray(0, length));
          // Only a cut between two top-level frames leaves a sound request, and that holds fewer resources.
          if (!cut.ok) expect(cut.message).toMatch(/^at byte \d+: expected /);
          else expect(decodeFully(bytes.subarray(0, length)).length).toBe(cut.received);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('any bytes flipped: read or refused, never an exception, and every span accounted for', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(request, flips, (model, changes) => {
        const bytes = Uint8Array.from(encodeProtobuf(model));
        for (const [at, mask] of changes) {
          if (bytes.length > 0) bytes[at % bytes.length] = (bytes[at % bytes.length] as number) ^ mask;
        }
        const result = decodeTracesProtobuf(bytes);
        if (result.ok) {
          expect(result.spans.length + result.ignored + result.rejections.length).toBe(result.received);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('garbage: read or refused, never an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(typeof decodeTracesProtobuf(bytes).ok).toBe('boolean');
      }),
      { numRuns: 5000 },
    );
  });
});

describe('decodeTracesJson', () => {
  test('gives for any request what the protobuf decoder gives', () => {
    fc.assert(
      fc.property(request, (model) => {
        expect(decodeTracesJson(encodeJson(model))).toEqual(decodeTracesProtobuf(encodeProtobuf(model)));
      }),
      { numRuns: 250 },
    );
  });

  test('snake_case member names mean the same, as collectors accept them', () => {
    const snake = (json: string) =>
      json.replace(/"([a-z]+(?:[A-Z][a-z]+)+)":/g, (_all, name: string) => {
        return `"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}":`;
      });
    fc.assert(
      fc.property(request, (model) => {
        const json = encodeJson(model);
        expect(decodeTracesJson(snake(json))).toEqual(decodeTracesJson(json));
      }),
    );
  });

  test('a document cut off at any character is refused with a position, never an exception', () => {
    fc.assert(
      fc.property(request, fc.nat(), (model, at) => {
        const json = encodeJson(model);
        const cut = decodeTracesJson(json.slice(0, at % json.length));
        expect(cut.ok ? '' : cut.message).toMatch(/^at line \d+, column \d+ \(offset \d+\): expected /);
      }),
      { numRuns: 250 },
    );
  });

  test('a document of any JSON is read or refused, never an exception', () => {
    const members = ['resourceSpans', 'scopeSpans', 'spans', 'resource', 'attributes', 'key', 'value', 'intValue'];
    const json = fc.letrec((tie) => ({
      any: fc.oneof({ depthSize: 'medium' }, fc.jsonValue(), tie('array'), tie('object')),
      array: fc.array(tie('any'), { maxLength: 3 }),
      object: fc.dictionary(fc.constantFrom(...members), tie('any'), { maxKeys: 4 }),
    })).object;
    fc.assert(
      fc.property(json, (document) => {
        expect(typeof decodeTracesJson(JSON.stringify(document)).ok).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });
});
