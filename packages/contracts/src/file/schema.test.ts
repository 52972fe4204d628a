import { readFileSync } from 'node:fs';
import { VERDICTS } from '@seamtrace/semconv';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isContractKey } from '../keys/path.js';
import type { Fault } from './fault.js';
import { plainTree } from './plain-tree.js';
import { NAME_PATTERN } from './read.js';
import { readDocument } from './read-document.js';

interface Schema {
  $id: string;
  $defs: {
    key: { pattern: string };
    name: { pattern: string };
    route: { properties: { owners: { properties: object } } };
  };
}
const schema = JSON.parse(
  readFileSync(new URL('../../schema/contracts.schema.json', import.meta.url), 'utf8'),
) as Schema;
const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true }).compile(
  schema as AnySchema,
);

/** Faults of the shape alone: what a schema can say. */
function shapeFaults(document: unknown): Fault[] {
  const faults: Fault[] = [];
  readDocument(faults, plainTree(document, faults));
  return faults;
}

function expectAgreement(document: unknown): void {
  const faults = shapeFaults(document);
  const valid = validate(document);
  expect({ valid, document, faults, errors: validate.errors }).toMatchObject({ valid: faults.length === 0 });
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const example = parse(readFileSync(new URL('../testdata/wire-example.yaml', import.meta.url), 'utf8')) as Json;
const route = (body: Json): Json => ({ version: 1, routes: { r: Object.assign({ from: 'a', to: 'b' }, body) } });
const examples: Json[] = [
  example,
  route({ required: [] }),
  route({
    required: ['a', 'b.c', 'd[].e', 'f\\.g'],
    permitted: ['a'],
    version: 2,
    state_ref: 'a.b',
    idempotent: ['x'],
    hop_limit: 1,
    deadline_s: 0.5,
  }),
  { version: '1', agents: { a: null, b: {}, c: { terminal: false, aliases: [] } }, routes: {} },
];
const broken: Json[] = [
  null,
  1,
  'x',
  [],
  {},
  { version: 1 },
  { routes: {} },
  { version: 2, routes: {} },
  { version: 1, routes: [] },
  route({}),
  route({ permitted: ['a'] }),
  route({ required: [], versions: { 1: { required: [] } } }),
  route({ versions: {} }),
  route({ versions: { 1: {} } }),
  route({ versions: { '': { required: [] } } }),
  route({ versions: { 1: { required: [] } }, version: 1 }),
  route({ required: ['a', 'a'] }),
  route({ required: [''] }),
  route({ required: ['a..b'] }),
  route({ required: [], owners: { x: 'y' } }),
  route({ required: [], state_ref: 'a[]' }),
  route({ required: [], hop_limit: 0 }),
  route({ required: [], hop_limit: 1.5 }),
  route({ required: [], deadline_s: 0 }),
  route({ required: [], enforce: { x: 'warn' } }),
  route({ required: [], migrations: [{ from: '1' }] }),
  route({ required: [], migrations: [{ from: 1, to: 2, rename: { 'a b': 'c' } }] }),
  { version: 1, routes: { _other: { from: 'a', to: 'b', required: [] } } },
];

test('the schema takes the examples, and the parser finds nothing in their shape', () => {
  for (const document of examples) {
    expect(validate(document)).toBe(true);
    expect(shapeFaults(document)).toEqual([]);
  }
});

test('the schema refuses what the parser refuses', () => {
  for (const document of broken) {
    expect(validate(document), JSON.stringify(document)).toBe(false);
    expect(shapeFaults(document), JSON.stringify(document)).not.toEqual([]);
  }
});

/** Every place in a document, as a path of keys. */
function places(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      places(inner as Json, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function change(
  value: Json,
  path: (string | number)[],
  edit: (holder: { [key: string]: Json }, key: string) => void,
): Json {
  const copy = structuredClone({ root: value }) as { [key: string]: Json };
  let holder = copy;
  const keys = ['root', ...path.map(String)];
  for (const key of keys.slice(0, -1)) holder = holder[key] as { [key: string]: Json };
  edit(holder, keys.at(-1) as string);
  return copy['root'] as Json;
}

test('they agree on every mutation of the examples', () => {
  const words = [
    'required',
    'permitted',
    'nullable',
    'versions',
    'version',
    'current',
    'from',
    'purpose',
    'gate',
    'enforce',
    'owners',
    'state_ref',
    'terminal',
    'x',
    '',
    ' a',
    'a[]',
    '1',
  ];
  const value = fc.oneof(
    fc.constantFrom<Json>(
      null,
      true,
      0,
      1,
      2,
      -1,
      1.5,
      '',
      'a',
      'ask',
      'observe',
      'required',
      ' a',
      'a\n',
      'a..b',
      'a[]',
      'a[].b',
      'customer_id',
      [],
      ['a'],
      ['a', 'a'],
      [1],
      {},
      { a: 'b' },
      { required: [] },
      { 1: { required: [] } },
    ),
    fc.constantFrom('x'.repeat(128), 'x'.repeat(129), '\u{1F600}'.repeat(128)),
  );
  const sites = examples.map((document) => places(document));
  fc.assert(
    fc.property(
      fc.nat(examples.length - 1),
      fc.array(
        fc.tuple(fc.nat(), fc.constantFrom('set', 'delete', 'add', 'rename'), value, fc.constantFrom(...words)),
        { minLength: 1, maxLength: 2 },
      ),
      (index, edits) => {
        let document = examples[index] as Json;
        for (const [pick, how, put, word] of edits) {
          const all = how === 'set' ? (sites[index] ?? []) : places(document);
          const path = all[pick % all.length] ?? [];
          try {
            document = change(document, path, (holder, key) => {
              const target = holder[key];
              const record = typeof target === 'object' && target !== null && !Array.isArray(target);
              if (how === 'set') holder[key] = put;
              else if (how === 'delete' && !Array.isArray(holder)) delete holder[key];
              else if (how === 'add' && record) (target as { [key: string]: Json })[word] = put;
              else if (how === 'rename' && !Array.isArray(holder) && key !== 'root') {
                holder[word] = holder[key] as Json;
                if (word !== key) delete holder[key];
              }
            });
          } catch {
            return; // an earlier edit removed the place
          }
        }
        if (document !== undefined) expectAgreement(document);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('the patterns of the schema are the rules of the code', () => {
  expect(schema.$defs.name.pattern).toBe(NAME_PATTERN.source);
  expect(Object.keys(schema.$defs.route.properties.owners.properties).sort()).toEqual([...VERDICTS].sort());
  const key = new RegExp(schema.$defs.key.pattern, 'u');
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '1', '_', '$', '-', '.', '\\', '[', ']', ' ', 'é', '\n'), maxLength: 8 }),
      (text) => {
        expect(key.test(text)).toBe(isContractKey(text));
      },
    ),
    { numRuns: 2_000 },
  );
  for (const length of [127, 128, 129]) expect(key.test('k'.repeat(length))).toBe(length <= 128);
});

test('the schema names itself by the address that the docs give', () => {
  expect(schema.$id).toBe('https://seamtrace.dev/schema/contracts/v1.json');
});
