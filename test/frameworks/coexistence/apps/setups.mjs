// Ways in which an application sets up tracing of its own. `load` imports or requires from the application's place, so the
// same lines serve ECMAScript modules and CommonJS. Each resolves to what flushes it. Everything goes to loopback.
const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;

export const SETUPS = {
  'node-sdk': async (load) => {
    const { NodeSDK } = await load('@opentelemetry/sdk-node');
    const { OTLPTraceExporter } = await load('@opentelemetry/exporter-trace-otlp-proto');
    return started(
      new NodeSDK({ traceExporter: new OTLPTraceExporter(), autoDetectResources: false, metricReaders: [] }),
    );
  },

  /** With the processor that stamps the application's own agent spans. */
  'node-sdk with processor': async (load) => {
    const { NodeSDK } = await load('@opentelemetry/sdk-node');
    const { SeamtraceSpanProcessor } = await load('@seamtrace/instrumentation');
    const spanProcessors = [new SeamtraceSpanProcessor(), await batches(load)];
    return started(new NodeSDK({ spanProcessors, autoDetectResources: false, metricReaders: [] }));
  },

  provider: async (load) => {
    const spanProcessors = [await batches(load)];
    const { TracerProvider } = await sdk3(load);
    if (TracerProvider === undefined) {
      const { NodeTracerProvider } = await load('@opentelemetry/sdk-trace-node');
      const provider = new NodeTracerProvider({ spanProcessors });
      provider.register();
      return () => provider.shutdown();
    }
    const { context, trace } = await load('@opentelemetry/api');
    const { AsyncLocalStorageContextManager } = await load('@opentelemetry/context-async-hooks');
    const provider = new TracerProvider({ spanProcessors });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(provider);
    return () => provider.shutdown();
  },

  langfuse: async (load) => {
    const { NodeSDK } = await load('@opentelemetry/sdk-node');
    const { LangfuseSpanProcessor } = await load('@langfuse/otel');
    const keys = { publicKey: 'pk-x', secretKey: 'sk-x', baseUrl: endpoint, mediaUploadEnabled: false };
    const { OTLPTraceExporter } = await load('@opentelemetry/exporter-trace-otlp-proto');
    const exporter = new OTLPTraceExporter();
    // Langfuse's own path is not one of an OTLP receiver, so its processor gets an exporter that goes to ours.
    const spanProcessors = [new LangfuseSpanProcessor({ ...keys, exporter })];
    return started(new NodeSDK({ spanProcessors, autoDetectResources: false, metricReaders: [] }));
  },

  openinference: async (load, OpenAI) => {
    const { NodeSDK } = await load('@opentelemetry/sdk-node');
    const { OpenAIInstrumentation } = await load('@arizeai/openinference-instrumentation-openai');
    const { OTLPTraceExporter } = await load('@opentelemetry/exporter-trace-otlp-proto');
    const openai = new OpenAIInstrumentation();
    const traceExporter = new OTLPTraceExporter();
    const flush = started(
      new NodeSDK({ traceExporter, instrumentations: [openai], autoDetectResources: false, metricReaders: [] }),
    );
    openai.manuallyInstrument(OpenAI);
    return flush;
  },

  traceloop: async (load, OpenAI) => {
    const traceloop = await load('@traceloop/node-server-sdk');
    traceloop.initialize({
      appName: 'desk',
      apiKey: 'x',
      baseUrl: endpoint,
      disableBatch: true,
      silenceInitializationMessage: true,
      traceloopSyncEnabled: false,
      instrumentModules: { openAI: OpenAI },
    });
    return () => traceloop.forceFlush();
  },
};

function started(sdk) {
  sdk.start();
  return () => sdk.shutdown();
}

async function batches(load) {
  const { OTLPTraceExporter } = await load('@opentelemetry/exporter-trace-otlp-proto');
  const three = await sdk3(load);
  if (three.BatchSpanProcessor !== undefined) {
    return new three.BatchSpanProcessor({ exporter: new OTLPTraceExporter() });
  }
  const { BatchSpanProcessor } = await load('@opentelemetry/sdk-trace-base');
  return new BatchSpanProcessor(new OTLPTraceExporter());
}

/** SDK 3 where the application has that one; SDK 2 brings a package of the same name, which nobody imports. */
async function sdk3(load) {
  const { SEAMTRACE_TEST_OTEL: major } = process.env;
  return major === '3' ? load('@opentelemetry/sdk-trace') : {};
}
