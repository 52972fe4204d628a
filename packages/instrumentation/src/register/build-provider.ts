import { diag } from '@opentelemetry/api';
import { getStringListFromEnv } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  osDetector,
  processDetector,
  type Resource,
  type ResourceDetector,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { SeamtraceSpanProcessor } from '../processor/span-processor.js';
import { logDiagnostics } from './diagnostics.js';
import { readExportSettings } from './export-settings.js';
import { say } from '../runtime/say.js';
import { createThreadExporter, type ThreadExporter } from './thread-exporter.js';

/** A provider and what its spans go through. */
export interface Built {
  readonly provider: BasicTracerProvider;
  readonly batches: BatchSpanProcessor | undefined;
  readonly exporter: ThreadExporter | undefined;
}

/** `none` where `OTEL_*` switches export off, and where it cannot be built; that is said. */
export function buildProvider(here: string, mayRegister: boolean): Built | 'none' {
  try {
    if (mayRegister) logDiagnostics();
    const { otlp, console: toConsole } = readExportSettings();
    if (otlp === undefined && !toConsole) return 'none';
    const exporter = otlp === undefined ? undefined : createThreadExporter(otlp, here);
    const batches = exporter === undefined ? undefined : new BatchSpanProcessor(exporter);
    const spanProcessors: SpanProcessor[] = [new SeamtraceSpanProcessor()];
    if (batches !== undefined) spanProcessors.push(batches);
    if (toConsole) spanProcessors.push(new SimpleSpanProcessor(new ConsoleSpanExporter()));
    // Sampler, limits and batch sizes: the SDK reads them from OTEL_* itself.
    return { provider: new BasicTracerProvider({ resource: resource(), spanProcessors }), batches, exporter };
  } catch (error) {
    diag.error('seamtrace: no tracer provider', error);
    say(`spans cannot be exported: ${error instanceof Error ? error.message : String(error)}`);
    return 'none';
  }
}

const DETECTORS: Readonly<Record<string, ResourceDetector>> = {
  env: envDetector,
  host: hostDetector,
  os: osDetector,
  process: processDetector,
  serviceinstance: serviceInstanceIdDetector,
};

/**
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, and what `OTEL_NODE_RESOURCE_DETECTORS` names. Other than in the SDK, the
 * default is `env` alone: the process detector would export the command line, which can hold anything.
 */
function resource(): Resource {
  const named = getStringListFromEnv('OTEL_NODE_RESOURCE_DETECTORS') ?? ['env'];
  const names = named.includes('all') ? Object.keys(DETECTORS) : named;
  const detectors = names.flatMap((name) => DETECTORS[name] ?? []);
  return defaultResource().merge(detectResources({ detectors }));
}
