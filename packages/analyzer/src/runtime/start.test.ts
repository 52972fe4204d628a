import { gzipSync } from 'node:zlib';
import { Writable } from 'node:stream';
import { type Contracts, parseContracts } from '@seamtrace/contracts';
import { encodeJson, encodeProtobuf, handoffSpan, startLogSink, traceRequest } from '@seamtrace/testkit';
import type { HandoffSpanModel, SpanModel } from '@seamtrace/testkit';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { resolveAnalyzerConfig } from '../config/resolve.js';
import type { AnalyzerOptions } from '../config/types.js';
import { startAnalyzer } from './start.js';
import type { RunningAnalyzer } from './types.js';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const KEYS = ['customer_id', 'invoice_id'];

function contractsWith(deadlineSeconds: number): Contracts {
  const parsed = parseContracts(
    `
version: 1
agents: { triage: {}, billing: {} }
routes:
  triage_to_billing:
    from: triage
    to: billing
    version: "2"
    required: [customer_id, invoice_id]
    deadline_s: ${deadlineSeconds}
    owners: { packaging_loss: team-triage }
`,
    'test.yaml',
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.contracts;
}

const base = { route: 'triage_to_billing', source: 'triage', target: 'billing', contractVersion: '2' } as const;

function dispatch(handoffId: string, more: Partial<HandoffSpanModel> = {}): SpanModel {
  return handoffSpan({ role: 'dispatch', handoffId, ...base, sourceStage: KEYS, payloadStage: KEYS, ...more });
}

function destination(handoffId: string, more: Partial<HandoffSpanModel> = {}): SpanModel {
  const span = { role: 'destination', handoffId, ...base, destination: 'billing', destinationStage: KEYS } as const;
  return handoffSpan({ ...span, ...more });
}

function captured() {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      for (const line of String(chunk).split('\n')) if (line !== '') lines.push(JSON.parse(line));
      done();
    },
  });
  return { lines, stream };
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: AnalyzerOptions = {}) {
  const verdicts = captured();
  const log = captured();
  const resolved = resolveAnalyzerConfig({
    contracts: contractsWith(600),
    otlpHttp: LOOPBACK,
    otlpGrpc: LOOPBACK,
    admin: LOOPBACK,
    settleMs: 0,
    stdout: verdicts.stream,
    logger: pino({ level: 'info' }, log.stream),
    ...options,
  });
  if (!resolved.ok) throw new Error(JSON.stringify(resolved.problems));
  const analyzer = await startAnalyzer(resolved.config);
  cleanUps.push(() => analyzer.stop());
  return { analyzer, lines: verdicts.lines, log: log.lines };
}

