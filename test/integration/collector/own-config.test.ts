import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { createHandoffs, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { startLogSink } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { serve } from '../../e2e/serve.js';
import { collectorBinary } from './build.mjs';
import { type CollectorConfig, freePorts, NO_TELEMETRY, otlpReceiver, startCollectorProcess } from './collector.js';

const ownConfig = fileURLToPath(new URL('../../../otel-collector-config.yaml', import.meta.url));
const contracts = fileURLToPath(new URL('./seamtrace.contracts.yaml', import.meta.url));
const built = collectorBinary();
const inCi = process.env['CI'] === 'true';

/** The configuration of the repository with the addresses of this test, and a way back for verdict events. */
function addresses(ports: { http: number; grpc: number }, analyzer: string, logs: string): CollectorConfig {
  return {
    receivers: { otlp: otlpReceiver(ports) },
    exporters: {
      'otlphttp/seamtrace': { endpoint: analyzer },
      'otlphttp/events': { endpoint: logs, compression: 'none' },
    },
    service: {
      ...NO_TELEMETRY,
      pipelines: { 'logs/verdicts': { receivers: ['otlp'], exporters: ['otlphttp/events'] } },
    },
  };
}

describe.skipIf(!built.ok && !inCi)('otel-collector-config.yaml (collector built from Go modules)', () => {
  const binary = built.ok ? built.file : '';

  it('has a collector to run on', () => {
    expect(built).toMatchObject({ ok: true });
  });

  it.skipIf(!built.ok)('is accepted', () => {
    const { status, stdout, stderr } = spawnSync(binary, ['validate', '--config', `file:${ownConfig}`], {
      encoding: 'utf8',
    });
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
  });

  it.skipIf(!built.ok)("forwards the spans of an SDK's agents only, and carries the verdicts back", async () => {
    const [http, grpc] = (await freePorts(2)) as [number, number];
    const logs = await startLogSink();
    const analyzer = await serve({ SEAMTRACE_SETTLE_S: '0' }, [
      ...['--contracts', contracts],
      ...['--verdict-endpoint', `http://127.0.0.1:${http}/v1/logs`],
    ]);
    const collector = await startCollectorProcess(binary, [
      ownConfig,
      addresses({ http, grpc }, analyzer.otlp, logs.url),
    ]);
    try {
      const ids = await agentsAtWork(`http://127.0.0.1:${http}/v1/traces`);
      const lines = await analyzer.verdicts(2);
      const seen = lines.map((line) => [line['handoff_id'], line['verdict'], line['boundary'], line['reason']]);
      expect(seen.sort()).toEqual(
        [
          [ids.whole, 'passed', 'none', null],
          [ids.cut, 'packaging_loss', 'source_to_payload', null],
        ].sort(),
      );
      const metrics = await (await fetch(`${analyzer.admin}/metrics`)).text();
      // Two handoffs of dispatch, ingest and two runs; the hundred spans of the database stayed in the collector.
      expect(spansReceived(metrics)).toBe(8);

      await logs.waitForRecords(2);
      const events = logs.records.filter(({ eventName }) => eventName === 'seamtrace.verdict');
      expect(events.map(({ attributes }) => attributes.get('seamtrace.verdict.id')).sort()).toEqual(
        lines.map((line) => line['verdict_id']).sort(),
      );
    } finally {
      await collector.stop();
      await analyzer.stop();
      await logs.close();
    }
  });
});

function spansReceived(metrics: string): number {
  const lines = metrics.split('\n').filter((line) => line.startsWith('seamtrace_analyzer_spans_total'));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** Two handoffs by the handoff API, one of which leaves a key behind, among spans that are none of our business. */
async function agentsAtWork(url: string): Promise<{ whole: string; cut: string }> {
  const provider = new NodeTracerProvider({
    spanProcessors: [new SeamtraceSpanProcessor(), new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  try {
    const tracer = trace.getTracer('framework');
    const handoffs = createHandoffs({ contracts: readFileSync(contracts, 'utf8') });
    const run = <T>(agent: string, fn: () => T): T => {
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent };
      return tracer.startActiveSpan(`invoke_agent ${agent}`, { attributes }, (span) => {
        for (let at = 0; at < 25; at += 1) tracer.startSpan('SELECT invoices', { kind: 2 }).end();
        try {
          return fn();
        } finally {
          span.end();
        }
      });
    };
    const source = { customer_id: 'c', invoice_id: 'i' };
    const handOver = (payload: Record<string, string>): string => {
      const handoff = run('triage', () => handoffs.dispatch({ to: 'billing', source, payload }));
      handoffs.accept(handoff, () => run('billing', () => handoffs.ingested(handoff.payload)));
      return handoff.id;
    };
    return { whole: handOver(source), cut: handOver({ customer_id: 'c' }) };
  } finally {
    await provider.shutdown();
    trace.disable();
    context.disable();
    propagation.disable();
  }
}
