import { handoff, RunHandoffCallItem, Runner } from '@openai/agents-core';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { agent, done, run, scripted, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

interface Raw {
  readonly type?: string;
  readonly callId?: string;
  readonly arguments?: string;
}
interface Data {
  readonly inputHistory: readonly Raw[] | string;
  readonly preHandoffItems: readonly unknown[];
  readonly newItems: readonly { readonly rawItem: Raw }[];
}

function soleGrade() {
  const grades = shop.grades();
  expect(grades).toHaveLength(1);
  return grades[0];
}

async function filteredBy(inputFilter: (data: Data) => unknown) {
  await run(triageToBilling({}, { inputFilter: inputFilter as never }), [[toBilling()], done]);
  return soleGrade();
}

const rewriteCall =
  (change: (raw: Raw) => object) =>
  (data: Data): object => ({
    ...data,
    newItems: data.newItems.map((item) =>
      item instanceof RunHandoffCallItem ? new RunHandoffCallItem(change(item.rawItem) as never, item.agent) : item,
    ),
  });

describe('a filter that keeps the arguments keeps the carrier', () => {
  test.each([
    ['renames the tool', (raw: Raw) => ({ ...raw, name: 'handoff' })],
    ['copies the item', (raw: Raw) => structuredClone(raw)],
  ])('one that %s', async (_, change) => {
    expect(await filteredBy(rewriteCall(change))).toMatchObject({ verdict: 'passed' });
  });

  test('one that normalises call ids, of calls and answers', async () => {
    const renamed = <T extends { readonly rawItem: Raw }>(item: T): T =>
      Object.assign(Object.create(Object.getPrototypeOf(item) as object) as T, item, {
        rawItem: { ...item.rawItem, callId: 'norm_1', id: undefined },
      });
    const grade = await filteredBy((data) => ({ ...data, newItems: data.newItems.map(renamed) }));
    expect(grade).toMatchObject({ verdict: 'passed' });
  });

  test('a callModelInputFilter that shortens call ids, in copies or in place', async () => {
    const copied = ({ modelData }: { modelData: { input: Raw[] } }) => ({
      ...modelData,
      input: modelData.input.map((item) => (item.callId === undefined ? item : { ...item, callId: 'c' })),
    });
    const inPlace = ({ modelData }: { modelData: { input: { callId?: string }[] } }) => {
      for (const item of modelData.input) if (item.callId !== undefined) item.callId = 'c';
      return modelData;
    };
    for (const callModelInputFilter of [copied, inPlace]) {
      shop.reset();
      await run(triageToBilling(), [[toBilling()], done], { callModelInputFilter });
      expect(soleGrade()).toMatchObject({ verdict: 'passed' });
    }
  });

  test('one that shortens the result of a tool', async () => {
    const shortened = (item: { rawItem: Raw }) =>
      item.rawItem.type === 'function_call_result'
        ? Object.assign(Object.create(Object.getPrototypeOf(item) as object) as object, item, {
            rawItem: { ...item.rawItem, output: 'shortened' },
          })
        : item;
    const grade = await filteredBy((data) => ({ ...data, newItems: data.newItems.map(shortened) }));
    expect(grade).toMatchObject({ verdict: 'passed' });
  });

  test('one that keeps the call of this turn and drops one with the same id from the history', async () => {
    const earlier = { type: 'function_call', name: 'transfer_to_billing', callId: 'call_1', status: 'completed' };
    const history = [
      { role: 'user', content: 'next' },
      { ...earlier, arguments: '{"note":1}' },
      { type: 'function_call_result', name: earlier.name, callId: 'call_1', status: 'completed', output: 'ok' },
    ];
    const inputFilter = (data: Data) => ({
      ...data,
      preHandoffItems: [],
      newItems: [],
      inputHistory: [history[0], ...structuredClone(data.newItems.map((item) => item.rawItem))],
    });
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    const runner = new Runner({ model: scripted([[toBilling()], done]), tracingDisabled: true });
    await runner.run(triage, history as never, { context: { customer_id: 'c-1' } });
    expect(soleGrade()).toMatchObject({ verdict: 'passed' });
  });
});

test('a call with the same id that stays in the history is not taken for the one that was dropped', async () => {
  const earlier = { type: 'function_call', name: 'transfer_to_billing', callId: 'call_1', status: 'completed' };
  const history = [
    { role: 'user', content: 'next' },
    { ...earlier, arguments: '{"note":1}' },
    { type: 'function_call_result', name: earlier.name, callId: 'call_1', status: 'completed', output: 'ok' },
  ];
  const triage = triageToBilling({}, { inputFilter: ((data: Data) => ({ ...data, newItems: [] })) as never });
  const runner = new Runner({ model: scripted([[toBilling()], done]), tracingDisabled: true });
  await runner.run(triage, history as never, { context: { customer_id: 'c-1' } });
  expect(soleGrade()).toMatchObject({ verdict: 'packaging_loss', missing_keys: ['invoice_id'] });
});

describe('what a filter returned and cannot be read is not known', () => {
  const notKnown = { verdict: 'insufficient_evidence', boundary: 'payload_capture', reason: 'unsupported' };

  test.each<[string, (data: Data) => unknown]>([
    ['inherited members', (data) => Object.create(data)],
    ['a Proxy', (data) => new Proxy(data, {})],
    ['a list behind a Proxy', (data) => ({ ...data, newItems: new Proxy([...data.newItems], {}) })],
    ['items behind Proxies', (data) => ({ ...data, newItems: data.newItems.map((item) => new Proxy(item, {})) })],
    [
      'accessors',
      (data) => ({
        ...data,
        get newItems() {
          return data.newItems;
        },
      }),
    ],
    [
      'a call and an answer that the filter made up',
      (data) => ({
        ...data,
        newItems: [],
        inputHistory: [
          { role: 'user', content: 'My invoice is wrong.' },
          { type: 'function_call', name: 'ctx', callId: 'k', arguments: '{}', status: 'completed' },
          { type: 'function_call_result', name: 'ctx', callId: 'k', status: 'completed', output: 'invoice inv-1' },
        ],
      }),
    ],
  ])('%s', async (_, inputFilter) => {
    const triage = triageToBilling({}, { inputFilter: inputFilter as never });
    await run(triage, [[toBilling()], done]);
    expect(soleGrade()).toMatchObject(notKnown);
  });

  test.each<[string, (data: Data) => unknown]>([
    ['nothing at all', () => undefined],
    ['a promise', async (data) => data],
  ])('%s, on which the SDK fails', async (_, inputFilter) => {
    await expect(filteredBy(inputFilter)).rejects.toThrow();
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'error' });
  });

  test('a filter that throws, and an onHandoff that throws', async () => {
    const boom = (): never => {
      throw new RangeError('x');
    };
    await expect(filteredBy(boom)).rejects.toThrow('x');
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'error' });
    shop.reset();
    const triage = agent('triage', { handoffs: [handoff(agent('billing'), { onHandoff: boom })] });
    await expect(run(triage, [[toBilling()], done], { context: { customer_id: 1, invoice_id: 1 } })).rejects.toThrow();
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'error' });
    expect(shop.named('handoff billing')[0]?.attributes['error.type']).toBe('RangeError');
  });
});

describe('carriers that hold nothing, and those that hide it', () => {
  const offered = () => agent('triage', { handoffs: [agent('billing')] });

  test.each(['null', '[]', '""', '5'])('arguments %s hold provably no members', async (args) => {
    await run(offered(), [[toBilling(args as never)], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'upstream_context_missing', missing_keys: ['invoice_id'] });
  });

  test('broken JSON is not known', async () => {
    await run(offered(), [[toBilling('{"invoice' as never)], done]);
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'unsupported' });
  });

  test.each<[string, unknown]>([
    ['a function', Object.assign(() => 0, { customer_id: 'c' })],
    ['JSON as text', '{"customer_id":"c"}'],
  ])('a context that is %s is not known', async (_, context) => {
    await run(triageToBilling(), [[toBilling()], done], { context });
    expect(soleGrade()).toMatchObject({ verdict: 'insufficient_evidence', reason: 'unsupported' });
  });
});
