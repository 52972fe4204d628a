import { beforeAll, describe, expect, it } from 'vitest';
import { spansNamed } from '../run-app.js';
import { runScenarios, said, type Scenarios } from './run-scenarios.js';

const BOTH = 'triage > billing = billing';
const NOBODY = 'triage > billing = null';
const PASSED = [BOTH, 'passed', 'none', '', null];
const UNSEEN_SOURCE = [BOTH, 'insufficient_evidence', 'source_capture', '', 'unsupported'];
const UNSEEN_PAYLOAD = [BOTH, 'insufficient_evidence', 'payload_capture', '', 'unsupported'];
const MISSING = [BOTH, 'upstream_context_missing', 'before_handoff', 'customer_id', null];
const PACKAGING = [BOTH, 'packaging_loss', 'source_to_payload', 'customer_id', null];
const MISROUTED = ['triage > billing = support', 'routing_mismatch', 'route', '', null];

/** In 1.1 a delegation has no hooks and copies no request context: what it hands over is the supervisor's own. */
const SIX = {
  passed: PASSED,
  upstream: MISSING,
  packagingTool: PACKAGING,
  packagingArguments: PACKAGING,
  ingestion: [BOTH, 'ingestion_loss', 'payload_to_destination', 'customer_id', null],
  misrouted: MISROUTED,
  text: UNSEEN_SOURCE,
} as const;

const NEWEST = {
  ...SIX,
  packagingHook: PACKAGING,
  // Refused by the application's own hook, which may have changed what would have been sent.
  rejected: [NOBODY, 'insufficient_evidence', 'payload_capture', '', 'unsupported'],
  badArguments: [NOBODY, 'insufficient_evidence', 'destination_capture', '', 'not_dispatched'],
  rewritten: UNSEEN_PAYLOAD,
  quoted: UNSEEN_PAYLOAD,
  lookedUp: UNSEEN_SOURCE,
  workflow: PASSED,
  modelFails: PASSED,
  toolFails: PASSED,
  filterFails: PASSED,
  aborted: PASSED,
  stream: PASSED,
  structured: PASSED,
} as const;

let newest: Scenarios;
let oldest: Scenarios;
beforeAll(async () => {
  newest = await runScenarios('newest', [...Object.keys(NEWEST), 'parallel', 'nested', 'alone', 'loop', 'approved']);
  oldest = await runScenarios('oldest', Object.keys(SIX));
});

const forward = (scenarios: Scenarios, name: string) =>
  scenarios
    .of(name)
    .filter(({ source }) => source === 'triage')
    .map(said);

describe('a delegation of the newest version', () => {
  it.each(Object.entries(NEWEST))('%s', (name, expected) => {
    expect(forward(newest, name)).toEqual([expected]);
  });

  it('says how the destination ended, apart from the verdict', () => {
    const outcome = (name: string) => newest.of(name).find(({ source }) => source === 'triage')?.run_outcome;
    expect(['modelFails', 'toolFails', 'aborted', 'passed'].map(outcome)).toEqual([
      'run_error',
      'tool_error',
      'cancelled',
      'ok',
    ]);
  });

  it('that the schema refuses was announced, and dispatched to nobody; one that a hook rejects was prevented', () => {
    expect(newest.of('badArguments')[0]?.findings.map(({ id }) => id)).toEqual(['announced_not_dispatched']);
    expect(newest.of('rejected')[0]?.findings).toEqual([]);
  });

  it('comes back by a leg of its own, graded where its route is declared', () => {
    expect(newest.of('passed').map(said)).toContainEqual(['billing > triage = triage', 'passed', 'none', '', null]);
    const returned = newest.spans.filter(({ attributes }) => attributes.get('seamtrace.handoff.leg') === 'return');
    const forwards = new Set(newest.grades.map(({ handoff_id }) => handoff_id));
    expect(returned.length).toBeGreaterThan(0);
    for (const { attributes } of returned) expect(forwards).toContain(attributes.get('seamtrace.handoff.in_reply_to'));
  });

  it('within one agent is none', () => {
    expect(newest.of('alone')).toEqual([]);
    expect(spansNamed(newest, 'execute_tool again')).toHaveLength(1);
  });

  it('beside another one serves a subtask of its own', () => {
    const ids = newest.of('parallel').filter(({ source }) => source === 'triage');
    const parts = newest.spans.filter(
      ({ name, attributes }) =>
        name === 'handoff billing' && attributes.get('seamtrace.task.parent.id') === newest.of('parallel')[0]?.task_id,
    );
    expect([ids.length, parts.length]).toEqual([1, 1]);
  });

  it('of a delegate is one hop further', () => {
    expect(newest.of('nested').map(said)).toContainEqual(['billing > ledger = ledger', 'passed', 'none', '', null]);
    const [span] = spansNamed(newest, 'invoke_agent ledger');
    expect(span?.attributes.get('seamtrace.hop.path')).toEqual(['triage', 'billing', 'ledger']);
    expect(span?.attributes.get('seamtrace.hop.index')).toBe(2n);
  });

  it('that goes round is a loop', () => {
    const findings = newest.of('loop').flatMap((each) => each.findings.map(({ id }) => id));
    expect(new Set(findings)).toEqual(new Set(['loop']));
  });

  it('is the same handoff after a person has approved what it waited for', () => {
    const executions = spansNamed(newest, 'invoke_agent billing').flatMap(({ attributes }) =>
      attributes.get('seamtrace.task.id') === newest.of('approved')[0]?.task_id
        ? [[attributes.get('seamtrace.handoff.id'), attributes.get('seamtrace.handoff.execution') ?? 1n]]
        : [],
    );
    const [first] = executions;
    expect(executions).toEqual([
      [first?.[0], 1n],
      [first?.[0], 2n],
    ]);
    expect(forward(newest, 'approved')).toEqual([PASSED]);
  });
});

describe('a delegation of the oldest version', () => {
  it.each(Object.entries(SIX))('%s', (name, expected) => {
    expect(forward(oldest, name)).toEqual([expected]);
  });
});

describe('a question to a person', () => {
  it('is a handoff, and so is the answer', () => {
    const people = newest.grades.filter(({ source, target }) => source === 'human' || target === 'human');
    expect(people.map(said)).toEqual(
      expect.arrayContaining([
        ['billing > human = human', 'insufficient_evidence', 'destination_capture', '', 'unsupported'],
        ['human > billing = billing', 'passed', 'none', '', null],
      ]),
    );
    expect(people.flatMap(({ findings }) => findings)).toEqual([]);
  });
});
