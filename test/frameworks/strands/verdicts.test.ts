import { beforeAll, describe, expect, test } from 'vitest';
import { contractsFor } from '../google-adk/contracts.js';
import { type AppResult, runApp, spansNamed } from '../run-app.js';
import { ROUTES } from './contracts.js';

/** What was found of one scenario, one line a handoff: `source>target verdict missing`. */
function verdicts({ grades }: AppResult, scenario: string): readonly string[] {
  const short = (name: string | null) => name?.replace(`${scenario}_`, '') ?? '?';
  return grades
    .filter(({ source }) => source?.startsWith(`${scenario}_`))
    .map((each) =>
      [`${short(each.source)}>${short(each.target)}`, each.verdict, ...each.missing_keys, each.reason ?? '']
        .join(' ')
        .trim(),
    )
    .sort();
}

function findings({ grades }: AppResult, scenario: string): readonly string[] {
  const found = grades
    .filter(({ source }) => source?.startsWith(`${scenario}_`))
    .flatMap((each) => each.findings.map(({ id }) => id));
  return [...new Set(found)].sort();
}

describe.each([
  ['1.19', 'newest/app.mjs'],
  ['1.0', 'oldest/app.mjs'],
])('@strands-agents/sdk %s', (_, app) => {
  let result: AppResult;
  beforeAll(async () => {
    result = await runApp({ app: `strands/${app}`, contracts: contractsFor(ROUTES), secret: 'test-secret' });
    expect(result.stderr).not.toContain('Error');
    expect(result.code).toBe(0);
  });

  test.each<[string, readonly string[]]>([
    ['passed', ['triage>billing passed']],
    ['upstream', ['triage>billing upstream_context_missing order_id']],
    ['notPacked', ['triage>billing packaging_loss order_id']],
    ['ownState', ['triage>billing packaging_loss order_id']],
    ['rewritten', ['triage>billing ingestion_loss order_id']],
    ['misrouted', ['triage>billing routing_mismatch']],
    ['toolResultOnly', ['triage>billing insufficient_evidence unsupported']],
    ['textOnly', ['triage>billing insufficient_evidence unsupported']],
    ['shared', ['triage>billing passed']],
    ['asTool', ['billing>triage passed', 'triage>billing passed']],
    ['ownTool', ['billing>triage ingestion_loss refund_id', 'triage>billing packaging_loss order_id']],
    ['cancelledNode', ['triage>billing insufficient_evidence not_dispatched']],
    ['failsEarly', ['triage>billing insufficient_evidence error']],
    ['unread', ['triage>billing passed']],
    ['alone', []],
  ])('%s', (scenario, expected) => {
    expect(verdicts(result, scenario)).toEqual(expected);
  });

  test('an agent as a tool takes nothing but its input from the call', () => {
    expect(verdicts(result, 'asToolArguments')).toContain('triage>billing packaging_loss order_id');
  });

  test('how a run ends is not what crossed the handoff', () => {
    const outcome = (scenario: string) => result.grades.find(({ route }) => route === `${scenario}_triage_billing`);
    expect(outcome('failures')).toMatchObject({ verdict: 'passed', run_outcome: 'tool_error' });
    expect(outcome('failsEarly')).toMatchObject({ run_outcome: 'run_error' });
  });

  test('two agents that hand over to each other are a loop', () => {
    expect(findings(result, 'pingPong')).toEqual(['hop_limit_reached', 'loop']);
  });

  test('harness-sdk PR #3461: interrupted hops and those of earlier runs are no loop', () => {
    expect(verdicts(result, 'earlierRuns')).toEqual(Array.from({ length: 4 }, () => 'triage>billing passed'));
    expect(findings(result, 'earlierRuns')).toEqual([]);
    expect(findings(result, 'interrupted')).toEqual([]);
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

  test('no value of a context, of a message or of an argument is exported', () => {
    const exported = result.spans.map(({ name, attributes }) => [name, ...attributes]).flat(2);
    expect(exported.length).toBeGreaterThan(500);
    expect(exported.map(String).join('\n')).not.toMatch(/\b(?:o-1|r-1|please help|refund|go on)\b/);
  });
});

test('from interrupts on, one handoff with one id is taken up again (1.19)', async () => {
  const { grades, spans } = await runApp({
    app: 'strands/newest/app.mjs',
    args: ['interrupted'],
    contracts: contractsFor(ROUTES),
  });
  const runs = spans
    .filter(({ name }) => name === 'invoke_agent interrupted_billing')
    .map(({ attributes }) => attributes);
  expect(
    runs
      .map((each) => each.get('seamtrace.handoff.execution') ?? 1n)
      .map(Number)
      .slice(0, 2),
  ).toEqual([1, 2]);
  expect(runs[0]?.get('seamtrace.handoff.id')).toBe(runs[1]?.get('seamtrace.handoff.id'));
  expect(runs[0]?.get('error.type')).toBe('interrupted');
  expect(grades.map(({ verdict }) => verdict)).toEqual(['passed', 'passed', 'passed']);
});
