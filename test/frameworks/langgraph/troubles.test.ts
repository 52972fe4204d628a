import { expect, test } from 'vitest';
import { type AppResult, runApp } from '../run-app.js';
import { TROUBLE_CONTRACTS } from './contracts.js';

const run = (args: readonly string[], env = {}): Promise<AppResult> =>
  runApp({
    app: 'langgraph/newest/app.mjs',
    args: args.map((scenario) => `troubles.${scenario}`),
    contracts: TROUBLE_CONTRACTS,
    env,
  });
const told = ({ grades }: AppResult) =>
  grades.map(({ verdict, reason, run_outcome: outcome }) => [verdict, reason, outcome]).sort();
const errors = ({ spans }: AppResult) =>
  spans
    .flatMap(({ name, attributes }) => (attributes.has('error.type') ? [[name, attributes.get('error.type')]] : []))
    .sort();

test.each([
  ['tool_error', [['passed', null, 'tool_error']], [['execute_tool charge', 'RangeError']]],
  ['model_error', [['passed', null, 'run_error']], [['invoke_agent e_billing', 'TypeError']]],
  ['first_model_error', [], [['invoke_agent e_triage', 'TypeError']]],
  ['node_error', [['passed', null, 'run_error']], [['invoke_agent e_billing', 'SyntaxError']]],
  ['route_error', [], [['invoke_agent e_triage', 'EvalError']]],
  ['stream_error', [['passed', null, 'run_error']], [['invoke_agent e_billing', 'TypeError']]],
  [
    'called_off',
    [['passed', null, 'cancelled']],
    [
      ['execute_tool wait', 'cancelled'],
      ['invoke_agent e_billing', 'cancelled'],
    ],
  ],
  ['streamed', [['passed', null, 'ok']], []],
  ['streamed_inside', [['passed', null, 'ok']], []],
  ['events', [['passed', null, 'ok']], []],
  ['managers_replaced', [['passed', null, 'ok']], []],
])('%s', async (scenario, verdicts, failures) => {
  const result = await run([scenario]);
  expect(result.code, result.stderr).toBe(0);
  expect(told(result)).toEqual(verdicts);
  expect(errors(result)).toEqual(failures);
});

test('a node that is tried again is one handoff, executed each time', async () => {
  const result = await run(['retried_node']);
  expect(result.grades.map(({ verdict }) => verdict)).toEqual(['passed']);
  const executions = result.spans
    .filter(({ name }) => name === 'invoke_agent e_billing')
    .map(({ attributes }) => Number(attributes.get('seamtrace.handoff.execution')));
  expect(executions).toEqual([1, 2, 3]);
});

test('a state with accessors and Proxies is not read, and says so where a contract asks for it', async () => {
  const asked = { trouble: { from: 'e_triage', to: 'e_billing', required: ['proxy.id', 'odd.order_id'] } };
  const result = await runApp({
    app: 'langgraph/newest/app.mjs',
    args: ['troubles.frozen_state'],
    contracts: { ...TROUBLE_CONTRACTS, routes: asked },
  });
  expect(result.code, result.stderr).toBe(0);
  expect(result.stdout).toContain('["pay","object"]');
  expect(told(result)).toEqual([['insufficient_evidence', 'unsupported', 'ok']]);
});

test('a transfer to a node that is not there is announced and not dispatched', async () => {
  const { grades } = await run(['unknown_target']);
  expect(grades.map(({ target, findings }) => [target, findings.map(({ id }) => id)])).toEqual([
    ['ghost', expect.arrayContaining(['announced_not_dispatched'])],
  ]);
});
