import { describe, expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { contractsFor, ROUTES } from './contracts.js';

async function graded(scenario: string, version = 'newest') {
  const { code, grades, spans } = await runApp({
    app: `google-adk/${version}/app.mjs`,
    args: [scenario],
    contracts: contractsFor(ROUTES),
  });
  expect(code).toBe(0);
  return { grades, spans };
}

describe('reports of others, made again', () => {
  test.each(['newest', 'oldest'])('adk-js #175: writes in the session of an agent as a tool (%s)', async (version) => {
    const { grades } = await graded('freshSession', version);
    expect(grades.find(({ route }) => route === 'freshSession_triage_billing')).toMatchObject({ verdict: 'passed' });
    expect(grades.find(({ route }) => route === 'freshSession_billing_triage')).toMatchObject({
      verdict: 'ingestion_loss',
      missing_keys: ['refund_id'],
    });
  });

  test.each(['newest', 'oldest'])('adk-python PR #4481: contents that leave the user out (%s)', async (version) => {
    const { grades } = await graded('contentsNone', version);
    expect(grades).toMatchObject([{ verdict: 'packaging_loss', missing_keys: ['order_id'] }]);
  });

  test('adk-python #4285: a trace of its own for each agent', async () => {
    const { grades, spans } = await graded('ownTraces');
    expect(grades.find(({ leg }: { leg?: unknown; route: string | null }) => leg !== 'return')).toMatchObject({
      route: 'ownTraces_triage_billing',
      verdict: 'passed',
    });
    const trace = (name: string) => spans.find((span) => span.name === name)?.traceId;
    expect(trace('invoke_agent ownTraces_billing')).not.toBe(trace('invoke_agent ownTraces_triage'));
  });

  test('adk-java #607: an id that the caller resolved, and a delegate that works with an old session (2.0)', async () => {
    const { grades } = await graded('staleSession');
    expect(
      grades
        .filter(({ route }) => route !== null)
        .map(({ verdict }) => verdict)
        .sort(),
    ).toEqual(['packaging_loss', 'upstream_context_missing']);
  });

  test.each(['newest', 'oldest'])('adk-java #607: an id that the tool does not pass on (%s)', async (version) => {
    const { grades } = await graded('resolvedArgument', version);
    expect(grades.find(({ route }) => route === 'resolvedArgument_triage_billing')).toMatchObject({
      verdict: 'packaging_loss',
      missing_keys: ['customer_id'],
    });
  });
});
