import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatProblems } from '../file/fault.js';
import { parseContracts } from '../file/parse.js';
import { ERROR_CATALOGUE } from './catalogue.js';
import { HandoffContractError } from './handoff-contract-error.js';

const read = (name: string): string =>
  readFileSync(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8');

/** The sections of the error reference that describe a code, as code → its paragraphs. */
function documentedErrors(): Map<string, string[]> {
  const sections = read('errors.md').split(/^## /m).slice(1);
  return new Map(
    sections
      .map((section): [string, string[]] => {
        const [title = '', ...paragraphs] = section.split(/\n{2,}/).map((part) => part.trim().replaceAll('\n', ' '));
        return [title, paragraphs];
      })
      .filter(([title]) => title.startsWith('SEAMTRACE_')),
  );
}

test('the error reference and the catalogue are equal, in both directions', () => {
  const documented = documentedErrors();
  expect([...documented.keys()].sort()).toEqual(Object.keys(ERROR_CATALOGUE).sort());
  for (const [code, { meaning, action }] of Object.entries(ERROR_CATALOGUE)) {
    expect(documented.get(code)?.slice(0, 2)).toEqual([meaning, action]);
  }
});

test('the error reference lists every member of a refusal', () => {
  const options = {
    code: 'SEAMTRACE_SOURCE_INCOMPLETE',
    route: 'r',
    version: '1',
    keys: ['x'],
    onViolation: 'human',
  } as const;
  const members = Object.keys(new HandoffContractError(options)).filter((name) => name !== 'name');
  const table = read('errors.md').split('## What a HandoffContractError carries')[1] ?? '';
  const listed = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(listed.sort()).toEqual(members.sort());
});

test('every contract file in the contract reference is one', () => {
  const blocks = [...read('contracts.md').matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(1);
  for (const block of blocks) {
    const result = parseContracts(block, 'contracts.md');
    expect(result.ok ? '' : formatProblems(result.problems)).toBe('');
  }
});

test('the contract reference names every key of the schema', () => {
  interface Part {
    properties?: Record<string, unknown>;
  }
  const schema = JSON.parse(readFileSync(new URL('../../schema/contracts.schema.json', import.meta.url), 'utf8')) as {
    $defs: Record<string, Part>;
  };
  const text = read('contracts.md');
  for (const part of ['agent', 'route', 'contractVersion', 'migration', 'enforceMode']) {
    for (const key of Object.keys(schema.$defs[part]?.properties ?? {})) expect(text).toContain(`\`${key}`);
  }
});
