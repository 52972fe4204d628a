import { Handoff, handoff, RunHandoffCallItem, Runner, tool } from '@openai/agents-core';
import { removeAllTools } from '@openai/agents-core/extensions';
import { functionCall } from '@openai/agents-core/testing';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agent, done, invoice, run, scripted, toBilling, toSupport, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  // Nothing of ours failed behind the application's back.
  expect(readCounters().internal_error).toBe(0);
});

function soleGrade() {
  const grades = shop.grades();
  expect(grades).toHaveLength(1);
  return grades[0];
}

describe('the six verdicts, each by its real cause', () => {
  test('passed: everything crosses', async () => {
    const triage = triageToBilling();
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'passed',
      boundary: 'none',
      route: 'triage_to_billing',
      source: 'triage',
      target: 'billing',
      destination: 'billing',
      contract_version: '1',
      delivered: 'yes',
      evidence: 'declared',
      run_outcome: 'ok',
      findings: [],
    });
  });

  test('upstream_context_missing: a fact that nobody collected', async () => {
    const triage = agent('triage', { handoffs: [agent('billing')] });
    await run(triage, [[toBilling({})], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'upstream_context_missing',
      boundary: 'before_handoff',
      missing_keys: ['invoice_id'],
    });
  });

  test('packaging_loss: a filter that rewrites the arguments of the handoff call', async () => {
    const emptied = (item: unknown) =>
      item instanceof RunHandoffCallItem
        ? new RunHandoffCallItem({ ...item.rawItem, arguments: '{"reason":"x"}' }, item.agent)
        : item;
    const inputFilter = (data: { newItems: unknown[] }) => ({ ...data, newItems: data.newItems.map(emptied) });
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'packaging_loss',
      boundary: 'source_to_payload',
      missing_keys: ['invoice_id'],
    });
  });

  test('packaging_loss: removeAllTools takes the handoff call away, with its arguments', async () => {
    const triage = triageToBilling({}, { inputFilter: removeAllTools });
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['invoice_id'] });
  });

  test('packaging_loss: the filter of the runner, where the handoff has none', async () => {
    const triage = triageToBilling();
    await run(triage, [[toBilling()], done], {}, { handoffInputFilter: removeAllTools });
    expect(soleGrade()).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['invoice_id'] });
  });

  test('ingestion_loss: dynamic instructions that replace the record by another one', async () => {
    const support = agent('support', {
      instructions: async ({ context }: { context: { account: object } }) => {
        context.account = await Promise.resolve({ id: 'acct-old' });
        return 'You repair.';
      },
    });
    const billing = agent('billing', { handoffs: [support] });
    const context = { customer_id: 'c-1', account: { id: 'acct-new', entitlement: 'on-site' } };
    await run(billing, [[toSupport()], done], { context });
    expect(soleGrade()).toMatchObject({
      verdict: 'ingestion_loss',
      boundary: 'payload_to_destination',
      missing_keys: ['account.entitlement'],
    });
    const [destination] = shop.named('invoke_agent support');
    const source = destination?.attributes['seamtrace.source.state_ref'];
    const arrived = destination?.attributes['seamtrace.destination.state_ref'];
    expect(source).toMatch(/^hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}$/);
    expect(arrived).toMatch(/^hmac-sha256:/);
    expect(arrived).not.toBe(source);
  });

  test('ingestion_loss: a callModelInputFilter that drops the handoff call', async () => {
    const triage = triageToBilling();
    const callModelInputFilter = ({ modelData }: { modelData: { input: { type?: string }[] } }) => ({
      ...modelData,
      input: modelData.input.filter((item) => !item.type?.startsWith('function_call')),
    });
    await run(triage, [[toBilling()], done], { callModelInputFilter });
    expect(soleGrade()).toMatchObject({ verdict: 'ingestion_loss', missing_keys: ['invoice_id'] });
  });

  test('routing_mismatch: a handoff that declares billing and returns support', async () => {
    const support = agent('support');
    const misroute = new Handoff(agent('billing'), async () => support);
    await run(agent('triage', { handoffs: [misroute] }), [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'routing_mismatch',
      boundary: 'route',
      target: 'billing',
      destination: 'support',
      secondary: { route: 'triage_to_support', verdict: 'passed' },
    });
  });

  test('an alias of the contract file is the agent', async () => {
    const triage = agent('triage', { handoffs: [handoff(agent('Billing Desk'), invoice)] });
    const call = functionCall('transfer_to_Billing_Desk', { invoice_id: 'i' }, { callId: 'call_1' });
    await run(triage, [[call], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'passed', route: 'triage_to_billing' });
  });
});

