import { readFileSync } from 'node:fs';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createContracts } from '@seamtrace/contracts';
import { createLedger, decodeTracesJson, extractEvidence, type GradedHandoff } from '@seamtrace/core';
import { createHandoffs, type Handoffs, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// The samples of the guide, run as they stand there: no span of the app around them, and no propagator.

const contracts = createContracts({
  agents: { triage: {}, billing: {} },
  routes: { triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id'] } },
});
const guide = readFileSync(new URL('../../docs/guides/instrument-your-own-agents.md', import.meta.url), 'utf8');

/** The first sample under a heading, without its imports and its own `handoffs`. */
function sample(heading: string): string {
  const section = guide.split(`\n## ${heading}\n`)[1] ?? '';
  const code = /```js\n([\s\S]*?)```/.exec(section)?.[1];
  if (code === undefined) throw new Error(`the guide has no sample under ${heading}`);
  return code.replace(/^import .*$/gm, '').replace(/^const handoffs = .*$/gm, '');
}

async function runSample(heading: string, names: Readonly<Record<string, unknown>>): Promise<void> {
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
    ...parts: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(names), sample(heading))(...Object.values(names));
}

const exporter = new InMemorySpanExporter();
let handoffs: Handoffs;
const state = { customer_id: 'c', note: 'n' };
const runBilling = (): string => 'done';

function startTracing(): void {
  exporter.reset();
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spanProcessors = [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
  handoffs = createHandoffs({ contracts });
}

beforeEach(() => startTracing());
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
  delete process.env.OTEL_PROPAGATORS;
});

function grade(): GradedHandoff {
  const decoded = decodeTracesJson(
    new TextDecoder().decode(JsonTraceSerializer.serializeRequest([...exporter.getFinishedSpans()])),
  );
  if (!decoded.ok) throw new Error('the spans cannot be read');
  const ledger = createLedger({ contracts });
  for (const span of decoded.spans) {
    const result = extractEvidence(span);
    if (result.ok && result.evidence !== undefined) ledger.add(result.evidence);
  }
  const [graded, ...others] = ledger.grade();
  if (graded === undefined || others.length > 0) throw new Error('expected one handoff');
  return graded;
}

const findings = (): string[] => grade().findings.map(({ id }) => id);
const named = (name: string): ReadableSpan => {
  const found = exporter.getFinishedSpans().find((span) => span.name === name);
  if (found === undefined) throw new Error(`no span ${name}`);
  return found;
};

/** The producer's half of the second sample, then the consumer's, over one carrier. */
async function betweenProcesses(): Promise<Record<string, string>> {
  let sent: Record<string, string> = {};
  const request = { headers: {} };
  const fetch = (_url: string, { headers }: { headers: Record<string, string> }): void => {
    sent = headers;
    request.headers = headers;
  };
  await runSample('Between processes', { handoffs, state, url: 'http://x', fetch, request, body: state, runBilling });
  return sent;
}

describe('the samples of the guide', () => {
  it('in one process: passed, whole, and the ingest links to the dispatch', async () => {
    const loadRecord = (payload: unknown) => Promise.resolve(payload);
    await runSample('In one process', { handoffs, state, loadRecord, runBilling });
    expect(grade()).toMatchObject({ verdict: 'passed', destination: 'billing' });
    expect(findings()).not.toContain('trace_broken');
    const dispatch = named('handoff billing').spanContext();
    expect(named('ingest triage_to_billing').links.map((link) => link.context.spanId)).toEqual([dispatch.spanId]);
  });

  it('between processes: passed, whole, in one trace', async () => {
    const headers = await betweenProcesses();
    expect(grade()).toMatchObject({ verdict: 'passed', destination: 'billing' });
    expect(findings()).not.toContain('trace_broken');
    const { traceId, spanId } = named('handoff billing').spanContext();
    expect(headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
    expect(named('ingest triage_to_billing').spanContext().traceId).toBe(traceId);
  });

  it.each(['none', 'b3', 'baggage,b3'])(
    'with OTEL_PROPAGATORS=%s no trace context is written, and the link remains',
    async (list) => {
      process.env.OTEL_PROPAGATORS = list;
      const headers = await betweenProcesses();
      expect(headers.traceparent).toBeUndefined();
      const dispatch = named('handoff billing').spanContext();
      const ingest = named('ingest triage_to_billing');
      expect(ingest.spanContext().traceId).not.toBe(dispatch.traceId);
      expect(ingest.links.map((link) => link.context.spanId)).toEqual([dispatch.spanId]);
      expect(findings()).not.toContain('trace_broken');
    },
  );

  it('leaves trace context to the propagator that the app registered', async () => {
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    process.env.OTEL_PROPAGATORS = 'none';
    const headers = await betweenProcesses();
    expect(headers.traceparent).toContain(named('handoff billing').spanContext().traceId);
  });
});

it('links an invoke_agent span that is its own trace and of which nobody told the ingest', () => {
  const handoff = handoffs.dispatch({ from: 'triage', to: 'billing', source: state });
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'billing' };
  handoffs.accept(handoff, () => trace.getTracer('other').startSpan('invoke_agent billing', { attributes }).end());
  const run = named('invoke_agent billing');
  expect(run.links.map((link) => link.context.spanId)).toEqual([named('handoff billing').spanContext().spanId]);
  expect(findings()).not.toContain('trace_broken');
});