function send(analyzer: RunningAnalyzer, spans: SpanModel[], encoding: 'protobuf' | 'json' | 'gzip' = 'protobuf') {
  const request = traceRequest(spans);
  const json = encoding === 'json';
  const body = json ? encodeJson(request) : encodeProtobuf(request);
  return fetch(`http://127.0.0.1:${analyzer.otlpHttp.port}/v1/traces`, {
    method: 'POST',
    headers: {
      'content-type': json ? 'application/json' : 'application/x-protobuf',
      ...(encoding === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
    },
    body: encoding === 'gzip' ? gzipSync(body) : body,
  });
}

async function admin(analyzer: RunningAnalyzer, path: string, accept = 'text/plain') {
  const response = await fetch(`http://127.0.0.1:${analyzer.admin.port}${path}`, { headers: { accept } });
  return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
}

const soon = { timeout: 20_000 };

describe('the service', () => {
  it.each(['protobuf', 'json', 'gzip'] as const)('takes %s to a line, to metrics and to an event', async (encoding) => {
    const sink = await startLogSink();
    cleanUps.push(() => sink.close());
    const { analyzer, lines } = await start({ verdictEndpoint: sink.url });
    const spans = [
      dispatch('h-1', { payloadStage: ['customer_id'] }),
      destination('h-1', { destinationStage: ['customer_id'] }),
    ];
    expect((await send(analyzer, spans, encoding)).status).toBe(200);
    await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
    expect(lines[0]).toMatchObject({ handoff_id: 'h-1', verdict: 'packaging_loss', owner: 'team-triage', revision: 1 });
    const { body, type } = await admin(analyzer, '/metrics');
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(body).toContain('seamtrace_handoffs_total{route="triage_to_billing",verdict="packaging_loss"');
    expect(body).toContain(
      'seamtrace_route_info{route="triage_to_billing",source="triage",target="billing",owner="team-triage"} 1',
    );
    await sink.waitForRecords(1);
    const [event] = sink.records;
    expect(event).toMatchObject({
      eventName: 'seamtrace.verdict',
      traceId: spans[1]!.traceId,
      spanId: spans[1]!.spanId,
    });
    expect(event?.attributes.get('seamtrace.verdict.value')).toBe('packaging_loss');
    expect(event?.attributes.get('seamtrace.verdict.missing_keys')).toEqual(['invoice_id']);
    expect(event?.attributes.get('seamtrace.verdict.id')).toBe(lines[0]?.['verdict_id']);
    expect(event?.attributes.get('seamtrace.verdict.revision')).toBe(1n);
  });

  it('tells of a rejected ingest by an event of its own', async () => {
    const sink = await startLogSink();
    cleanUps.push(() => sink.close());
    const { analyzer } = await start({ verdictEndpoint: sink.url });
    const rejected = {
      attributes: {
        'seamtrace.ingest.outcome': 'rejected',
        'seamtrace.ingest.violations': ['/facts/*/evidence required', '/goal type'],
        'seamtrace.hop.index': 2n,
      },
    };
    await send(analyzer, [dispatch('h-1'), destination('h-1', rejected)]);
    await sink.waitForRecords(2);
    const event = sink.records.find(({ eventName }) => eventName === 'seamtrace.ingest.rejected');
    expect(event?.attributes.get('seamtrace.ingest.rejected_fields')).toEqual(['/facts/*/evidence', '/goal']);
    expect(event?.attributes.get('seamtrace.hop.index')).toBe(2n);
    const { body } = await admin(analyzer, '/metrics');
    expect(body).toContain('seamtrace_ingests_total{route="triage_to_billing",source="triage",outcome="rejected"} 1');
    expect(body).toContain('seamtrace_ingest_validation_failures_total{source="triage",field="/goal"} 1');
  });

  it('grades at the deadline of the route, and revises when the rest comes', async () => {
    const { analyzer, lines } = await start({ contracts: contractsWith(1) });
    await send(analyzer, [dispatch('h-1')]);
    await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
    expect(lines[0]).toMatchObject({ verdict: 'insufficient_evidence', boundary: 'destination_capture', revision: 1 });
    await send(analyzer, [destination('h-1')]);
    await vi.waitFor(() => expect(lines).toHaveLength(2), soon);
    expect(lines[1]).toMatchObject({ verdict: 'passed', revision: 2 });
    const { body } = await admin(analyzer, '/metrics');
    expect(body).toContain('seamtrace_verdict_revisions_total{from="insufficient_evidence",to="passed"} 1');
    expect(body).toContain('seamtrace_analyzer_exits_total{exit="expired"} 1');
  });

  it('answers a span with a bad handoff id by a partial success and uses the rest', async () => {
    const { analyzer, lines } = await start();
    const response = await send(analyzer, [dispatch('!!'), dispatch('h-1'), destination('h-1')], 'json');
    expect(response.status).toBe(200);
    const { partialSuccess } = (await response.json()) as {
      partialSuccess: { rejectedSpans: unknown; errorMessage: string };
    };
    expect(String(partialSuccess.rejectedSpans)).toBe('1');
    expect(partialSuccess.errorMessage).toContain('seamtrace.handoff.id "!!"');
    await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
  });

  it('never holds more than it may', async () => {
    const { analyzer, lines } = await start({ maxPending: 20 });
    for (let batch = 0; batch < 10; batch += 1) {
      await send(
        analyzer,
        Array.from({ length: 50 }, (_, index) => dispatch(`h-${batch}-${index}`)),
      );
    }
    await vi.waitFor(() => expect(lines).toHaveLength(480), soon);
    const { body } = await admin(analyzer, '/metrics');
    expect(body).toContain('seamtrace_analyzer_pending 20\n');
    expect(body).toContain('seamtrace_analyzer_exits_total{exit="evicted"} 480');
    expect(new Set(lines.map(({ reason }) => reason))).toEqual(new Set(['evicted']));
  });

  it('serves OpenMetrics with exemplars to who asks for it, and probes', async () => {
    const { analyzer, lines } = await start();
    await send(analyzer, [dispatch('h-1'), destination('h-1')]);
    await vi.waitFor(() => expect(lines).toHaveLength(1), soon);
    const open = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5';
    const [openmetrics, text] = await Promise.all([admin(analyzer, '/metrics', open), admin(analyzer, '/metrics')]);
    expect(openmetrics.type).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(openmetrics.body).toContain('# TYPE seamtrace_handoffs counter');
    expect(openmetrics.body).toMatch(
      /seamtrace_handoffs_total\{[^}]*\} 1 # \{trace_id="[0-9a-f]{32}",span_id="[0-9a-f]{16}",handoff_id="h-1"\} 1 /,
    );
    expect(openmetrics.body.endsWith('# EOF\n')).toBe(true);
    expect(text.body).toContain('# TYPE seamtrace_handoffs_total counter');
    expect(text.body).not.toContain('trace_id');
    expect(await admin(analyzer, '/healthz')).toMatchObject({ status: 200, body: 'ok\n' });
    expect(await admin(analyzer, '/readyz')).toMatchObject({ status: 200, body: 'ready\n' });
    expect((await admin(analyzer, '/nothing')).status).toBe(404);
    for (const path of ['/metrics', '/healthz?x=1', '/readyz']) {
      const reply = await fetch(`http://127.0.0.1:${analyzer.admin.port}${path}`, { method: 'POST', body: 'x' });
      expect([path, reply.status, reply.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
  });
});

describe('stop', () => {
  it('grades what is whole, says what is not and why, and closes both listeners', async () => {
    const { analyzer, lines, log } = await start({ settleMs: 60_000 });
    await send(analyzer, [dispatch('whole'), destination('whole'), dispatch('half'), destination('other')]);
    const [report, again] = await Promise.all([analyzer.stop(), analyzer.stop()]);
    expect(again).toBe(report);
    expect(report).toEqual({
      graded: 1,
      ungraded: {
        count: 2,
        reasons: { 'destination evidence, a named destination': 1, 'source evidence, payload evidence': 1 },
        examples: [
          { handoffId: 'half', attempt: 1, waitingFor: 'destination evidence, a named destination' },
          { handoffId: 'other', attempt: 1, waitingFor: 'source evidence, payload evidence' },
        ],
      },
      journaled: 0,
      undelivered: { lines: 0, events: 0 },
    });
    expect(lines.map((line) => line['handoff_id'])).toEqual(['whole']);
    expect(log.find((line) => String(line['msg']).startsWith('stopped'))).toMatchObject({ ungraded: { count: 2 } });
    await expect(send(analyzer, [dispatch('late')])).rejects.toThrow();
    await expect(admin(analyzer, '/healthz')).rejects.toThrow();
  });

  it('delivers the events that still wait', async () => {
    const sink = await startLogSink();
    cleanUps.push(() => sink.close());
    const { analyzer } = await start({ settleMs: 60_000, verdictEndpoint: sink.url });
    await send(analyzer, [dispatch('h-1'), destination('h-1')]);
    expect((await analyzer.stop()).undelivered).toEqual({ lines: 0, events: 0 });
    expect(sink.records).toHaveLength(1);
  });

  it('turns senders away and is not ready while the verdict endpoint keeps it waiting', async () => {
    const sink = await startLogSink({ answer: () => ({ status: 503 }) });
    cleanUps.push(() => sink.close());
    const { analyzer } = await start({ settleMs: 60_000, verdictEndpoint: sink.url, stopTimeoutMs: 1_000 });
    await send(analyzer, [dispatch('h-1'), destination('h-1')]);
    const stopping = analyzer.stop();
    const refused = await send(analyzer, [dispatch('h-2')], 'json');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await admin(analyzer, '/readyz')).toMatchObject({ status: 503, body: 'stopping\n' });
    expect(await admin(analyzer, '/healthz')).toMatchObject({ status: 200 });
    expect((await stopping).undelivered.events).toBe(1);
  });
});

describe('start', () => {
  it('rejects when an address is taken, and leaves nothing open', async () => {
    const { analyzer } = await start();
    const taken = { host: '127.0.0.1', port: analyzer.otlpHttp.port };
    await expect(start({ otlpHttp: taken })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(start({ admin: { host: '127.0.0.1', port: analyzer.admin.port } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
