import { beforeAll, describe, expect, it } from 'vitest';
import { type AppResult, runApp } from '../run-app.js';
import { contractsOf, gradesOf, lineOf } from './contracts.js';

const DISPATCHED = ['answer insufficient_evidence source_capture unsupported'];
const PASSED = 'refund passed none';

/** By scenario: what is said of its handoffs, the return legs included, sorted. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  passed: [...DISPATCHED, PASSED],
  upstream: [...DISPATCHED, 'refund upstream_context_missing before_handoff orderId'],
  packaging: [...DISPATCHED, 'refund packaging_loss source_to_payload orderId'],
  ingestion: [...DISPATCHED, 'refund ingestion_loss payload_to_destination orderId'],
  misrouted: ['refund routing_mismatch route'],
  prose: [...DISPATCHED, 'refund insufficient_evidence payload_capture unsupported'],
  valueInText: [...DISPATCHED, 'refund insufficient_evidence payload_capture unsupported'],
  onlyInTalk: [...DISPATCHED, 'refund insufficient_evidence source_capture unsupported'],
  untold: [...DISPATCHED, 'refund insufficient_evidence source_capture unsupported'],
  madeForTheCall: [...DISPATCHED, 'refund insufficient_evidence payload_capture unsupported'],
  instructed: [...DISPATCHED, 'refund insufficient_evidence payload_capture unsupported'],
  knownToTool: [...DISPATCHED, PASSED],
  streamed: [...DISPATCHED, PASSED],
  nested: [...DISPATCHED, 'book passed none', PASSED],
  retried: [...DISPATCHED, 'refund packaging_loss source_to_payload orderId', PASSED],
  toolFails: [...DISPATCHED, PASSED],
  stepFails: ['refund insufficient_evidence destination_capture error'],
  aborted: [PASSED],
  context: [...DISPATCHED, PASSED],
  returns: ['answer packaging_loss source_to_payload receipt', PASSED],
  otherModel: [...DISPATCHED, PASSED],
  functions: [...DISPATCHED, 'refund packaging_loss source_to_payload orderId'],
  functionStreams: [...DISPATCHED, PASSED],
  streamedReturn: ['answer passed none', PASSED],
  abortedStream: [PASSED],
  alone: [],
  itself: [],
};

/** Versions 6 and 7 have call options, and steps that change the context. */
const FROM_6: Readonly<Record<string, readonly string[]>> = {
  callOptions: [...DISPATCHED, 'refund ingestion_loss payload_to_destination orderId'],
  prepared: [...DISPATCHED, PASSED],
  contextCut: [...DISPATCHED, 'refund ingestion_loss payload_to_destination orderId'],
};
const OTHERS = ['fanOut', 'loop', 'frozen', 'approved'];

describe.each([5, 6, 7])('Vercel AI SDK %i', (version) => {
  const expected = version === 5 ? EXPECTED : { ...EXPECTED, ...FROM_6 };
  const names = [...Object.keys(expected), ...OTHERS];
  const app = `vercel-ai/v${version}/app.mjs`;
  let run: AppResult;
  let plain: AppResult;

  beforeAll(async () => {
    const options = { app, args: [names.join(',')], contracts: contractsOf(names) };
    run = await runApp(options);
    plain = await runApp({ ...options, instrumented: false });
  });

  it.each(Object.entries(expected))('says of %s what happened', (name, lines) => {
    const told = gradesOf(run.grades, name).map(lineOf);
    expect(told.sort()).toEqual([...lines].sort());
  });

  it('changes nothing: inputs of the models, results, errors and their order', () => {
    expect(plain.code).toBe(0);
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(plain.stdout));
    expect(run.stdout).toBe(plain.stdout);
  });

  it('gives parallel delegates tasks of their own', () => {
    const forward = gradesOf(run.grades, 'fanOut').filter(({ target }) => target !== 'fanOut-triage');
    expect(forward.map(lineOf).sort()).toEqual(['bill passed none', PASSED]);
    expect(new Set(forward.map(({ task_id: task }) => task)).size).toBe(2);
  });

  it('tells the attempts of one handoff apart', () => {
    const forward = gradesOf(run.grades, 'retried').filter(({ target }) => target === 'retried-refunds');
    expect(new Set(forward.map(({ handoff_id: id }) => id)).size).toBe(1);
    expect(forward.map(({ attempt, run_outcome: outcome }) => [attempt, outcome])).toEqual([
      [1, 'run_error'],
      [2, 'ok'],
    ]);
    expect(forward.map(({ recovery }) => recovery)).toEqual(['recovered', 'none_needed']);
  });

  it('tells how a run ended that had got everything', () => {
    const outcomeOf = (name: string): unknown =>
      gradesOf(run.grades, name).find(({ target }) => target === `${name}-refunds`)?.run_outcome;
    expect(outcomeOf('toolFails')).toBe('tool_error');
    expect(outcomeOf('aborted')).toBe('cancelled');
    expect(outcomeOf('stepFails')).toBe('run_error');
  });

  it('finds agents that hand the same to each other', () => {
    const found = gradesOf(run.grades, 'loop').flatMap(({ findings }) => findings.map(({ id }) => id));
    expect(found).toContain('hop_limit_reached');
    expect(found).toContain('loop');
  });

  it.skipIf(version === 5)('follows an approval to the person and back', () => {
    const [ask, ...others] = gradesOf(run.grades, 'approved').filter(({ target }) => target === 'human');
    expect(others).toEqual([]);
    expect([ask?.source, ask?.destination, ask?.verdict]).toEqual([
      'approved-refunds',
      'human',
      'insufficient_evidence',
    ]);
    const answers = gradesOf(run.grades, 'approved').filter(({ source }) => source === 'human');
    expect(answers.map(lineOf)).toEqual(['approve passed none']);
    expect(answers.map(({ destination }) => destination)).toEqual(['approved-refunds']);
  });

  it('makes one span for each run, one for each tool call and one for each dispatch', () => {
    const { spans } = run;
    const of = (name: string): string[] =>
      spans
        .filter(({ attributes }) =>
          ['gen_ai.agent.name', 'seamtrace.handoff.target.name'].some((key) =>
            String(attributes.get(key)).startsWith(`${name}-`),
          ),
        )
        .map((span) => span.name.replace(`${name}-`, ''));
    expect(of('alone').sort()).toEqual(['execute_tool look', 'execute_tool look', 'invoke_agent triage']);
    expect(of('upstream').sort()).toEqual([
      'execute_tool ask_refunds',
      'handoff refunds',
      'handoff triage',
      'ingest upstream_answer',
      'invoke_agent refunds',
      'invoke_agent triage',
    ]);
  });
});
