import { type Agent, Runner, RunState, tool } from '@openai/agents-core';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, calls, done, scripted } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

// A tool that needs approval: the run stops, a person decides, and the run goes on from its state.
const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

const refund = () =>
  tool({ name: 'refund', description: 'd', parameters: z.object({}), needsApproval: true, execute: () => 'refunded' });
const billing = (options: object = {}) => agent('billing', { tools: [refund()], ...options });
const runner = (turns: readonly (readonly object[])[]) => new Runner({ model: scripted(turns), tracingDisabled: true });
const context = { customer_id: 'c-1', invoice_id: 'i-1' };
const attributesOf = (name: string, nth = 0) => shop.named(name)[nth]?.attributes ?? {};
const findings = () => shop.grades().flatMap(({ findings }) => findings.map(({ id }) => id));

describe('a question to a person', () => {
  test.each(['approve', 'reject'] as const)('and the answer are handoffs of their own: %s', async (decision) => {
    const who = billing();
    const work = runner([[calls('refund', 'call_1')], done]);
    const first = await work.run(who, 'Refund me.', { context });
    expect(first.interruptions).toHaveLength(1);
    first.state[decision](first.interruptions[0] as never);
    const second = await work.run(who, first.state);
    expect(second.finalOutput).toBe('done');

    const ask = attributesOf('handoff human');
    const answer = attributesOf('handoff billing');
    expect(ask).toMatchObject({
      'seamtrace.handoff.kind': 'agent_to_human',
      'seamtrace.handoff.source.name': 'billing',
    });
    expect(answer).toMatchObject({
      'seamtrace.handoff.kind': 'human_to_agent',
      'seamtrace.handoff.leg': 'return',
      'seamtrace.handoff.in_reply_to': ask['seamtrace.handoff.id'],
      'seamtrace.task.id': ask['seamtrace.task.id'],
    });
    expect(shop.named('handoff')).toHaveLength(2);
    expect(attributesOf('ingest human')['seamtrace.handoff.id']).toBe(ask['seamtrace.handoff.id']);
    expect(attributesOf('ingest billing')['seamtrace.handoff.id']).toBe(answer['seamtrace.handoff.id']);
    for (const grade of shop.grades()) expect(grade.verdict).toBe('insufficient_evidence');
    expect(findings()).not.toContain('hop_counter_reset');
  });

  test('that nobody has answered is asked once, however often the run is tried', async () => {
    const who = billing();
    const work = runner([[calls('refund', 'call_1')], done]);
    const first = await work.run(who, 'Refund me.', { context });
    const again = await work.run(who, first.state);
    again.state.approve(again.interruptions[0] as never);
    await work.run(who, again.state);
    const asks = shop.named('handoff human').map(({ attributes }) => attributes['seamtrace.handoff.id']);
    expect(new Set(asks).size).toBe(1);
    expect(shop.named('handoff billing')).toHaveLength(1);
  });

  test('keeps its id where the state goes through another process, by the trace that the SDK keeps in it', async () => {
    const who = billing();
    const traced = (turns: readonly (readonly object[])[]) => new Runner({ model: scripted(turns) });
    const first = await traced([[calls('refund', 'call_1')]]).run(who, 'Refund me.', { context });
    const text = first.state.toString();
    const state = await RunState.fromString(who as Agent, text);
    state.approve(state.getInterruptions()[0] as never);
    await traced([done]).run(who, state as never);
    const isTraced = /"traceId":"trace_/.test(text);
    const id = attributesOf('handoff human')['seamtrace.handoff.id'];
    const repliesTo = attributesOf('handoff billing')['seamtrace.handoff.in_reply_to'];
    expect(repliesTo === id).toBe(isTraced);
  });

  test('of an agent that runs as a tool is that agent’s alone, and its delegation keeps its id', async () => {
    const inner = billing({ model: scripted([[calls('refund', 'in_1')], done]) });
    const triage = agent('triage', { tools: [inner.asTool({ toolName: 'ask_billing', toolDescription: 'd' })] });
    const work = runner([[{ ...calls('ask_billing', 'out_1'), arguments: '{"input":"x"}' }], done]);
    const first = await work.run(triage, 'Refund me.', { context });
    first.state.approve(first.interruptions[0] as never);
    const second = await work.run(triage, first.state);
    expect(second.finalOutput).toBe('done');
    const asks = shop.named('handoff human').map(({ attributes }) => attributes['seamtrace.handoff.source.name']);
    expect(asks).toEqual(['billing']);
    const delegations = shop
      .named('handoff billing')
      .filter(({ attributes }) => attributes['seamtrace.handoff.source.name'] === 'triage');
    expect(delegations.map(({ attributes }) => attributes['seamtrace.handoff.execution'])).toEqual([1, 2]);
    expect(new Set(delegations.map(({ attributes }) => attributes['seamtrace.handoff.id'])).size).toBe(1);
    expect(shop.grades()).toContainEqual(
      expect.objectContaining({ source: 'triage', target: 'billing', verdict: 'passed' }),
    );
  });
});
