// The application's own tracing, with propagation of trace context.
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { SeamtraceSpanProcessor } from '@seamtrace/instrumentation';

export function setUpTracing() {
  const provider = new NodeTracerProvider({
    spanProcessors: [new SeamtraceSpanProcessor(), new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register({ contextManager: new AsyncLocalStorageContextManager() });
  const tracer = trace.getTracer('application');
  return {
    inAgent: (name, work) => {
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
      return tracer.startActiveSpan(`invoke_agent ${name}`, { attributes }, async (span) => {
        try {
          return await work(span);
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
    inTool: (name, work) => {
      const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name };
      return tracer.startActiveSpan(`execute_tool ${name}`, { attributes }, async (span) => {
        try {
          return await work(span);
        } finally {
          span.end();
        }
      });
    },
    end: () => provider.shutdown(),
  };
}
