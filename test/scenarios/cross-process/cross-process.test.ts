import { describe, expect, it } from 'vitest';
import type { GradedHandoff } from '@seamtrace/core';
import { type ProcessesResult, runProcesses } from '../../frameworks/run-processes.js';

// Real processes that hand work to each other without a framework: over node:http and fetch, through a queue of files, and by
// a session that is left on disk. They trace by themselves.

const contracts = {
  agents: { triage: {}, billing: {}, support: {} },
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id', 'invoice_id'] },
  },
};
const app = (name: string) => `scenarios/cross-process/${name}.mjs`;
const json = (text: string | undefined) => JSON.parse(text ?? '') as Record<string, unknown>;

function gradesBy(result: ProcessesResult, ids: unknown): ReadonlyMap<string, GradedHandoff | undefined> {
  return new Map(
    Object.entries(ids as Record<string, string>).map(([name, id]) => [
      name,
      result.grades.find(({ handoff_id: each }) => each === id),
    ]),
  );
}
const shown = (grade: GradedHandoff | undefined) => [
  grade?.verdict,
  grade?.boundary,
  grade?.missing_keys,
  grade?.reason,
];

describe('a handoff over HTTP', () => {
  it('is told apart in all six verdicts, joined into one trace, and harmed by no damaged header', async () => {
    const result = await runProcesses({
      contracts,
      servers: { billing: { app: app('http-server') } },
      clients: [(ready) => ({ app: app('http-client'), args: [String(ready['billing']?.['url'])] })],
    });
    const { ids } = json(result.clients[0]?.stdout) as { ids: Record<string, string> };
    const grades = gradesBy(result, ids);
    const { seen, counters } = json(result.servers['billing']?.stdout) as {
      seen: { path: string; id: string | undefined; baggage: string[] }[];
      counters: Record<string, number>;
    };
    expect(Object.fromEntries([...grades].map(([name, grade]) => [name, shown(grade)]))).toEqual({
      http: ['passed', 'none', [], null],
      fetch: ['passed', 'none', [], null],
      headers: ['passed', 'none', [], null],
      'upstream-missing': ['upstream_context_missing', 'before_handoff', ['invoice_id'], null],
      'packaging-loss': ['packaging_loss', 'source_to_payload', ['invoice_id'], null],
      'ingest-less': ['ingestion_loss', 'payload_to_destination', ['invoice_id'], null],
      misrouted: ['routing_mismatch', 'route', [], null],
      text: ['insufficient_evidence', 'payload_capture', [], 'unsupported'],
      baggage: ['passed', 'none', [], null],
      // The identity came by baggage alone, with the trace; the rest each side says for itself.
      'no-header': ['passed', 'none', [], null],
      bare: ['insufficient_evidence', 'destination_capture', [], 'span_missing'],
      poison: ['passed', 'none', [], null],
      damaged: ['passed', 'none', [], null],
    });
    expect(seen.map(({ path, id }) => [path.slice(1), id])).toEqual(
      Object.entries(ids).map(([name, id]) => [name, name === 'bare' ? undefined : id]),
    );
    // Ours is gone where work begins; the members of the carrier and of the sender's context are there.
    for (const { path, baggage } of seen) expect(baggage).toEqual(path === '/baggage' ? ['region', 'tenant'] : []);
    expect(counters).toMatchObject({ header_absent: 2, header_too_long: 1, header_malformed: 1, internal_error: 0 });
    const findings = result.grades.flatMap((grade) => grade.findings.map(({ id }) => id));
    expect(findings.filter((id) => id === 'trace_broken')).toEqual([]);
  });

  it('has one correlation on every span of ours, tool calls included', async () => {
    const result = await runProcesses({
      contracts,
      servers: { billing: { app: app('http-server') } },
      clients: [(ready) => ({ app: app('http-client'), args: [String(ready['billing']?.['url'])] })],
    });
    const { ids } = json(result.clients[0]?.stdout) as { ids: Record<string, string> };
    const dispatch = result.spans.find(({ attributes }) => attributes.get('seamtrace.handoff.id') === ids['http']);
    const whole = result.spans.filter(({ traceId }) => traceId === dispatch?.traceId);
    expect(whole.map(({ name }) => name).sort()).toEqual([
      'execute_tool refund',
      'handoff billing',
      'ingest triage_to_billing',
      'invoke_agent billing',
      'invoke_agent triage',
    ]);
    const correlations = whole.map(({ attributes }) => attributes.get('seamtrace.correlation.id'));
    expect(new Set(correlations)).toEqual(new Set([expect.stringMatching(/^[0-9a-f-]{36}$/)]));
  });
});

