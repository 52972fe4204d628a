import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { ConfidentialSpanProcessor } from './privacy.js';

// The desk's own tracing, to wherever OTEL_EXPORTER_OTLP_ENDPOINT points. Masking comes before exporting.
const provider = new NodeTracerProvider({
  spanProcessors: [new ConfidentialSpanProcessor(), new BatchSpanProcessor(new OTLPTraceExporter())],
});
provider.register();

/** Sends what is still waiting. To be called once, when the work is done; what cannot be sent must not undo the work. */
export async function stopTracing() {
  try {
    await provider.shutdown();
  } catch (error) {
    console.error(`traces were not delivered: ${error.message}`);
  }
}
