import { type Agent, Runner, RunState, run as runAgent, tool } from '@openai/agents-core';
import { assistantMessage } from '@openai/agents-core/testing';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, calls, done, run, scripted } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

// Agents as tools, and tools of the application's that run another agent: the caller waits, and something comes back.
const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

const forward = () => shop.grades().filter(({ handoff_id }) => !returnIds().has(handoff_id));
const returnIds = () =>
  new Set(
    shop
      .named('handoff')
      .filter(({ attributes }) => attributes['seamtrace.handoff.leg'] === 'return')
      .map(({ attributes }) => attributes['seamtrace.handoff.id']),
  );
const attributesOf = (name: string, nth = 0) => shop.named(name)[nth]?.attributes ?? {};

function withTool(billing: Agent, options: object = {}): Agent {
  return agent('triage', { tools: [billing.asTool({ toolName: 'ask_billing', toolDescription: 'd', ...options })] });
}
/** A delegate with a model of its own, so that parallel ones do not share a script. */
const answering = (name: string, answer = 'paid') => agent(name, { model: scripted([[assistantMessage(answer)]]) });
const turns = [[calls('ask_billing', 'call_1')], done];
const ask = { input: 'Settle it.' };
const asking = [[{ ...calls('ask_billing', 'call_1'), arguments: JSON.stringify(ask) }], done];

describe('an agent as a tool', () => {
  test('is a delegation, and its answer a return leg of its own', async () => {
    await run(withTool(answering('billing')), asking, { context: { customer_id: 'c-1', invoice_id: 'i-1' } });
    expect(forward()).toMatchObject([
      { route: 'triage_to_billing', source: 'triage', target: 'billing', destination: 'billing', verdict: 'passed' },
    ]);
    const dispatch = attributesOf('handoff billing');
    expect(dispatch).toMatchObject({
      'seamtrace.handoff.mode': 'delegation',
      'seamtrace.hop.index': 1,
      'seamtrace.hop.path': ['triage', 'billing'],
      'seamtrace.payload.channel': 'shared_state',
    });
    const back = attributesOf('handoff triage');
    expect(back).toMatchObject({
      'seamtrace.handoff.leg': 'return',
      'seamtrace.handoff.in_reply_to': dispatch['seamtrace.handoff.id'],
      'seamtrace.hop.index': 1,
      'seamtrace.task.id': dispatch['seamtrace.task.id'],
    });
    expect(back['seamtrace.handoff.id']).not.toBe(dispatch['seamtrace.handoff.id']);
    expect(attributesOf('ingest triage')['seamtrace.handoff.id']).toBe(back['seamtrace.handoff.id']);
    expect(attributesOf('invoke_agent triage')['seamtrace.handoff.dispatched_ids']).toEqual([
      dispatch['seamtrace.handoff.id'],
    ]);
  });

  test('whose arguments become prose is accused of nothing', async () => {
    const billing = answering('billing');
    const triage = withTool(billing, { parameters: z.object({ invoice_id: z.string() }) });
    const call = { ...calls('ask_billing', 'call_1'), arguments: '{"invoice_id":"i-77"}' };
    await run(triage, [[call], done], { context: { customer_id: 'c-1' } });
    expect(forward()).toMatchObject([
      { verdict: 'insufficient_evidence', boundary: 'payload_capture', reason: 'unsupported' },
    ]);
  });

  test('that two parties asked at once serves two tasks', async () => {
    const billing = answering('billing');
    const support = answering('support');
    const triage = agent('triage', {
      tools: [billing, support].map((each) => each.asTool({ toolName: `ask_${each.name}`, toolDescription: 'd' })),
    });
    const call = (name: string, id: string) => ({ ...calls(name, id), arguments: JSON.stringify(ask) });
    await run(triage, [[call('ask_billing', 'a'), call('ask_support', 'b')], done], {
      context: { customer_id: 'c-1', invoice_id: 'i-1' },
    });
    expect(forward().map(({ verdict }) => verdict)).toEqual(['passed', 'passed']);
    const [one, two] = ['handoff billing', 'handoff support'].map((name) => attributesOf(name));
    expect(one?.['seamtrace.task.id']).not.toBe(two?.['seamtrace.task.id']);
    expect(one?.['seamtrace.task.parent.id']).toBe(two?.['seamtrace.task.parent.id']);
    expect(one?.['seamtrace.task.parent.id']).toBe(attributesOf('invoke_agent triage')['seamtrace.task.id']);
  });

  test('that fails hands nothing back', async () => {
    const failing = {
      getResponse: () => Promise.reject(new Error('model down')),
      getStreamedResponse: () => undefined,
    };
    await run(withTool(agent('billing', { model: failing })), asking, {
      context: { customer_id: 'c-1', invoice_id: 'i-1' },
    });
    expect(returnIds().size).toBe(0);
    expect(forward()).toMatchObject([{ verdict: 'passed', run_outcome: 'run_error' }]);
  });
});

