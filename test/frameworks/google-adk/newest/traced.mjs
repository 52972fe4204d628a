// An application that sets up OpenTelemetry itself: the framework's own spans are exported beside ours.
import * as adk from '@google/adk';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { main } from '../apps/main.mjs';

const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
provider.register();
await main(adk, process.argv.slice(2));
await provider.shutdown();
