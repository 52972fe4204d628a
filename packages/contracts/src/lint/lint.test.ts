import { VERDICTS } from '@seamtrace/semconv';
import { expect, test } from 'vitest';
import { createContracts } from '../file/create.js';
import type { RouteInput } from '../file/input.js';
import { lintContracts } from './lint.js';

const owners = Object.fromEntries(
  VERDICTS.filter((verdict) => verdict !== 'passed').map((verdict) => [verdict, 'team']),
);
const ready: RouteInput = {
  from: 'a',
  to: 'b',
  required: [],
  purpose: 'p',
  reviewed_by: 'r',
  on_violation: 'ask',
  owners,
  enforce: { producer: 'enforce' },
};
const lint = (route: RouteInput, agents: Record<string, { terminal?: boolean }> = { b: { terminal: true } }) =>
  lintContracts(createContracts({ agents, routes: { r: route } }));

test('finds nothing in a route that is ready to be enforced', () => {
  expect(lint(ready)).toEqual([]);
});

test.each([
  ['on_violation', { on_violation: undefined }],
  ['purpose', { purpose: undefined }],
  ['owners', { owners: {} }],
  ['reviewed_by', { reviewed_by: undefined }],
])('refuses to enforce without %s', (name, without) => {
  const errors = lint({ ...ready, ...without }).filter(({ severity }) => severity === 'error');
  expect(errors).toEqual([
    {
      severity: 'error',
      rule: 'enforce_unprepared',
      route: 'r',
      message: `route "r" enforces (producer) without ${name}; write them, or observe`,
    },
  ]);
});

test('asks nothing of a route that only observes or warns', () => {
  const bare: RouteInput = {
    from: 'a',
    to: 'b',
    required: [],
    owners,
    enforce: { producer: 'warn', consumer: 'observe' },
  };
  expect(lint(bare)).toEqual([]);
});

test('lists verdicts that nobody owns', () => {
  const { packaging_loss: _packaging, ...rest } = owners;
  expect(lint({ ...ready, owners: rest })).toEqual([
    { severity: 'warning', rule: 'verdict_unowned', route: 'r', message: 'route "r": nobody owns packaging_loss' },
  ]);
});

test('lists agents from which no task can end', () => {
  const contracts = createContracts({
    agents: { end: { terminal: true } },
    routes: {
      one: { from: 'a', to: 'b', required: [], owners },
      two: { from: 'b', to: 'end', required: [], owners },
      three: { from: 'c', to: 'd', required: [], owners },
      four: { from: 'd', to: 'c', required: [], owners },
    },
  });
  expect(lintContracts(contracts).map(({ rule, agent }) => [rule, agent])).toEqual([
    ['no_terminal_reachable', 'c'],
    ['no_terminal_reachable', 'd'],
  ]);
});

test('lists agents that look like one', () => {
  const findings = lint(
    { ...ready, from: 'Billing-Agent' },
    { b: { terminal: true }, billing_agent: { terminal: true } },
  );
  expect(findings.map(({ rule, agent }) => [rule, agent])).toEqual([['similar_agents', 'Billing-Agent']]);
});