describe('a tool that runs another agent', () => {
  const lookInto = (call: (context: object | undefined) => Promise<unknown>) =>
    agent('triage', {
      tools: [
        tool({
          name: 'ask_billing',
          description: 'd',
          parameters: z.object({}),
          execute: async (_input, runContext) => JSON.stringify(await call(runContext?.context as object)),
        }),
      ],
    });
  const context = { customer_id: 'c-1', invoice_id: 'inv-4711' };

  test('with a context of its own that lacks a key loses it on the way', async () => {
    const billing = answering('billing');
    const runner = new Runner({ tracingDisabled: true });
    const triage = lookInto(async () => {
      await runner.run(billing, 'Settle it.', { context: { customer_id: 'c-1' } });
      return {};
    });
    await run(triage, turns, { context });
    expect(forward()).toMatchObject([
      { verdict: 'packaging_loss', boundary: 'source_to_payload', missing_keys: ['invoice_id'] },
    ]);
  });

  test('and tells the value in prose instead is accused of nothing', async () => {
    const billing = answering('billing');
    const triage = lookInto(async () => {
      await runAgent(billing, 'Settle inv-4711.', { context: { customer_id: 'c-1' } });
      return {};
    });
    await run(triage, turns, { context });
    expect(forward()).toMatchObject([{ verdict: 'insufficient_evidence', boundary: 'payload_capture' }]);
  });

  test('that runs its own agent again makes no handoff', async () => {
    const triage: Agent = lookInto(async () => {
      await runAgent(triage.clone({ model: scripted([done]) }), 'Again.', { context });
      return {};
    });
    await run(triage, turns, { context });
    expect(shop.grades()).toEqual([]);
    expect(shop.named('invoke_agent triage')).toHaveLength(2);
  });

  test('gives back JSON that counts, where the way back is declared', async () => {
    const billing = answering('billing');
    const triage = lookInto(async () => {
      await runAgent(billing, 'Settle it.', { context });
      return { customer_id: 'c-1', settled: true };
    });
    await run(triage, turns, { context });
    const back = attributesOf('handoff triage');
    expect(back['seamtrace.payload.keys']).toEqual(['customer_id', 'invoice_id', 'settled']);
  });
});

