import { Runner, setTraceProcessors, setTracingDisabled, withTrace } from '@openai/agents-core';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { done, run, scripted, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

// What the SDK groups traces by is the correlation of the chain, unless the chain has one.
const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

const turns = [[toBilling()], done];
const correlations = () => new Set(shop.spans().map(({ attributes }) => attributes['seamtrace.correlation.id']));

test('the group id of a runner correlates every span of the run', async () => {
  await run(triageToBilling(), turns, {}, { groupId: 'conversation-7' });
  expect(shop.spans().length).toBeGreaterThanOrEqual(3);
  expect(correlations()).toEqual(new Set(['conversation-7']));
});

test('the group id of a trace around the run comes first', async () => {
  // Under tests the SDK makes no traces by itself.
  setTraceProcessors([]);
  setTracingDisabled(false);
  const runner = new Runner({ model: scripted(turns), groupId: 'of the runner' });
  const inTrace = async () => void (await runner.run(triageToBilling(), 'x', { context: { customer_id: 'c-1' } }));
  await withTrace('support', inTrace, { groupId: 'of the trace' });
  setTracingDisabled(true);
  expect(correlations()).toEqual(new Set(['of the trace']));
});

test('a run without a group is correlated by its task', async () => {
  await run(triageToBilling(), turns);
  const [first] = shop.named('invoke_agent triage');
  expect(first?.attributes['seamtrace.correlation.id']).toBe(first?.attributes['seamtrace.task.id']);
});
