import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatProblems } from './fault.js';
import { parseContracts } from './parse.js';

const example = readFileSync(new URL('../testdata/wire-example.yaml', import.meta.url), 'utf8');

function problemsOf(text: string): string[] {
  const result = parseContracts(text, 'c.yaml');
  return result.ok ? [] : formatProblems(result.problems).split('\n');
}

describe('a hostile file', () => {
  const bomb = ['a: &a [x, x]']
    .concat([...'bcdefghijklmnop'].map((name, i) => `${name}: &${name} [${`*${'abcdefghijklmnop'[i]},`.repeat(9)}]`))
    .join('\n');
  test.each([
    ['aliases of aliases', bomb, 'aliases'],
    ['an alias of itself', 'a: &a [*a]', 'contains itself'],
    ['many brackets', '['.repeat(500_000), 'nested too deeply'],
    ['many dashes', '- '.repeat(500_000), 'nested too deeply'],
    ['many anchors', '&a '.repeat(300_000), 'anchors'],
    ['many keys', Array.from({ length: 90_000 }, (_, i) => `k${i}: 1`).join('\n'), 'too many values'],
    ['many bytes', 'x'.repeat(1_048_577), '1048577 bytes; a contract file may have 1048576'],
    ['17 levels', '{a: '.repeat(17) + '1' + '}'.repeat(17), 'nested deeper than 16 levels'],
  ])('%s', (_, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
  });

  test('of a thousand faults says the first thousand and counts the rest', () => {
    const text = `version: 1\nroutes: {}\n${Array.from({ length: 1_500 }, (_, i) => `k${i}: 1\n`).join('')}`;
    const problems = problemsOf(text);
    expect(problems).toHaveLength(1_001);
    expect(problems.at(-1)).toContain('500 more problems from here on');
  });

  test('never throws, and every problem lies within the text', () => {
    const piece = fc.constantFrom(
      'version: 1',
      'routes:',
      'agents:',
      '  r:',
      '    from: a',
      '    to: b',
      '    required: [x]',
      '\n',
      ' ',
      '\t',
      '&a',
      '*a',
      '[',
      ']',
      '{',
      '}',
      ':',
      ',',
      '- ',
      '? ',
      '|',
      '>',
      '"',
      "'",
      '!!set',
      '%YAML 1.1',
      '---',
      '...',
      '<<: *a',
      '#',
      '\u2028',
      '\ud800',
      '1e999',
      '~',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.array(piece, { maxLength: 30 }).map((all) => all.join('\n')),
      fc.array(piece, { maxLength: 30 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('c.yaml', 'c.json'), (source, name) => {
        const result = parseContracts(source, name);
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const problem of result.problems) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.line).toBeLessThanOrEqual(source.split('\n').length);
          expect(problem.column).toBeGreaterThan(0);
          expect(problem.message).not.toContain('\n');
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('survives any slip in a good file', () => {
    fc.assert(
      fc.property(fc.nat(example.length - 1), fc.nat(6), fc.string({ maxLength: 3 }), (at, cut, put) => {
        const result = parseContracts(example.slice(0, at) + put + example.slice(at + cut), 'c.yaml');
        expect(result.ok || result.problems.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
