import { beforeAll, describe, expect, test } from 'vitest';
import { type AppResult, runApp } from '../run-app.js';
import { contractsFor, ROUTES } from './contracts.js';

const SCENARIOS = ['freshSession', 'contentsNone', 'staleSession', 'resolvedArgument', 'ownTraces'];

describe.each(['newest', 'oldest'])('reports of others, made again (%s)', (version) => {
  let result: AppResult;
  const of = (route: string) => result.grades.filter((each) => each.route === route);
  beforeAll(async () => {
    const app = `google-adk/${version}/app.mjs`;
    result = await runApp({ app, args: SCENARIOS, contracts: contractsFor(ROUTES) });
    expect(result.code).toBe(0);
  });

  test('adk-js #175: writes in the session of an agent as a tool', () => {
    expect(of('freshSession_triage_billing')).toMatchObject([{ verdict: 'passed' }]);
    expect(of('freshSession_billing_triage')).toMatchObject([
      { verdict: 'ingestion_loss', missing_keys: ['refund_id'] },
    ]);
  });

  test('adk-python PR #4481: contents that leave the user out', () => {
    expect(of('contentsNone_triage_billing')).toMatchObject([
      { verdict: 'packaging_loss', missing_keys: ['order_id'] },
    ]);
  });

  test('adk-python #4285: a trace of its own for each agent', () => {
    expect(of('ownTraces_triage_billing')).toMatchObject([{ verdict: 'passed' }]);
    const trace = (name: string) => result.spans.find((span) => span.name === name)?.traceId;
    expect(trace('invoke_agent ownTraces_billing')).toBeDefined();
    expect(trace('invoke_agent ownTraces_billing')).not.toBe(trace('invoke_agent ownTraces_triage'));
  });

  test('adk-java #607: an id that the caller resolved, and a delegate that works with an old session', () => {
    // Before 2.0 each call of the tool begins with the caller's state of that moment.
    const second = version === 'newest' ? 'packaging_loss' : 'passed';
    const verdicts = of('staleSession_triage_billing').map(({ verdict }) => verdict);
    expect(verdicts.sort()).toEqual([second, 'upstream_context_missing'].sort());
  });

  test('adk-java #607: an id that the tool does not pass on', () => {
    expect(of('resolvedArgument_triage_billing')).toMatchObject([
      { verdict: 'packaging_loss', missing_keys: ['customer_id'] },
    ]);
  });
});
