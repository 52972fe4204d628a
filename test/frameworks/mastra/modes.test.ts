import { describe, expect, it } from 'vitest';
import { runApp } from '../run-app.js';
import { CONTRACTS } from './contracts.js';
import { said } from './run-scenarios.js';

const env = { MASTRA_TELEMETRY_DISABLED: '1' };
const forward = (grades: readonly Parameters<typeof said>[0][]) =>
  grades.filter((grade) => grade?.source === 'triage').map(said);

it('follows the CommonJS build', async () => {
  const run = await runApp({ app: 'mastra/newest/app.cjs', args: ['passed'], contracts: CONTRACTS, env });
  expect([run.code, forward(run.grades)]).toEqual([0, [['triage > billing = billing', 'passed', 'none', '', null]]]);
});

describe('where a contract enforces', () => {
  const route = CONTRACTS.routes.triage_to_billing;
  const enforced = (enforce: object) => ({
    agents: CONTRACTS.agents,
    routes: { triage_to_billing: { ...route, enforce, on_violation: 'ask' } },
  });
  const run = (scenario: string, enforce: object) =>
    runApp({ app: 'mastra/newest/app.mjs', args: [scenario], contracts: enforced(enforce), env });
  const asked = (stdout: string, scenario: string, model: string): number => {
    const given = JSON.parse(stdout) as Record<string, { inputs: { model: string }[] }>;
    return given[scenario]!.inputs.filter((each) => each.model === model).length;
  };

  it.each(['upstream', 'packagingTool'])(
    'the producer, the delegate is not called: %s',
    async (scenario) => {
      const { stdout, grades, spans } = await run(scenario, { producer: 'enforce' });
      expect([asked(stdout, scenario, 'billing'), asked(stdout, scenario, 'triage')]).toEqual([0, 2]);
      const verdict = scenario === 'upstream' ? 'upstream_context_missing' : 'packaging_loss';
      expect(grades.filter(({ source }) => source === 'triage').map((grade) => grade.verdict)).toEqual([verdict]);
      const [dispatch] = spans.filter(({ name }) => name === 'handoff billing');
      expect(dispatch?.attributes.get('seamtrace.dispatch.outcome')).toBe('prevented');
    },
    30_000,
  );

  it('the consumer, its model is not called', async () => {
    const { stdout, grades } = await run('ingestion', { consumer: 'enforce' });
    expect([asked(stdout, 'ingestion', 'billing'), asked(stdout, 'ingestion', 'triage')]).toEqual([0, 2]);
    expect(forward(grades)).toEqual([
      ['triage > billing = billing', 'ingestion_loss', 'payload_to_destination', 'customer_id', null],
    ]);
  });
});
