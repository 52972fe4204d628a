import { beforeAll, describe, expect, test } from 'vitest';
import { contractsFor } from '../google-adk/contracts.js';
import { type AppResult, runApp, spansNamed } from '../run-app.js';
import { ROUTES } from './contracts.js';
import { findings, verdicts } from './verdict-lines.js';

describe.each([
  ['0.20', 'newest/app.mjs'],
  ['0.3', 'oldest/app.mjs'],
])('@openai/agents-core %s', (version, app) => {
  let result: AppResult;
  beforeAll(async () => {
    result = await runApp({ app: `openai-agents/${app}`, contracts: contractsFor(ROUTES), secret: 'test-secret' });
    expect(result.stderr).not.toMatch(/seamtrace/i);
    expect(result.code).toBe(0);
  });

  test.each<[string, readonly string[]]>([
    ['passed', ['triage>billing passed']],
    ['passedStreamed', ['triage>billing passed']],
    ['upstream', ['triage>billing upstream_context_missing order_id']],
    ['filtered', ['triage>billing packaging_loss order_id']],
    ['removed', ['triage>billing packaging_loss order_id']],
    ['replaced', ['triage>billing ingestion_loss order_id']],
    ['misrouted', ['triage>billing routing_mismatch']],
    ['toolResultOnly', ['triage>billing insufficient_evidence unsupported']],
    ['textOnly', ['triage>billing insufficient_evidence unsupported']],
    ['toolSwitchedOff', ['triage>billing ingestion_loss $tools.issue_refund']],
    ['asTool', ['billing>triage passed', 'triage>billing passed']],
    ['fanOut', ['triage>billing passed', 'triage>support passed']],
    ['filterThrows', ['triage>billing insufficient_evidence error']],
    ['badArguments', ['triage>billing insufficient_evidence unsupported']],
    ['aborted', ['triage>billing passed']],
    ['alone', []],
  ])('%s', (scenario, expected) => {
    expect(verdicts(result, scenario)).toEqual(expected);
  });

  test('how a run ends is not what crossed the handoff', () => {
    const outcome = (scenario: string) => result.grades.find(({ route }) => route === `${scenario}_triage_billing`);
    expect(outcome('toolFails')).toMatchObject({ verdict: 'passed', run_outcome: 'tool_error' });
    expect(outcome('modelFails')).toMatchObject({ verdict: 'passed', run_outcome: 'run_error' });
  });

  test('two agents that hand over to each other are a loop', () => {
    expect(findings(result, 'pingPong')).toEqual(['hop_limit_reached', 'loop']);
  });

  test('a return leg answers the delegation', () => {
    const dispatches = spansNamed(result, 'handoff ').map(({ attributes }) => Object.fromEntries(attributes));
    const from = (name: string) => dispatches.find((each) => each['seamtrace.handoff.source.name'] === name);
    expect(from('asTool_billing')).toMatchObject({
      'seamtrace.handoff.leg': 'return',
      'seamtrace.handoff.mode': 'delegation',
      'seamtrace.handoff.in_reply_to': from('asTool_triage')?.['seamtrace.handoff.id'],
    });
  });

  test('tool calls carry a digest of their arguments', () => {
    const digests = spansNamed(result, 'execute_tool ').map(({ attributes }) =>
      attributes.get('seamtrace.tool.arguments.digest'),
    );
    expect(digests.length).toBeGreaterThan(3);
    for (const digest of digests) expect(digest).toMatch(/^hmac-sha256:/);
  });

  test('no value of a context, of a message or of an argument is exported', () => {
    const exported = result.spans.map(({ name, attributes }) => [name, ...attributes]).flat(2);
    expect(exported.length).toBeGreaterThan(500);
    expect(exported.map(String).join('\n')).not.toMatch(/\b(?:o-1|where is my order|paid|refunded|settle)\b/i);
  });
});
