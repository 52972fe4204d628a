import { describe, expect, test } from 'vitest';
import type { HandoffContractError } from '../errors/handoff-contract-error.js';
import { createContracts } from '../file/create.js';
import type { RouteInput } from '../file/input.js';
import { buildEnvelopeContext } from './build.js';

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

describe('a migration', () => {
  const versions = {
    1: { required: ['customer_id', 'invoice_reference'] },
    2: { required: ['customer_id', 'invoice_id'] },
  };
  const rename = { invoice_reference: 'invoice_id' };
  const state = { customer_id: 'C', invoice_reference: 'I', note: 'n' };

  test('builds the new version from state of the old one', () => {
    const route = routeOf({ versions, current: '2', migrations: [{ from: '1', to: '2', rename }] });
    expect(buildEnvelopeContext({ route, version: '1', migrateTo: '2', source: state })).toEqual({
      ok: true,
      context: { customer_id: 'C', invoice_id: 'I' },
      dropped: ['note'],
      version: '2',
    });
    const error = refused(
      buildEnvelopeContext({ route, version: '1', migrateTo: '2', source: { customer_id: 'C', invoice_id: 'I' } }),
    );
    expect(error).toMatchObject({ code: 'SEAMTRACE_SOURCE_INCOMPLETE', keys: ['invoice_reference'], version: '1' });
  });

  test('that renames a key out of what is permitted contradicts itself', () => {
    const route = routeOf({
      versions: { ...versions, 2: { ...versions[2], permitted: ['customer_id', 'invoice_reference'] } },
      migrations: [{ from: '1', to: '2', rename }],
    });
    const error = refused(buildEnvelopeContext({ route, version: '1', migrateTo: '2', source: state }));
    expect(error).toMatchObject({ code: 'SEAMTRACE_PROJECTION_INCOMPLETE', keys: ['invoice_id'], version: '2' });
  });

  test('takes a key that it adds from the source, where the source has it', () => {
    const route = routeOf({
      versions: { 1: { required: ['a'] }, 2: { required: ['a', 'o.b'] } },
      migrations: [{ from: '1', to: '2', add: ['o.b'] }],
    });
    const input = { route, version: '1', migrateTo: '2' };
    expect(buildEnvelopeContext({ ...input, source: { a: 1, o: { b: 2, c: 3 } } })).toEqual({
      ok: true,
      context: { a: 1, o: { b: 2 } },
      dropped: [],
      version: '2',
    });
    expect(refused(buildEnvelopeContext({ ...input, source: { a: 1 } }))).toMatchObject({
      code: 'SEAMTRACE_PROJECTION_INCOMPLETE',
      keys: ['o.b'],
    });
  });
});
