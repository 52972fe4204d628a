import { OpenTelemetry } from '@ai-sdk/otel';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import {
  ToolLoopAgent as Agent,
  generateText,
  registerTelemetry,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { MockLanguageModelV4 as Mock } from 'ai/test';
import { z } from 'zod';
import { main } from '../apps/scenarios.mjs';

// The application's own tracing, with the telemetry of the SDK on.
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
registerTelemetry(new OpenTelemetry());
class Traced extends Agent {
  constructor(settings) {
    super({ ...settings, telemetry: { isEnabled: true } });
  }
}

await main({ Agent: Traced, Mock, generateText, streamText, simulateReadableStream, stepCountIs, tool, z, version: 7 });
await provider.shutdown();
