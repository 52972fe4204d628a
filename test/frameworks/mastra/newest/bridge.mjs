// The application's own OpenTelemetry with Mastra's bridge: Mastra's spans are spans of the application's provider.
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { Observability } from '@mastra/observability';
import { OtelBridge } from '@mastra/otel-bridge';
import { SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { scriptedModel } from '../apps/scripted-model.mjs';

const ours = process.argv[2] === 'processor' ? [new SeamtraceSpanProcessor()] : [];
const provider = new NodeTracerProvider({
  spanProcessors: [...ours, new SimpleSpanProcessor(new OTLPTraceExporter())],
});
provider.register({ contextManager: new AsyncLocalStorageContextManager() });
const bridge = { serviceName: 'bridged', bridge: new OtelBridge() };

const billing = new Agent({
  id: 'billing-agent',
  name: 'billing',
  description: 'settles',
  instructions: 'You settle.',
  model: scriptedModel(['settled'], { id: 'billing' }),
});
const triage = new Agent({
  id: 'triage-agent',
  name: 'triage',
  instructions: 'You route.',
  model: scriptedModel([[{ tool: 'agent-billing', args: { prompt: 'settle it' } }], 'done'], { id: 'triage' }),
  agents: { billing },
});
const mastra = new Mastra({
  agents: { triage, billing },
  storage: new InMemoryStore(),
  logger: false,
  observability: new Observability({ configs: { default: bridge } }),
});
const requestContext = new RequestContext(Object.entries({ customer_id: 'c-1' }));
const { text } = await mastra.getAgent('triage').generate('my invoice', { requestContext, runId: 'bridged' });
await mastra.shutdown?.();
await provider.forceFlush();
process.stdout.write(JSON.stringify({ bridged: { text } }));
