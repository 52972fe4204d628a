import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HandoffContractError } from '../errors/handoff-contract-error.js';
import { createContracts } from '../file/create.js';
import type { RouteInput } from '../file/input.js';
import { captureKeys } from '../keys/capture.js';
import { assertEnvelopeContext, buildEnvelopeContext } from './build.js';

const boom = (): never => {
  throw new Error('user code ran');
};

function routeOf(input: Partial<RouteInput>) {
  const route = createContracts({
    routes: { triage_to_billing: { from: 'triage', to: 'billing', ...input } },
  }).routes.get('triage_to_billing');
  if (route === undefined) throw new Error('no route');
  return route;
}

const refused = (result: ReturnType<typeof buildEnvelopeContext>): HandoffContractError => {
  if (result.ok) throw new Error(`built ${JSON.stringify(result.context)}`);
  return result.error;
};

const billing = {
  required: ['customer_id', 'invoice_id'],
  permitted: ['customer_id', 'invoice_id', 'locale'],
  version: '2',
};
const source = { customer_id: 'customer-4', invoice_id: 'invoice-9', locale: 'en-IN', internal_note: 'stays here' };

describe('the context of an envelope', () => {
  test('is what the contract permits, and nothing else', () => {
    const before = structuredClone(source);
    expect(buildEnvelopeContext({ route: routeOf(billing), source })).toEqual({
      ok: true,
      context: { customer_id: 'customer-4', invoice_id: 'invoice-9', locale: 'en-IN' },
      dropped: ['internal_note'],
      version: '2',
    });
    expect(source).toEqual(before);
  });

  test('is the required keys where no permitted list is written, never everything', () => {
    const result = buildEnvelopeContext({ route: routeOf({ required: ['customer_id'] }), source });
    expect(result).toMatchObject({
      context: { customer_id: 'customer-4' },
      dropped: ['internal_note', 'invoice_id', 'locale'],
    });
  });

  test('holds of a nested record and of list elements what is permitted of them', () => {
    const route = routeOf({
      required: ['order.id', 'order.lines[].sku'],
      permitted: ['order.id', 'order.lines[].sku', 'tags[]', 'note.text'],
    });
    const state = {
      order: { id: 1, secret: 2, lines: [{ sku: 'a', price: 9 }, { sku: 'b' }] },
      tags: ['x', 'y'],
      note: 'none',
    };
    expect(buildEnvelopeContext({ route, source: state })).toMatchObject({
      ok: true,
      context: { order: { id: 1, lines: [{ sku: 'a' }, { sku: 'b' }] }, tags: ['x', 'y'] },
      dropped: ['note'].slice(1),
    });
  });

  test('keeps an empty list, and the places of elements that hold nothing permitted', () => {
    const route = routeOf({ required: ['l[].a'], permitted: ['l[].a', 'm[].b'] });
    expect(buildEnvelopeContext({ route, source: { l: [], m: [{ b: 1 }, {}, null] } })).toMatchObject({
      context: { l: [], m: [{ b: 1 }, {}, undefined] },
    });
  });

  test('takes Maps and class instances as records', () => {
    const route = routeOf({ required: ['a', 'o.b'] });
    class State {
      a = 1;
      o = new Map([['b', 2]]);
    }
    expect(buildEnvelopeContext({ route, source: new State() })).toMatchObject({ context: { a: 1, o: { b: 2 } } });
    expect(
      buildEnvelopeContext({
        route,
        source: new Map<string, unknown>([
          ['a', 1],
          ['o', { b: 2 }],
          ['jane@example.com', 1],
        ]),
      }),
    ).toMatchObject({
      context: { a: 1, o: { b: 2 } },
      dropped: ['*'],
    });
  });

  test('holds null only where the contract lists it as nullable', () => {
    const route = routeOf({ required: ['a'], permitted: ['a', 'b'], nullable: ['a'] });
    expect(buildEnvelopeContext({ route, source: { a: null, b: null } })).toMatchObject({
      ok: true,
      context: { a: null },
    });
    expect(refused(buildEnvelopeContext({ route: routeOf({ required: ['a'] }), source: { a: null } })).keys).toEqual([
      'a',
    ]);
  });

  test('never runs code of the source', () => {
    const route = routeOf({ required: ['a'], permitted: ['a', 'b', 'c.d', 'e[].f'] });
    const state = Object.defineProperties(
      {
        a: 1,
        c: new Proxy({}, { get: boom, getOwnPropertyDescriptor: boom }),
        e: { [Symbol.iterator]: boom },
        toJSON: boom,
      },
      { b: { get: boom, enumerable: true } },
    );
    expect(buildEnvelopeContext({ route, source: state })).toMatchObject({ ok: true, context: { a: 1 } });
  });

  test('may hold a key named like a prototype', () => {
    const route = routeOf({ required: ['__proto__.x'] });
    const result = buildEnvelopeContext({ route, source: JSON.parse('{"__proto__":{"x":1,"y":2}}') });
    expect(result.ok && JSON.stringify(result.context)).toBe('{"__proto__":{"x":1}}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  test('follows the version asked for', () => {
    const route = routeOf({ versions: { 1: { required: ['a'] }, 2: { required: ['b'] } } });
    expect(buildEnvelopeContext({ route, version: '1', source: { a: 1, b: 2 } })).toMatchObject({
      context: { a: 1 },
      version: '1',
    });
    expect(() => buildEnvelopeContext({ route, version: '3', source: {} })).toThrow(
      'declares no version "3"; declared: 1, 2',
    );
    expect(() => buildEnvelopeContext({ route, source: {} })).toThrow(
      'has several versions and no current one; declared: 1, 2',
    );
    expect(() => buildEnvelopeContext({ route, version: '1', migrateTo: '2', source: { a: 1 } })).toThrow(
      'declares no migration from version 1 to 2',
    );
  });

  test('has every permitted path of the source, and no other', () => {
    const name = fc.constantFrom('a', 'b', 'c', '__proto__');
    const leaf = fc.constantFrom<unknown>(0, 'x', null, undefined);
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie('node'), { maxLength: 2 }),
        fc.dictionary(name, tie('node'), { maxKeys: 3 }),
      ),
    })).node;
    const path = fc.constantFrom(
      'a',
      'a.b',
      'b[].a',
      'c',
      'c.a[].b',
      '__proto__',
      '__proto__.a',
      'b[]',
      'b[][]',
      'c[][].a',
    );
    fc.assert(
      fc.property(
        fc.dictionary(name, tree),
        fc.uniqueArray(path),
        fc.uniqueArray(path),
        (state, permitted, nullable) => {
          const route = routeOf({
            required: [],
            permitted,
            nullable: nullable.filter((key) => permitted.includes(key)),
          });
          const result = buildEnvelopeContext({ route, source: state });
          if (!result.ok) throw result.error;
          const options = { paths: permitted, nullable: nullable.filter((key) => permitted.includes(key)) };
          const inSource = new Set(captureKeys(state, options).keys);
          const inContext = new Set(captureKeys(result.context, options).keys);
          for (const key of permitted) expect([key, inContext.has(key)]).toEqual([key, inSource.has(key)]);
          for (const key of Object.keys(result.context))
            expect(
              permitted.some(
                (allowed) => allowed === key || allowed.startsWith(`${key}.`) || allowed.startsWith(`${key}[`),
              ),
            ).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('a refusal', () => {
  test('names what the source lacks, before anything is projected', () => {
    const error = refused(
      buildEnvelopeContext({ route: routeOf(billing), source: { customer_id: 'C', locale: 'en' } }),
    );
    expect(error).toBeInstanceOf(HandoffContractError);
    expect(error).toMatchObject({
      code: 'SEAMTRACE_SOURCE_INCOMPLETE',
      keys: ['invoice_id'],
      route: 'triage_to_billing',
      version: '2',
      onViolation: undefined,
      askText: undefined,
      escalation: undefined,
    });
    expect(error.message).toBe(
      'required source context is missing: invoice_id (route "triage_to_billing", version "2"); collect it before handing over',
    );
  });

  test('is another when the contract itself drops a key', () => {
    const route = routeOf({ ...billing, permitted: ['customer_id'] });
    const error = refused(buildEnvelopeContext({ route, source }));
    expect(error).toMatchObject({ code: 'SEAMTRACE_PROJECTION_INCOMPLETE', keys: ['invoice_id'], version: '2' });
    expect(error.message).toBe(
      'handoff packaging removed required keys: invoice_id (route "triage_to_billing", version "2"); permit them, or correct the migration',
    );
    const both = refused(buildEnvelopeContext({ route, source: { customer_id: 1 } }));
    expect(both.code).toBe('SEAMTRACE_SOURCE_INCOMPLETE');
  });

  test('says which keys it could not read', () => {
    const state = Object.defineProperty({}, 'b', { get: boom, enumerable: true });
    const error = refused(buildEnvelopeContext({ route: routeOf({ required: ['b', 'a'] }), source: state }));
    expect(error).toMatchObject({ keys: ['a', 'b'], unreadable: ['b'] });
    expect(error.message).toContain('b may be there, behind an accessor');
  });

  test.each([undefined, null, 1, 'text', [], boom, new Proxy({}, { get: boom })])(
    'of a source that is no record (%#)',
    (value) => {
      expect(refused(buildEnvelopeContext({ route: routeOf(billing), source: value })).code).toBe(
        'SEAMTRACE_SOURCE_INCOMPLETE',
      );
    },
  );

  test('asks the source agent', () => {
    const error = refused(buildEnvelopeContext({ route: routeOf({ ...billing, on_violation: 'ask' }), source: {} }));
    expect(error).toMatchObject({ onViolation: 'ask', escalation: undefined });
    expect(error.askText).toBe(
      'The handoff to billing was not made: it needs customer_id, invoice_id. Collect what is missing, then hand over again.',
    );
    const own = refused(
      buildEnvelopeContext({ route: routeOf({ ...billing, permitted: [], on_violation: 'ask' }), source }),
    );
    expect(own.askText).toMatch(
      /Asking again gives the same; report that the contract of route "triage_to_billing", version "2" needs correction/,
    );
  });

  test('asks a person, with a choice, few facts and the cost of waiting', () => {
    for (const input of [
      { ...billing, on_violation: 'human' as const, purpose: 'settle an invoice' },
      { ...billing, permitted: [], on_violation: 'human' as const },
    ]) {
      const error = refused(
        buildEnvelopeContext({ route: routeOf(input), source: input.permitted.length === 0 ? source : {} }),
      );
      expect(error).toMatchObject({ onViolation: 'human', askText: undefined });
      expect(error.escalation?.decision).toMatch(
        /^The handoff to billing.* lacks customer_id, invoice_id: .*, or .*\?$/,
      );
      expect(error.escalation?.options.length).toBeGreaterThanOrEqual(2);
      expect(error.escalation?.facts.length).toBeLessThanOrEqual(3);
      expect(error.escalation).toMatchObject({
        keys: ['customer_id', 'invoice_id'],
        route: 'triage_to_billing',
        version: '2',
      });
      expect(error.escalation?.costOfWaiting).not.toBe('');
    }
  });

  test('is only an error where the route says fail, and holds no value', () => {
    const error = refused(
      buildEnvelopeContext({
        route: routeOf({ ...billing, on_violation: 'fail' }),
        source: { customer_id: 'secret-value' },
      }),
    );
    expect(error).toMatchObject({ onViolation: 'fail', askText: undefined, escalation: undefined });
    expect(JSON.stringify([error, error.message, error.stack])).not.toContain('secret-value');
  });

  test('is thrown by assertEnvelopeContext', () => {
    expect(assertEnvelopeContext({ route: routeOf({ required: ['customer_id'] }), source })).toEqual({
      customer_id: 'customer-4',
    });
    expect(() => assertEnvelopeContext({ route: routeOf(billing), source: {} })).toThrow(HandoffContractError);
  });
});
