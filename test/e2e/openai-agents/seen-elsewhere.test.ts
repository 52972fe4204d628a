import { handoff, MemorySession, Runner, RunState, tool } from '@openai/agents-core';
import { functionCall } from '@openai/agents-core/testing';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, calls, done, run, scripted, toBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

// A required key that no carrier holds, but that the model was given to read: it may have passed it on.

const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

const loose = { inputType: z.looseObject({}), onHandoff: () => undefined };
const notKnown = { verdict: 'insufficient_evidence', boundary: 'source_capture', reason: 'unsupported' };
const lookUp = (execute: () => unknown, options: object = {}) =>
  tool({ name: 'look_up', description: 'x', parameters: z.object({}), execute: execute as never, ...options });
const triageWith = (...tools: unknown[]) => agent('triage', { tools, handoffs: [agent('billing')] });
const toBillingGrades = () => shop.grades().filter(({ target }) => target === 'billing');
const json = '{"invoice_id":"inv-1"}';

describe('results of tools', () => {
  test.each<[string, () => unknown]>([
    ['a text part', () => ({ type: 'text', text: json })],
    ['a list of text parts', () => [{ type: 'text', text: json }]],
    ['JSON in JSON', () => ({ status: 200, body: json })],
    ['JSON encoded twice', () => JSON.stringify(json)],
    ['lines', () => `${json}\n${json}`],
    ['a fenced block', () => `\`\`\`json\n${json}\n\`\`\``],
  ])('%s', async (_, execute) => {
    await run(triageWith(lookUp(execute)), [[calls('look_up', 't')], [toBilling({})], done]);
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });

  test('the text of an errorFunction', async () => {
    const fails = (): never => {
      throw new Error('x');
    };
    const triage = triageWith(lookUp(fails, { errorFunction: () => json }));
    await run(triage, [[calls('look_up', 't')], [toBilling({})], done]);
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });

  test('prose about the failure of a tool says nothing', async () => {
    const fails = (): never => {
      throw new Error(json);
    };
    await run(triageWith(lookUp(fails)), [[calls('look_up', 't')], [toBilling({})], done]);
    expect(toBillingGrades()).toMatchObject([{ verdict: 'upstream_context_missing' }]);
  });

  test('a tool of the provider', async () => {
    const hosted = { type: 'hosted_tool_call', name: 'mcp_call', id: 'h1', status: 'completed', output: json };
    const work = tool({ name: 'work', description: 'x', parameters: z.object({}), execute: () => 'ok' });
    await run(triageWith(work), [[hosted, calls('work', 'w')], [toBilling({})], done]);
    await run(triageWith(), [[hosted, toBilling({})], done]);
    expect(toBillingGrades()).toMatchObject([notKnown, notKnown]);
  });
});

describe('what came before this run', () => {
  async function lookedUp(options: object = {}) {
    const triage = triageWith(lookUp(() => json));
    return { triage, result: await run(triage, [[calls('look_up', 't')], done], options) };
  }

  test('a result in history that the application passes', async () => {
    const { triage, result } = await lookedUp();
    const runner = new Runner({ model: scripted([[toBilling({})], done]), tracingDisabled: true });
    const input = [...result.history, { role: 'user' as const, content: 'next' }];
    await runner.run(triage, input, { context: { customer_id: 'c-1' } });
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });

  test('a result in a session', async () => {
    const session = new MemorySession();
    const { triage } = await lookedUp({ session });
    await run(triage, [[toBilling({})], done], { session });
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });

  test('the arguments of an earlier handoff in history', async () => {
    const support = agent('support', { handoffs: [agent('billing')] });
    const triage = agent('triage', { handoffs: [handoff(support, loose)] });
    const first = functionCall('transfer_to_support', { invoice_id: 'inv-1' }, { callId: 'call_0' });
    const result = await run(triage, [[first], done]);
    const runner = new Runner({ model: scripted([[toBilling({})], done]), tracingDisabled: true });
    await runner.run(support, [...result.history, { role: 'user', content: 'next' }] as never, {
      context: { customer_id: 'c-1' },
    });
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });

  test('a result before an interruption that is resumed in another process', async () => {
    const approved = tool({
      name: 'approve',
      description: 'x',
      parameters: z.object({}),
      needsApproval: true,
      execute: () => 'ok',
    });
    const triage = triageWith(
      lookUp(() => json),
      approved,
    );
    const model = scripted([[calls('look_up', 't')], [calls('approve', 'a')], [toBilling({})], done]);
    const runner = new Runner({ model, tracingDisabled: true });
    const interrupted = await runner.run(triage, 'x', { context: { customer_id: 'c-1' } });
    const state = await RunState.fromString(triage as never, interrupted.state.toString());
    for (const each of state.getInterruptions()) state.approve(each);
    await runner.run(triage, state as never);
    expect(toBillingGrades()).toMatchObject([notKnown]);
  });
});
