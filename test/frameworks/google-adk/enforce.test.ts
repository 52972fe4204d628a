import { expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { contractsFor, type RouteSpec } from './contracts.js';

const route = (enforce: object, on_violation: string): readonly RouteSpec[] => [
  { from: 'triage', to: 'billing', required: ['order_id'], extra: { enforce, on_violation } },
];
const run = (scenario: string, specs: readonly RouteSpec[]) =>
  runApp({ app: 'google-adk/newest/app.mjs', args: [scenario], contracts: contractsFor({ [scenario]: specs }) });

test('a producer that is to ask is told the missing keys as the answer to its call, and the target does not run', async () => {
  const { code, stdout, grades } = await run('upstream', route({ producer: 'enforce', consumer: 'observe' }, 'ask'));
  expect(code).toBe(0);
  expect(stdout).toMatch(/"functionResponse":\{[^}]*"name":"transfer_to_agent","response":\{"error":"[^"]*order_id/);
  expect(stdout).not.toContain('internal name is \\"upstream_billing');
  expect(grades).toMatchObject([{ verdict: 'upstream_context_missing', destination: null }]);
});

test('a producer that is to fail ends its turn with the error', async () => {
  const { stdout } = await run('upstream', route({ producer: 'enforce', consumer: 'observe' }, 'fail'));
  expect(stdout).toMatch(/"errorMessage":"[^"]*order_id/);
  expect(stdout).not.toContain('internal name is \\"upstream_billing');
});

test('a consumer that rejects calls no model', async () => {
  const { stdout, grades } = await run('cleared', route({ producer: 'observe', consumer: 'enforce' }, 'fail'));
  expect(stdout).not.toContain('internal name is \\"cleared_billing');
  expect(grades).toMatchObject([{ verdict: 'ingestion_loss', missing_keys: ['order_id'] }]);
});

test('what crosses whole is let through by both sides', async () => {
  const { stdout, grades } = await run('passed', route({ producer: 'enforce', consumer: 'enforce' }, 'fail'));
  expect(stdout).toContain('internal name is \\"passed_billing');
  expect(grades).toMatchObject([{ verdict: 'passed' }]);
});
