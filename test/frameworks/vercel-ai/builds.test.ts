import { describe, expect, it } from 'vitest';
import { type AppResult, runApp } from '../run-app.js';
import { contractsOf, gradesOf, lineOf } from './contracts.js';

const NAMES = [
  'passed',
  'upstream',
  'packaging',
  'ingestion',
  'misrouted',
  'prose',
  'functions',
  'functionStreams',
  'streamed',
];
const VERDICTS: Readonly<Record<string, string>> = {
  passed: 'refund passed none',
  upstream: 'refund upstream_context_missing before_handoff orderId',
  packaging: 'refund packaging_loss source_to_payload orderId',
  ingestion: 'refund ingestion_loss payload_to_destination orderId',
  misrouted: 'refund routing_mismatch route',
  prose: 'refund insufficient_evidence payload_capture unsupported',
  functions: 'refund packaging_loss source_to_payload orderId',
  functionStreams: 'refund passed none',
  streamed: 'refund passed none',
};

function verdicts(run: AppResult): Readonly<Record<string, string | undefined>> {
  const forward = (name: string): (string | undefined)[] =>
    gradesOf(run.grades, name)
      .filter(({ target }) => target === `${name}-refunds`)
      .map(lineOf);
  return Object.fromEntries(NAMES.map((name) => [name, forward(name).join(' and ')]));
}

async function bothWays(app: string, names = NAMES): Promise<AppResult> {
  const options = { app: `vercel-ai/${app}`, args: [names.join(',')], contracts: contractsOf(names) };
  const run = await runApp(options);
  const plain = await runApp({ ...options, instrumented: false });
  expect(plain.stderr).toBe('');
  expect(run.stderr).toBe('');
  expect(run.stdout).toBe(plain.stdout);
  return run;
}

describe('the Vercel AI SDK', { timeout: 60_000 }, () => {
  it.each(['v5/app.cjs', 'v6/app.cjs'])('is followed in CommonJS: %s', async (app) => {
    expect(verdicts(await bothWays(app))).toEqual(VERDICTS);
  });

  it('is followed in two builds at once, also from one to the other', async () => {
    expect(verdicts(await bothWays('v6/copies.mjs'))).toEqual(VERDICTS);
  });

  it.each([5, 6, 7])('makes one record of a handoff with its own telemetry on: %i', async (version) => {
    const run = await bothWays(`v${version}/telemetry.mjs`);
    expect(verdicts(run)).toEqual(VERDICTS);
    // Its spans are there too, and none of them speaks of a handoff.
    const others = run.spans.filter(({ scope }) => scope.name !== '@seamtrace/instrumentation');
    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ attributes }) => attributes.has('seamtrace.handoff.id'))).toEqual([]);
  });

  it.each(['5.0.0', '6.0.0', '7.0.0'])('gives the verdicts in the oldest version: %s', async (version) => {
    const run = await bothWays(`v${version.slice(0, 1)}/oldest/app.mjs`);
    // In 5.0.0 a tool that yields is not run by the SDK, so nothing is handed over.
    expect(verdicts(run)).toEqual(version === '5.0.0' ? { ...VERDICTS, streamed: '' } : VERDICTS);
  });
});
