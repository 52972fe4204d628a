import { beforeAll, describe, expect, it } from 'vitest';
import { type PairResult, runPair } from './run-pair.js';

// What people reported of A2A, small and synthetic: what must be said of it.

describe.each(['newest', 'oldest'])('A2A %s', (version) => {
  let result: PairResult;
  beforeAll(async () => {
    const names = ['request-metadata', 'message-metadata', 'by-another-sender', 'passed', 'own-trace'];
    result = await runPair({ version, names, serverMode: 'http-trace' });
  });
  const spans = (id: string) => result.spans.filter((span) => span.attributes.get('seamtrace.handoff.id') === id);

  it('a2a-js #43: what travels in the metadata of the message reaches the executor, the handoff among it', () => {
    expect(result.grade('message-metadata')).toMatchObject({ verdict: 'passed' });
    const expected = version === 'newest' ? 'passed' : 'ingestion_loss';
    expect(result.grade('request-metadata')).toMatchObject({ verdict: expected });
    expect(result.seen.every(({ metadata }) => metadata.includes('https://seamtrace.dev/a2a/handoff/v1'))).toBe(true);
  });

  it('a2a-python #168, kagent #1295: a handoff whose trace was lost on the way is joined by its id', () => {
    const other = result.grades.find(({ handoff_id: id }) => id.startsWith('py:'));
    // The sender says nothing but who and whom; its spans stand elsewhere, or nowhere.
    expect(other).toMatchObject({ source: 'triage', target: 'billing', destination: 'billing', boundary: 'contract' });
    const [ingest] = spans(String(other?.handoff_id)).filter(({ name }) => name.startsWith('ingest'));
    expect(ingest?.attributes.get('seamtrace.destination.complete')).toBe(true);
  });

  it('cap-js/agents #87: a sub-agent that starts a trace of its own is joined by its id, and linked', () => {
    for (const name of ['passed', 'own-trace']) {
      const grade = result.grade(name);
      expect(grade).toMatchObject({ verdict: 'passed', findings: [] });
      const traces = new Map(spans(result.idOf(name)).map((span) => [span.name, span.traceId]));
      expect(traces.get('ingest triage_to_billing')).not.toBe(traces.get('handoff billing'));
      const [ingest] = spans(result.idOf(name)).filter(({ name: each }) => each.startsWith('ingest'));
      expect(ingest?.links.map(({ traceId }) => traceId)).toEqual([traces.get('handoff billing')]);
      expect(result.grade(name, 'return')).toMatchObject({ verdict: 'passed', findings: [] });
    }
  });

  it('has one run for one agent, where an instrumentation inside makes it', () => {
    const runs = spans(result.idOf('own-trace')).filter(({ name }) => name === 'invoke_agent billing');
    expect(runs).toHaveLength(1);
    expect(runs[0]?.attributes.get('seamtrace.destination.complete')).toBe(true);
  });
});

it('crosses from a client of 1.x to a server of 0.3', async () => {
  const names = ['passed', 'packaging-loss', 'streamed', 'text-only'];
  const result = await runPair({ version: 'newest', serverVersion: 'oldest', names });
  expect(names.map((name) => result.grade(name)?.verdict)).toEqual([
    'passed',
    'packaging_loss',
    'passed',
    'insufficient_evidence',
  ]);
  expect(names.map((name) => result.grade(name, 'return')?.verdict)).toEqual(Array.from({ length: 4 }, () => 'passed'));
  expect(result.grades.flatMap(({ findings }) => findings)).toEqual([]);
});
