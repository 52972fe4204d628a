// Two services, each a process with a sampler of its own, that hand over by HTTP on loopback. The desk starts the other one.
// Arguments: `desk <its sampler> <the other's sampler> <whole|identity|baggage> <kept|lost>`: how much of the header arrives,
// and whether the destination reads all of what was sent.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { createHandoffs, SeamtraceSampler, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';

const SAMPLERS = {
  on: () => new AlwaysOnSampler(),
  off: () => new AlwaysOffSampler(),
  'parent or off': () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  'parent or on': () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  'evidence, else parent or off': () => new SeamtraceSampler(new ParentBasedSampler({ root: new AlwaysOffSampler() })),
};

const [role, own, other, way, keys] = process.argv.slice(2);
const provider = new BasicTracerProvider({
  sampler: SAMPLERS[own](),
  spanProcessors: [new SeamtraceSpanProcessor(), new BatchSpanProcessor(new OTLPTraceExporter())],
});
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(
  new CompositePropagator({ propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()] }),
);
const tracer = trace.getTracer('app');
// A run that its own sampler left out holds no name; the process says whom it hosts.
const handoffs = createHandoffs({ agent: role === 'desk' ? 'triage' : 'billing' });

async function agent(name, work) {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  return tracer.startActiveSpan(`invoke_agent ${name}`, { attributes }, async (span) => {
    const result = await work();
    span.end();
    return result;
  });
}

async function takeOver(headers, state) {
  const received = handoffs.extract(headers);
  await handoffs.accept(received, () =>
    agent('billing', async () => {
      handoffs.ingested(state);
      // A call of a model, which nobody wants recorded for the sake of a handoff.
      await tracer.startActiveSpan('chat m', async (span) => span.end());
    }),
  );
}

/** What a producer sends that knows nothing of captures. */
function withoutEvidence(header) {
  const carried = Object.entries(JSON.parse(Buffer.from(header, 'base64url').toString()));
  const rest = carried.filter(([key]) => !/^seamtrace\.(source|payload)\./.test(key));
  return Buffer.from(JSON.stringify(Object.fromEntries(rest))).toString('base64url');
}

if (role === 'desk') {
  const args = [fileURLToPath(import.meta.url), 'billing', other, '', way, keys];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())));
  const source = { customer_id: 'c', invoice_id: 'i' };
  await agent('triage', async () => {
    const headers = {};
    handoffs.inject(handoffs.dispatch({ to: 'billing', source }), headers);
    if (way === 'baggage') delete headers['seamtrace-handoff'];
    if (way === 'identity') headers['seamtrace-handoff'] = withoutEvidence(headers['seamtrace-handoff']);
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(source) });
    if (!answer.ok) throw new Error(await answer.text());
  });
  await new Promise((resolve) => child.once('close', resolve));
  await provider.forceFlush();
} else {
  const server = createServer(async (request, response) => {
    request.resume();
    const state = keys === 'lost' ? { customer_id: 'c' } : { customer_id: 'c', invoice_id: 'i' };
    await takeOver(request.headers, state);
    await provider.forceFlush();
    response.end('ok', () => server.close());
    server.closeIdleConnections();
  });
  server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}\n`));
}
