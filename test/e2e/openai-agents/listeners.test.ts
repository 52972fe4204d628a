import { handoff, Runner, RunContext, RunState } from '@openai/agents-core';
import { HandoffContractError, readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { agent, done, invoice, scripted, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(deskContracts({ enforce: { producer: 'enforce' } }));
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

type Context = Record<string, unknown>;
type Listening = { on(type: string, listener: (runContext: { context: Context }) => void): unknown };
const removes = ({ context }: { context: Context }) => void delete context['customer_id'];
const adds = ({ context }: { context: Context }) => void (context['invoice_id'] = 'inv-1');

/** One handoff with a listener on one of those that speak; returns how the run ended. */
async function handOver(listen: (runner: Listening, triage: Listening, billing: Listening) => void, args?: Context) {
  const billing = agent('billing');
  const triage = agent('triage', { handoffs: [handoff(billing, { ...invoice, inputType: undefined } as never)] });
  const runner = new Runner({ model: scripted([[toBilling(args)], done]), tracingDisabled: true });
  listen(runner as never, triage as never, billing as never);
  const outcome = await runner.run(triage, 'x', { context: { customer_id: 'c-1' } }).catch((error: unknown) => error);
  const grades = shop.grades();
  expect(grades).toHaveLength(1);
  return { grade: grades[0], outcome };
}

describe('the source ends when the listeners of the handoff are through', () => {
  test.each<[string, Parameters<typeof handOver>[0]]>([
    ['runner', (runner) => runner.on('agent_handoff', removes)],
    ['agent', (_, triage) => triage.on('agent_handoff', removes)],
  ])('a listener of the %s that removes a key loses it on the way', async (_, listen) => {
    const { grade, outcome } = await handOver(listen);
    expect(grade).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['customer_id'] });
    expect(outcome).toBeInstanceOf(HandoffContractError);
  });

  test.each<[string, Parameters<typeof handOver>[0]]>([
    ['runner', (runner) => runner.on('agent_handoff', adds)],
    ['agent', (_, triage) => triage.on('agent_handoff', adds)],
  ])('a listener of the %s that adds a key is part of the source', async (_, listen) => {
    const { grade, outcome } = await handOver(listen, {});
    expect(grade).toMatchObject({ verdict: 'passed' });
    expect(outcome).not.toBeInstanceOf(Error);
  });

  test('a listener of the next agent that removes a key when it starts is on the other side', async () => {
    const { grade } = await handOver((_, __, billing) => billing.on('agent_start', removes));
    expect(grade).toMatchObject({ verdict: 'ingestion_loss', missing_keys: ['customer_id'] });
  });

  test('an agent that hides its events from the SDK hands over all the same', async () => {
    const { grade } = await handOver((_, triage) => Object.assign(triage, { emit: () => true }));
    expect(grade).toMatchObject({ verdict: 'passed', delivered: 'yes' });
  });
});

test('a run that a refusal ended and that is resumed makes another attempt, and both are on record', async () => {
  const context: Context = { customer_id: 'c-1' };
  const triage = triageToBilling({}, { inputType: undefined, onHandoff: undefined });
  const runner = new Runner({
    model: scripted([[toBilling({}, 'a')], [toBilling({}, 'b')], done]),
    tracingDisabled: true,
  });
  const state = new RunState(new RunContext(context), 'x', triage as never, 10);
  await expect(runner.run(triage, state as never)).rejects.toBeInstanceOf(HandoffContractError);
  context['invoice_id'] = 'inv-1';
  const resumed = await runner.run(triage, state as never);
  expect(resumed.finalOutput).toBe('done');
  const attempts = shop
    .named('handoff billing')
    .map(({ attributes }) => [
      attributes['seamtrace.handoff.id'],
      attributes['seamtrace.handoff.attempt'],
      attributes['seamtrace.dispatch.outcome'],
    ]);
  expect(attempts).toEqual([
    [expect.any(String), 1, 'prevented'],
    [attempts[0]?.[0], 2, 'dispatched'],
  ]);
});
