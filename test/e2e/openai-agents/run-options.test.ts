import { Runner } from '@openai/agents-core';
import { readCounters } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { done, scripted, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(deskContracts());
beforeEach(() => shop.reset());
afterAll(() => {
  shop.close();
  expect(readCounters().internal_error).toBe(0);
});

type Filtered = { readonly modelData: object };
const context = { customer_id: 'c-1' };
const same = ({ modelData }: Filtered) => modelData;

async function runWith(options: object) {
  const runner = new Runner({ model: scripted([[toBilling()], done]), tracingDisabled: true });
  const result = await runner.run(triageToBilling(), 'My invoice is wrong.', options);
  expect(result.finalOutput).toBe('done');
  const grades = shop.grades();
  expect(grades).toHaveLength(1);
  return grades[0];
}

const notKnown = { verdict: 'insufficient_evidence', boundary: 'destination_capture', reason: 'unsupported' };

describe('the options of a run with a callModelInputFilter', () => {
  test.each([
    ['frozen', Object.freeze({ context, callModelInputFilter: same })],
    ['without a prototype', Object.assign(Object.create(null) as object, { context, callModelInputFilter: same })],
  ])('%s, they are followed', async (_, options) => {
    expect(await runWith(options)).toMatchObject({ verdict: 'passed' });
  });

  test('an accessor among them is read by the SDK only', async () => {
    const plain = { reads: 0 };
    const counted = (seen: { reads: number }) => ({
      context,
      callModelInputFilter: same,
      get maxTurns() {
        seen.reads += 1;
        return 5;
      },
    });
    shop.close();
    const runner = new Runner({ model: scripted([[toBilling()], done]), tracingDisabled: true });
    await runner.run(triageToBilling(), 'x', counted(plain) as never);
    shop.open();
    const followed = { reads: 0 };
    expect(await runWith(counted(followed))).toMatchObject({ verdict: 'passed' });
    expect(followed).toEqual(plain);
  });

  class Private {
    readonly #context = context;
    readonly callModelInputFilter = same;
    get context() {
      return this.#context;
    }
  }

  test.each([
    ['with private state', new Private()],
    [
      'with a frozen prototype',
      Object.assign(Object.create(Object.freeze({ callModelInputFilter: same })) as object, { context }),
    ],
    [
      'with the filter behind an accessor',
      {
        context,
        get callModelInputFilter() {
          return same;
        },
      },
    ],
    ['behind a Proxy', new Proxy({ context, callModelInputFilter: same }, {})],
  ])('%s, they pass through untouched, and the destination is not known', async (_, options) => {
    expect(await runWith(options)).toMatchObject(notKnown);
  });

  test('an object of a class without a filter is followed like any other', async () => {
    class Options {
      readonly context = context;
    }
    expect(await runWith(new Options())).toMatchObject({ verdict: 'passed' });
  });
});
