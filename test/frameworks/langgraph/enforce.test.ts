import { expect, test } from 'vitest';
import { runApp } from '../run-app.js';
import { VERDICT_CONTRACTS } from './contracts.js';

test('an enforcing side rejects the graph with a typed error, and only where a key is proven absent', async () => {
  const result = await runApp({
    app: 'langgraph/newest/app.mjs',
    args: ['verdicts'],
    contracts: VERDICT_CONTRACTS,
    env: { SEAMTRACE_ENFORCE: 'enforce' },
  });
  expect(result.code, result.stderr).toBe(0);
  const lines = result.stdout.trim().split('\n');
  const codes = lines.map((line) => {
    const { scenario, outcome } = JSON.parse(line) as { scenario: string; outcome: { threw?: string; code?: string } };
    return [scenario, outcome.threw === undefined ? 'went on' : outcome.code];
  });
  expect(codes).toEqual([
    ['verdicts.passed', 'went on'],
    ['verdicts.packaging', 'SEAMTRACE_PROJECTION_INCOMPLETE'],
    ['verdicts.ingestion', 'SEAMTRACE_INGEST_REJECTED'],
    ['verdicts.upstream', 'SEAMTRACE_SOURCE_INCOMPLETE'],
    ['verdicts.misrouted', 'went on'],
    ['verdicts.text', 'went on'],
  ]);
  const outcomes = Object.fromEntries(
    result.spans.flatMap(({ attributes }) =>
      attributes.has('seamtrace.dispatch.outcome')
        ? [[attributes.get('seamtrace.handoff.route'), attributes.get('seamtrace.dispatch.outcome')]]
        : [],
    ),
  );
  expect(outcomes).toMatchObject({ packaging: 'prevented', upstream: 'prevented', ingestion: 'dispatched' });
  const rejected = result.spans.find(({ attributes }) => attributes.get('seamtrace.ingest.outcome') === 'rejected');
  expect(rejected?.attributes.get('seamtrace.ingest.violations')).toEqual(['/order_id required']);
});
