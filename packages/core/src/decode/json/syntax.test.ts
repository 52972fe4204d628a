import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSyntaxFault } from './syntax.js';

function engineAccepts(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('finds a fault exactly where JSON.parse refuses', () => {
  const mutated = fc
    .tuple(fc.json(), fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:0-+.eE\\utn \n\u0001')), { maxLength: 4 }))
    .map(([json, edits]) => {
      let text = json;
      for (const [at, character] of edits) {
        const place = at % (text.length + 1);
        text = text.slice(0, place) + character + text.slice(place + (at % 2));
      }
      return text;
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.string()), (text) => {
      expect(findSyntaxFault(text) === undefined).toBe(engineAccepts(text));
    }),
    { numRuns: 5000 },
  );
});

test.each([
  ['{"a":1,}', 7, 'a member name in double quotes'],
  ['{a:1}', 1, 'a member name in double quotes'],
  ['{"a" 1}', 5, "':'"],
  ['[1 2]', 3, "',' or ']'"],
  ['{"a":1 "b":2}', 7, "',' or '}'"],
  ['"ab', 3, 'the end of a string'],
  ['"a\\x"', 2, 'a valid string character or escape'],
  ['01', 1, 'the end of the document'],
])('%s fails at %i: %s', (text, offset, expected) => {
  expect(findSyntaxFault(text)).toMatchObject({ offset, expected });
});

test('lines and columns count from 1', () => {
  expect(findSyntaxFault('{\n "a": 1,\n x}')).toMatchObject({ offset: 12, line: 3, column: 2 });
});
