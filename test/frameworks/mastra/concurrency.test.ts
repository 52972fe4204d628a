import { expect, it } from 'vitest';
import { runScenarios, said } from './run-scenarios.js';

it('keeps the evidence of 200 concurrent runs apart', async () => {
  const run = await runScenarios('newest', ['concurrent']);
  expect(run.given['concurrent']).toEqual({ texts: ['done'] });
  const forward = run.grades.filter(({ source }) => source === 'triage');
  expect(forward).toHaveLength(200);
  for (const grade of forward) expect(said(grade)).toEqual(['triage > billing = billing', 'passed', 'none', '', null]);
  const stages = run.spans
    .filter(({ name }) => name === 'invoke_agent billing')
    .map(({ attributes }) =>
      ['source', 'payload', 'destination'].map((stage) => attributes.get(`seamtrace.${stage}.keys`)),
    );
  expect(stages).toHaveLength(200);
  for (const [source, payload, destination] of stages) {
    expect(source).toEqual(['customer_id', expect.stringMatching(/^only_\d+$/)]);
    expect([payload, destination]).toEqual([source, source]);
  }
  expect(new Set(stages.map(([source]) => String(source))).size).toBe(200);
});

it('keeps no runs that are over', async () => {
  const nodeArgs = ['--expose-gc'];
  const run = await runScenarios('newest', ['leak'], { nodeArgs });
  // A timer that the export of spans set in a run keeps that run's scope until it fires: a few, however many runs there are.
  expect((run.given['leak'] as { held: number }).held).toBeLessThanOrEqual(3);
  expect(run.grades.filter(({ source }) => source === 'triage')).toHaveLength(40);
});
