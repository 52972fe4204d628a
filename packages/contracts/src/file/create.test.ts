import { describe, expect, test } from 'vitest';
import { buildEnvelopeContext } from '../builder/build.js';
import { ContractDefinitionError } from '../errors/contract-definition-error.js';
import { createContracts } from './create.js';
import type { ContractsInput } from './input.js';
import { parseContracts } from './parse.js';

const input: ContractsInput = {
  agents: { b: { aliases: ['bee'], terminal: true } },
  routes: { r: { from: 'a', to: 'b', required: ['x'], on_violation: 'ask', owners: { packaging_loss: 'team-a' } } },
};

describe('contracts built in code', () => {
  test('equal those of a file that says the same', () => {
    const parsed = parseContracts(JSON.stringify({ version: 1, ...input }), 'c.json');
    expect({ ok: true, contracts: createContracts(input) }).toEqual(parsed);
  });

  test('may require what they do not permit, so that the contradiction shows in the builder', () => {
    const contracts = createContracts({ routes: { r: { from: 'a', to: 'b', required: ['x'], permitted: ['y'] } } });
    const route = contracts.routes.get('r');
    const result = route && buildEnvelopeContext({ route, source: { x: 1 } });
    expect(result).toMatchObject({ ok: false, error: { code: 'SEAMTRACE_PROJECTION_INCOMPLETE' } });
  });

  test('take undefined as not written', () => {
    expect(
      createContracts({ agents: undefined, routes: { r: { from: 'a', to: 'b', required: [], gate: undefined } } })
        .routes.size,
    ).toBe(1);
  });

  test('throw one error that names every mistake', () => {
    const bad = {
      routes: { r: { from: 'a', required: ['x y'], gate: 'requird', run: () => 1 } },
    } as unknown as ContractsInput;
    const error = (() => {
      try {
        return createContracts(bad);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ContractDefinitionError);
    expect(error).toMatchObject({ code: 'SEAMTRACE_CONTRACT_INVALID' });
    const { problems, message } = error as ContractDefinitionError;
    expect(problems.map((problem) => problem.path).sort()).toEqual([
      '/routes/r',
      '/routes/r/gate',
      '/routes/r/required/0',
      '/routes/r/run',
      '/routes/r/run',
    ]);
    expect(message).toMatch(/^contracts have 5 problems:\n {2}\/routes\/r/);
  });

  test('refuse a cycle instead of following it', () => {
    const routes: Record<string, unknown> = {};
    routes['r'] = routes;
    expect(() => createContracts({ routes } as unknown as ContractsInput)).toThrow(/nested deeper than 16 levels/);
  });
});