describe('a handoff through a queue', () => {
  it('keeps its id when it is delivered again, and is another execution then', async () => {
    const consumer = (delivery: string) => () => ({ app: app('queue-consumer'), args: [delivery] });
    const result = await runProcesses({
      contracts,
      clients: [() => ({ app: app('queue-producer') }), consumer('1'), consumer('2')],
    });
    expect(result.clients.map(({ code }) => code)).toEqual([0, 0, 0]);
    const [producer, first, second] = result.clients.map(({ stdout }) => json(stdout));
    const { ids } = producer as { ids: Record<string, string> };
    expect(Object.fromEntries([...gradesBy(result, ids)].map(([name, grade]) => [name, shown(grade)]))).toEqual({
      passed: ['passed', 'none', [], null],
      redelivered: ['passed', 'none', [], null],
      'packaging-loss': ['packaging_loss', 'source_to_payload', ['invoice_id'], null],
      poison: ['insufficient_evidence', 'destination_capture', [], 'span_missing'],
      nested: ['passed', 'none', [], null],
    });
    expect(first?.['taken']).toEqual(Object.entries(ids).map(([name, id]) => [name, name === 'poison' ? null : id]));
    expect(second?.['taken']).toEqual([['redelivered', ids['redelivered']]]);
    expect(first?.['counters']).toMatchObject({ header_malformed: 2, baggage_malformed: 1, internal_error: 0 });

    const redelivered = result.spans.filter(
      ({ attributes }) =>
        attributes.get('seamtrace.handoff.id') === ids['redelivered'] &&
        attributes.get('seamtrace.handoff.role') === 'destination',
    );
    const evidence = redelivered.map(({ attributes }) => [
      attributes.get('seamtrace.handoff.execution'),
      attributes.get('seamtrace.destination.complete'),
      attributes.get('seamtrace.destination.incomplete_reason'),
    ]);
    expect(evidence).toEqual([
      [1n, false, 'error'],
      [2n, true, undefined],
    ]);
  });

  it('has the same id when the producer is started again and makes the same call', async () => {
    const producer = () => ({ app: app('queue-producer') });
    const result = await runProcesses({ contracts, clients: [producer, producer] });
    const [first, second] = result.clients.map(({ stdout }) => json(stdout));
    expect(second?.['ids']).toEqual(first?.['ids']);
  });
});

describe('a handoff from one session to a later one', () => {
  it.each([
    ['whole', 'passed'],
    ['forgetful', 'ingestion_loss'],
  ])('is joined by its id and finds no broken trace: %s', async (mode, verdict) => {
    const result = await runProcesses({
      contracts,
      clients: [
        () => ({ app: app('session-writer') }),
        () => ({ app: app('session-reader'), args: [mode], env: { OTEL_PROPAGATORS: 'none' } }),
      ],
    });
    const [writer, reader] = result.clients.map(({ stdout }) => json(stdout));
    expect(reader?.['id']).toBe(writer?.['id']);
    expect(result.grades.map((grade) => [grade.verdict, grade.findings])).toEqual([[verdict, []]]);
    expect(new Set(result.spans.map(({ traceId }) => traceId)).size).toBe(2);
    const kinds = result.spans.map(({ attributes }) => attributes.get('seamtrace.handoff.kind'));
    expect(kinds.filter((kind) => kind !== undefined)).toEqual(Array.from({ length: 3 }, () => 'session_to_session'));
  });
});
