import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstName, formatKeyPath, isContractKey, parseKeyPath, type PathStep } from './path.js';
import { presence } from './presence.js';

const every = { every: true } as const;

test.each<[string, PathStep[]]>([
  ['customer_id', [{ name: 'customer_id' }]],
  ['customer.address.zip', [{ name: 'customer' }, { name: 'address' }, { name: 'zip' }]],
  ['billing\\.email', [{ name: 'billing.email' }]],
  ['items[].sku', [{ name: 'items' }, every, { name: 'sku' }]],
  ['grid[][]', [{ name: 'grid' }, every, every]],
  ['a\\..b', [{ name: 'a.' }, { name: 'b' }]],
])('reads %s', (path, steps) => {
  expect(parseKeyPath(path)).toEqual({ ok: true, steps });
  expect(formatKeyPath(steps)).toBe(path);
  expect(isContractKey(path)).toBe(true);
});

test.each([
  ['', 'the path is empty'],
  ['.a', 'a member name is missing before "." at character 1'],
  ['a..b', 'a member name is missing before "." at character 3'],
  ['a.', 'the path ends with "." at character 2'],
  ['a[].', 'the path ends with "." at character 4'],
  ['[]', '"[]" must follow a member name at character 1'],
  ['a.[]', '"[]" must follow a member name at character 3'],
  ['a[0]', '"[" must be followed by "]", which stands for every element at character 2'],
  ['a]', '"]" without "[" at character 2'],
  ['a[]b', '"[]" must be followed by ".", "[]" or the end at character 4'],
  ['a\\b', '"\\" may only stand before "." at character 2'],
  ['a\\', '"\\" may only stand before "." at character 2'],
])('refuses %j and says why', (path, message) => {
  expect(parseKeyPath(path)).toEqual({ ok: false, message });
  expect(isContractKey(path)).toBe(false);
});

test.each(['1a', '-a', 'a b', 'größe', 'a@b', 'a'.repeat(129), 'a\n'])('%j is no contract key', (key) => {
  expect(isContractKey(key)).toBe(false);
});

test('has one spelling for a path: parsing and formatting are inverse', () => {
  const name = fc.string({ minLength: 1, unit: fc.constantFrom('a', 'B', '.', '_', '-', '7') });
  const steps = fc
    .array(
      fc.oneof(
        name.map((text): PathStep => ({ name: text })),
        fc.constant<PathStep>(every),
      ),
      { minLength: 1 },
    )
    .filter((list) => 'name' in (list[0] as PathStep));
  fc.assert(
    fc.property(steps, (list) => {
      expect(parseKeyPath(formatKeyPath(list))).toEqual({ ok: true, steps: list });
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '.', '\\', '[', ']') }), (path) => {
      const parsed = parseKeyPath(path);
      if (parsed.ok) expect(formatKeyPath(parsed.steps)).toBe(path);
    }),
  );
});

test('names what a path begins with, as a capture lists it', () => {
  expect(firstName('items[].sku')).toBe('items');
  expect(firstName('billing\\.email.domain')).toBe('billing\\.email');
  expect(firstName('a..b')).toBe('a..b');
});

test('tells present, absent and unknown by what was searched', () => {
  const keys = new Set(['customer', 'customer.id', 'a\\.b']);
  const searched = new Set(['customer.id', 'customer.zip']);
  expect(presence('customer.id', keys, searched)).toBe('present');
  expect(presence('customer.zip', keys, searched)).toBe('absent');
  expect(presence('customer.name', keys, searched)).toBe('unknown');
  expect(presence('order.id', keys, searched)).toBe('absent');
  expect(presence('order', keys, searched)).toBe('absent');
  expect(presence('a\\.b.c', keys, searched)).toBe('unknown');
});

test('never knows less of a one-name path than present or absent', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(name, fc.array(name), fc.array(name), (path, keys, searched) => {
      expect(presence(path, new Set(keys), new Set(searched))).toBe(keys.includes(path) ? 'present' : 'absent');
    }),
  );
});
