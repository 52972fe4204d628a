import { beforeAll, describe, expect, test } from 'vitest';
import { contractsFor } from '../google-adk/contracts.js';
import { type AppResult, runApp, spansNamed } from '../run-app.js';
import { ROUTES } from './contracts.js';
import { findings, verdicts } from './verdict-lines.js';

// What users of the SDK have reported, each answered by the evidence of a real run.
describe.each(['newest', 'oldest'])('public reports, %s version', (version) => {
  let result: AppResult;
  beforeAll(async () => {
    result = await runApp({
      app: `openai-agents/${version}/app.mjs`,
      args: [
        'filtered',
        'removed',
        'twoTransfers',
        'oneCallTwice',
        'otherTarget',
        'otherArguments',
        'noCallId',
        'summaryAndItems',
        'passed',
        'threeAgents',
      ],
      contracts: contractsFor(ROUTES),
    });
    expect(result.code).toBe(0);
  });
  const attributes = (name: string) =>
    spansNamed(result, name).map((span) => Object.fromEntries(span.attributes) as Record<string, unknown>);

  test('openai-agents-js #1760: what an inputFilter took away is on record, by name', () => {
    const [dispatch] = attributes('handoff filtered_billing');
    expect(dispatch?.['seamtrace.source.keys']).toEqual(['locale', 'order_id']);
    expect(dispatch?.['seamtrace.payload.keys']).toEqual(['locale']);
    expect(verdicts(result, 'filtered')).toEqual(['triage>billing packaging_loss order_id']);
    expect(verdicts(result, 'removed')).toEqual(['triage>billing packaging_loss order_id']);
  });

  test('openai-agents-js #1122: the transfer that was not run has an id of its own, and is said to be announced only', () => {
    expect(verdicts(result, 'twoTransfers')).toEqual([
      'triage>billing passed',
      'triage>support insufficient_evidence not_dispatched',
    ]);
    expect(findings(result, 'twoTransfers')).toEqual(['announced_not_dispatched']);
    const [ran] = attributes('handoff twoTransfers_billing');
    const [rejected] = attributes('handoff twoTransfers_support');
    expect([ran, rejected].map((each) => each?.['seamtrace.dispatch.outcome'])).toEqual(['dispatched', 'dropped']);
    expect(rejected?.['seamtrace.handoff.id']).not.toBe(ran?.['seamtrace.handoff.id']);
    const announced = result.grades.filter(
      ({ source, findings: found }) =>
        source === 'twoTransfers_triage' && found.some(({ id }) => id === 'announced_not_dispatched'),
    );
    expect(announced.map(({ handoff_id }) => handoff_id)).toEqual([rejected?.['seamtrace.handoff.id']]);
  });

  test('openai-agents-python #1862: one call id in two items of a stream is one handoff', () => {
    expect(verdicts(result, 'oneCallTwice')).toEqual(['triage>billing passed']);
    expect(findings(result, 'oneCallTwice')).toEqual([]);
    expect(attributes('handoff oneCallTwice_')).toHaveLength(1);
    expect(attributes('invoke_agent oneCallTwice_billing')).toHaveLength(1);
  });

  // 0.20 refuses such a response before anything is handed over; 0.3 runs the first request and drops the second.
  test.each(['otherTarget', 'otherArguments', 'noCallId'])('what is not one request is not taken for one: %s', (n) => {
    const ids = new Set(attributes(`handoff ${n}_`).map((each) => each['seamtrace.handoff.id']));
    const refused = version === 'newest';
    expect(ids.size).toBe(refused ? 0 : 2);
    expect(findings(result, n)).toEqual(refused ? [] : ['announced_not_dispatched']);
  });

  test('openai-agents-python #2171: a summary beside what it sums up is a message that a filter wrote', () => {
    const [dispatch] = attributes('handoff summaryAndItems_billing');
    expect(dispatch?.['seamtrace.payload.complete']).toBe(false);
    expect(dispatch?.['seamtrace.payload.incomplete_reason']).toBe('unsupported');
  });

  test('openai-agents-python #348: which part is to be debugged', () => {
    expect(verdicts(result, 'threeAgents')).toEqual([
      'billing>support packaging_loss order_id',
      'triage>billing passed',
    ]);
    const stages = (span: string) => {
      const [found] = attributes(span);
      return ['source', 'payload', 'destination'].map((stage) => found?.[`seamtrace.${stage}.keys`]);
    };
    expect(stages('invoke_agent threeAgents_billing')).toEqual([['order_id'], ['order_id'], ['order_id']]);
    expect(stages('invoke_agent threeAgents_support')).toEqual([['order_id'], [], []]);
  });
});
