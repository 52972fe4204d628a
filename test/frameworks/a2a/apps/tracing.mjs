// The application's own tracing, where it has any: `none` leaves all to `register`.
import { context, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { SeamtraceSpanProcessor } from '@seamtrace/instrumentation';

export function setUpTracing(mode = 'none') {
  let provider;
  if (mode !== 'none') {
    const exporter = new BatchSpanProcessor(new OTLPTraceExporter());
    provider = new NodeTracerProvider({ spanProcessors: [new SeamtraceSpanProcessor(), exporter] });
    // A propagator of its own would join the traces; these applications have none.
    provider.register({ propagator: null, contextManager: new AsyncLocalStorageContextManager() });
  }
  const tracer = trace.getTracer('application');
  const within = (name, options, work) =>
    tracer.startActiveSpan(name, options, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  return {
    inAgent: (name, work) =>
      within(
        `invoke_agent ${name}`,
        { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name } },
        work,
      ),
    /** As an HTTP instrumentation does that was sent no trace context. */
    inHttpSpan: (next) => {
      const span = tracer.startSpan('POST /', { kind: SpanKind.SERVER, root: true });
      context.with(trace.setSpan(context.active(), span), next);
      span.end();
    },
    end: async () => provider?.shutdown(),
  };
}