describe('what cannot be told is never an accusation', () => {
  test('neither context nor arguments: channel text', async () => {
    const triage = agent('triage', { handoffs: [agent('billing')] });
    await run(triage, [[toBilling({})], done], { context: undefined });
    expect(soleGrade()).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'source_capture',
      reason: 'unsupported',
    });
    expect(shop.named('handoff billing')[0]?.attributes['seamtrace.payload.channel']).toBe('text');
  });

  test('a required key that stood in a JSON tool result only', async () => {
    const lookUp = tool({
      name: 'look_up',
      description: 'x',
      parameters: z.object({}),
      execute: async () => JSON.stringify({ rows: [{ invoice_id: 'inv-1' }] }),
    });
    const triage = agent('triage', { tools: [lookUp], handoffs: [agent('billing')] });
    await run(triage, [[functionCall('look_up', {}, { callId: 't' })], [toBilling({})], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'source_capture',
      reason: 'unsupported',
    });
  });

  test('a required key that an earlier handoff call brought, and no carrier holds now', async () => {
    const support = agent('support', { handoffs: [agent('billing')] });
    const deviceAndInvoice = { inputType: z.looseObject({}), onHandoff: () => undefined };
    const triage = agent('triage', { handoffs: [handoff(support, deviceAndInvoice)] });
    const first = functionCall('transfer_to_support', { invoice_id: 'inv-1' }, { callId: 'call_0' });
    await run(triage, [[first], [toBilling({})], done]);
    expect(shop.grades().find(({ target }) => target === 'billing')).toMatchObject({
      verdict: 'insufficient_evidence',
    });
    const [dispatch] = shop.named('handoff billing');
    expect(dispatch?.attributes['seamtrace.source.keys']).toEqual(['customer_id']);
  });

  test('a filter that writes a message', async () => {
    const note = { type: 'message', role: 'user', content: 'invoice_id is inv-1' };
    const inputFilter = (data: object) => ({ ...data, inputHistory: [note], preHandoffItems: [], newItems: [] });
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'payload_capture',
      reason: 'unsupported',
    });
  });

  test('a filter that writes into a message in place', async () => {
    const inputFilter = (data: { inputHistory: { content: string }[]; newItems: unknown[] }) => {
      for (const item of data.inputHistory) item.content += ' (invoice inv-1)';
      return { ...data, newItems: [] };
    };
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    const model = scripted([[toBilling()], done]);
    const input = [{ type: 'message' as const, role: 'user' as const, content: 'My invoice is wrong.' }];
    await new Runner({ model, tracingDisabled: true }).run(triage, input, { context: { customer_id: 'c-1' } });
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', boundary: 'payload_capture' });
  });

  test('a filter that only drops messages keeps the evidence whole', async () => {
    const inputFilter = (data: object) => ({ ...data, inputHistory: [], preHandoffItems: [] });
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'passed' });
  });

  test('a callModelInputFilter that writes a message', async () => {
    const triage = triageToBilling();
    const callModelInputFilter = ({ modelData }: { modelData: object }) => ({
      ...modelData,
      input: [{ type: 'message', role: 'user', content: 'short' }],
    });
    await run(triage, [[toBilling()], done], { callModelInputFilter });
    expect(soleGrade()).toMatchObject({
      verdict: 'insufficient_evidence',
      boundary: 'destination_capture',
      reason: 'unsupported',
    });
  });

  test('what onHandoff loads counts as known to the producer', async () => {
    const onHandoff = (runContext?: { context: unknown }) =>
      void Object.assign(runContext?.context as object, { invoice_id: 'inv-1' });
    const triage = agent('triage', { handoffs: [handoff(agent('billing'), { onHandoff: onHandoff as never })] });
    await run(triage, [[toBilling({})], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'passed' });
  });

  test('a context behind a Proxy is not looked into', async () => {
    const triage = agent('triage', { handoffs: [agent('billing')] });
    await run(triage, [[toBilling({})], done], { context: new Proxy({ customer_id: 'c' }, {}) });
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'unsupported' });
  });

  test('the history is with the provider: the call is there with its answer', async () => {
    const triage = triageToBilling();
    await run(triage, [[toBilling()], done], { conversationId: 'conv_1' });
    expect(soleGrade()).toMatchObject({ verdict: 'passed' });
    expect(shop.named('invoke_agent').map((span) => span.attributes['gen_ai.conversation.id'])).toEqual([
      'conv_1',
      'conv_1',
    ]);
  });
});