describe('what the other agent can read otherwise is no loss', () => {
  const context = { customer_id: 'c-1' };
  const parameters = z.object({ invoice_id: z.string() });
  const asks = (args: object) => [[{ ...calls('ask_billing', 'call_1'), arguments: JSON.stringify(args) }], done];
  const structured = asks({ invoice_id: 'i-77' });
  const runs = (inner: (shared: object) => Promise<unknown>) =>
    agent('triage', {
      tools: [
        tool({
          name: 'ask_billing',
          description: 'd',
          parameters,
          execute: async (_input, runContext) => {
            await inner(runContext?.context as object);
            return 'paid';
          },
        }),
      ],
    });

  test('the input of its tool, which the SDK keeps beside the context', async () => {
    const triage = withTool(answering('billing'), { parameters, inputBuilder: () => 'Settle the bill.' });
    await run(triage, structured, { context });
    expect(forward()).toMatchObject([{ boundary: 'payload_capture', reason: 'unsupported' }]);
  });

  test('instructions that were written for it, a value that was formatted, a session', async () => {
    const billing = () => answering('billing');
    const session = { getSessionId: () => Promise.resolve('s'), getItems: () => Promise.resolve([]) };
    const rest = { addItems: () => Promise.resolve(), popItem: () => Promise.resolve(undefined) };
    const inners = [
      () => runAgent(billing().clone({ instructions: 'Settle i-77.' }), 'Go.', { context }),
      () => runAgent(billing(), 'Settle I 77.', { context }),
      () => runAgent(billing(), 'Go.', { context, session: { ...session, ...rest } as never }),
    ];
    for (const inner of inners) {
      shop.reset();
      await run(runs(inner), structured, { context });
      expect(forward()).toMatchObject([{ boundary: 'payload_capture', reason: 'unsupported' }]);
    }
  });

  test('a key that the tool looked up was there to hand over', async () => {
    const given = { runOptions: { context: { customer_id: 'c-1', invoice_id: 'i-1' } } };
    await run(withTool(answering('billing'), given), asking, { context });
    expect(forward()).toMatchObject([{ verdict: 'passed' }]);
  });

  test('JSON that was written into its input', async () => {
    await run(withTool(answering('billing')), asks({ input: '{"invoice_id":"i-1"}' }), { context });
    expect(forward()).toMatchObject([{ boundary: 'source_capture', reason: 'unsupported' }]);
  });

  test("a context of the application's that has the members of a run context", async () => {
    const own = { usage: {}, context: { page: 1 }, customer_id: 'c-1', invoice_id: 'i-1' };
    await run(
      runs((shared) => runAgent(answering('billing'), 'Go.', { context: shared })),
      structured,
      { context: own },
    );
    expect(forward()).toMatchObject([{ verdict: 'passed' }]);
  });

  test('a state that is gone on with', async () => {
    const pay = tool({
      name: 'pay',
      description: 'd',
      parameters: z.object({}),
      needsApproval: true,
      execute: () => 'ok',
    });
    const billing = agent('billing', { model: scripted([[calls('pay', 'p1')], done]), tools: [pay] });
    const asked = await new Runner({ tracingDisabled: true }).run(billing, 'Settle it.', {
      context: { customer_id: 'c-1', invoice_id: 'i-77' },
    });
    const stored = asked.state.toString();
    shop.reset();
    const triage = runs(async () => {
      const state = await RunState.fromString(billing, stored);
      for (const question of state.getInterruptions()) state.approve(question);
      await new Runner({ tracingDisabled: true }).run(billing, state as never);
    });
    await run(triage, structured, { context });
    expect(forward().filter(({ target }) => target === 'billing')).toMatchObject([{ verdict: 'passed' }]);
  });
});

test('two hundred delegations at once do not mix', async () => {
  const one = async (index: number) => {
    const billing = agent('billing', { model: scripted([[assistantMessage('ok')]]) });
    const model = scripted([[{ ...calls('ask_billing', 'call_1'), arguments: JSON.stringify(ask) }], done]);
    const context = index % 2 === 0 ? { customer_id: 'c', invoice_id: 'i' } : { customer_id: 'c' };
    await new Runner({ model, tracingDisabled: true }).run(withTool(billing), 'x', { context });
  };
  await Promise.all(Array.from({ length: 200 }, (_, index) => one(index)));
  const verdicts = forward().map(({ verdict }) => verdict);
  expect(verdicts).toHaveLength(200);
  expect(verdicts.filter((verdict) => verdict === 'passed')).toHaveLength(100);
  expect(verdicts.filter((verdict) => verdict === 'upstream_context_missing')).toHaveLength(100);
});
