import { describe, expect, it } from 'vitest';
import { runApp } from '../run-app.js';
import { CONTRACTS } from './contracts.js';
import { said } from './run-scenarios.js';

describe.each([[[]], [['processor']]])("Mastra's bridge to OpenTelemetry, %j", (args) => {
  it('leaves one record of each handoff, on our span of a run and not on that of the bridge', async () => {
    const env = { MASTRA_TELEMETRY_DISABLED: '1' };
    const run = await runApp({ app: 'mastra/newest/bridge.mjs', args, contracts: CONTRACTS, env });
    expect([run.code, run.stdout, run.stderr]).toEqual([0, '{"bridged":{"text":"done"}}', '']);
    expect(run.grades.map(said).sort()).toEqual([
      ['billing > triage = triage', 'passed', 'none', '', null],
      ['triage > billing = billing', 'passed', 'none', '', null],
    ]);
    expect(run.grades.flatMap(({ findings }) => findings)).toEqual([]);
    // The bridge gives its spans their names late, and both stand in one trace.
    const runs = run.spans.filter(({ name }) => name === 'invoke_agent billing');
    const ids = runs.map(({ scope, attributes }) => [scope.name, attributes.has('seamtrace.handoff.id')]);
    expect(ids.sort()).toEqual([
      ['@mastra/otel-bridge', false],
      ['@seamtrace/instrumentation', true],
    ]);
    expect(new Set(run.spans.map(({ traceId }) => traceId)).size).toBe(1);
  });
});
