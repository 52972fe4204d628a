import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContracts } from '../file/create.js';
import { contractVersion, findMigration, resolveAgent, routesBetween } from './lookup.js';
import { migrateContext } from './migrate-context.js';
import { migrateKeys } from './migrate-keys.js';
import { contractPaths, isPermittedKey, permittedFor } from './permitted.js';

const contracts = createContracts({
  agents: { billing: { aliases: ['billing_agent', 'Billing'] } },
  routes: {
    one: { from: 'triage', to: 'billing', required: ['b', 'a'] },
    two: {
      from: 'triage',
      to: 'billing',
      current: 2,
      versions: { 1: { required: ['a'] }, 2: { required: ['b'], permitted: ['c', 'b'] } },
      migrations: [{ from: 1, to: 2, rename: { a: 'b' } }],
    },
    back: { from: 'billing', to: 'triage', versions: { 1: { required: [] }, 2: { required: [] } } },
  },
});
const route = (name: string) => {
  const found = contracts.routes.get(name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe('lookups', () => {
  test('resolve names and aliases exactly', () => {
    expect(resolveAgent(contracts, 'billing_agent')).toBe('billing');
    expect(resolveAgent(contracts, 'billing')).toBe('billing');
    expect(resolveAgent(contracts, 'triage')).toBe('triage');
    expect(resolveAgent(contracts, 'BILLING')).toBeUndefined();
    expect(resolveAgent(contracts, 'constructor')).toBeUndefined();
  });

  test('find every route of a pair, through aliases', () => {
    expect(routesBetween(contracts, 'triage', 'Billing').map(({ name }) => name)).toEqual(['one', 'two']);
    expect(routesBetween(contracts, 'billing', 'triage').map(({ name }) => name)).toEqual(['back']);
    expect(routesBetween(contracts, 'triage', 'nobody')).toEqual([]);
  });

  test('take the named version, else the current one, else none', () => {
    expect(contractVersion(route('one'))?.version).toBe('1');
    expect(contractVersion(route('two'), undefined)?.version).toBe('2');
    expect(contractVersion(route('two'), '1')?.version).toBe('1');
    expect(contractVersion(route('two'), '9')).toBeUndefined();
    expect(contractVersion(route('back'))).toBeUndefined();
  });

  test('find migrations in their direction only', () => {
    expect(findMigration(route('two'), '1', '2')?.rename.get('a')).toBe('b');
    expect(findMigration(route('two'), '2', '1')).toBeUndefined();
  });

  test('permit what is written, else what is required, never everything', () => {
    const one = contractVersion(route('one'));
    const two = contractVersion(route('two'));
    if (one === undefined || two === undefined) throw new Error('no version');
    expect(permittedFor(one)).toEqual(['b', 'a']);
    expect(permittedFor(two)).toEqual(['c', 'b']);
    expect(contractPaths(one)).toEqual(['a', 'b']);
    expect(contractPaths(two)).toEqual(['b', 'c']);
    expect(contractPaths(two)).toBe(contractPaths(two));
  });

  test('permit a path, what lies within it, and what only holds it', () => {
    expect(isPermittedKey('order.id', ['order'])).toBe(true);
    expect(isPermittedKey('order', ['order.id'])).toBe(true);
    expect(isPermittedKey('order[].id', ['order'])).toBe(true);
    expect(isPermittedKey('order_id', ['order'])).toBe(false);
    expect(isPermittedKey('order.id', ['order.ids'])).toBe(false);
    expect(isPermittedKey('*', ['order'])).toBe(false);
    expect(isPermittedKey('a\\.b', ['a'])).toBe(false);
  });
});

describe('migrations', () => {
  const migration = (rename: Record<string, string>, add: string[] = [], drop: string[] = []) => ({
    rename: new Map(Object.entries(rename)),
    add,
    drop,
  });

  test('rename keys, then drop, then add', () => {
    expect(migrateKeys(['a', 'c', 'd.e'], migration({ a: 'b' }, ['z'], ['c']))).toEqual(['b', 'd.e', 'z']);
    expect(migrateKeys(['a', 'b'], migration({ a: 'b', b: 'a' }))).toEqual(['a', 'b']);
    expect(migrateKeys(['o.id', 'o.x', 'o'], migration({ o: 'p', 'o.x': 'q' }))).toEqual(['p', 'p.id', 'q']);
    expect(migrateKeys(['o.id'], migration({}, [], ['o']))).toEqual([]);
    expect(migrateKeys(['a'], migration({ a: 'b' }, ['b'], ['b']))).toEqual(['b']);
  });

  test('move values with them', () => {
    const context = { a: 1, o: { id: 2, x: 3 }, l: [{ s: 1 }, { t: 2 }, { s: 3 }] };
    const before = structuredClone(context);
    expect(migrateContext(context, migration({ a: 'n.b', 'o.x': 'q', 'l[].s': 'l[].sku' }, [], ['o.id']))).toEqual({
      n: { b: 1 },
      q: 3,
      o: {},
      l: [{ sku: 1 }, { t: 2 }, { sku: 3 }],
    });
    expect(context).toEqual(before);
    expect(migrateContext({ a: 1, b: 2 }, migration({ a: 'b', b: 'a' }))).toEqual({ a: 2, b: 1 });
    expect(migrateContext({ o: { x: 1, y: 2 } }, migration({ o: 'p', 'o.x': 'q' }))).toEqual({ p: { y: 2 }, q: 1 });
    expect(migrateContext({}, migration({ a: 'b.c' }))).toEqual({});
  });

  test('do not change a prototype', () => {
    const migrated = migrateContext({ a: { polluted: 1 } }, migration({ a: '__proto__' }));
    expect(Object.getPrototypeOf(migrated)).toBe(Object.prototype);
    expect(Object.keys(migrated)).toEqual(['__proto__']);
  });

  test('of keys and of flat context agree', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.nat()),
        fc.uniqueArray(name),
        fc.shuffledSubarray(['w', 'x', 'y', 'a', 'b']),
        fc.uniqueArray(name),
        (context, from, to, drop) => {
          const pairs = from.slice(0, to.length).map((key, index): [string, string] => [key, to[index] as string]);
          // A rename onto a key that stays would be two keys in one.
          const rename = new Map(pairs.filter(([, target]) => !Object.hasOwn(context, target)));
          const plain = { rename, add: [], drop };
          expect(Object.keys(migrateContext(context, plain)).sort()).toEqual(migrateKeys(Object.keys(context), plain));
        },
      ),
    );
  });
});
