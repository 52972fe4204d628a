import { removeAllTools } from '@openai/agents-core/extensions';
import { HandoffContractError } from '@seamtrace/instrumentation';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { agent, done, run, toBilling, triageToBilling } from './desk.js';
import { deskContracts, openWorkshop } from './workshop.js';

const shop = openWorkshop(
  deskContracts({ enforce: { producer: 'enforce' }, on_violation: 'ask', purpose: 'settle it', reviewed_by: 'desk' }),
);
beforeEach(() => shop.reset());
afterAll(() => shop.close());

async function refusalOf(running: Promise<unknown>): Promise<HandoffContractError> {
  const error: unknown = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HandoffContractError)) throw new Error('the run was not refused', { cause: error });
  return error;
}

test('a filter of the application is blamed for what it removed, and the agent is named', async () => {
  const triage = triageToBilling({}, { inputFilter: removeAllTools });
  const { code, message, askText } = await refusalOf(run(triage, [[toBilling()], done]));
  expect(code).toBe('SEAMTRACE_PROJECTION_INCOMPLETE');
  expect(message).toMatch(
    /^the payload handed over lacks required keys: invoice_id .*what packs or filters the payload$/,
  );
  expect(askText).toMatch(/^The handoff to billing was not made: the payload handed over lacks invoice_id, /);
});

test('a key that nobody collected is asked for by the name of the agent that needs it', async () => {
  const triage = agent('triage', { handoffs: [agent('billing')] });
  const { code, askText } = await refusalOf(run(triage, [[toBilling({})], done]));
  expect(code).toBe('SEAMTRACE_SOURCE_INCOMPLETE');
  expect(askText).toMatch(/^The handoff to billing was not made: it needs invoice_id\./);
});
