import { trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { Experimental_Agent as Agent, generateText, simulateReadableStream, stepCountIs, streamText, tool } from 'ai';
import { MockLanguageModelV2 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../apps/scenarios.mjs';

// The application's own tracing, with the telemetry of the SDK on.
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
class Traced extends Agent {
  constructor(settings) {
    super({ ...settings, experimental_telemetry: { isEnabled: true, tracer: trace.getTracer('ai') } });
  }
}

await main({ Agent: Traced, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 5 });
await provider.shutdown();
