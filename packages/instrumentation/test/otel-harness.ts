import { context, diag, type DiagLogger, DiagLogLevel, propagation, type Span, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanLimits,
} from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { SeamtraceSpanProcessor } from '../src/processor/span-processor.js';
import { runtime } from '../src/runtime/state.js';

/** A real OpenTelemetry SDK with our processor, exporting to memory. */
export interface OtelHarness {
  readonly spans: () => readonly ReadableSpan[];
  /** The only finished span of that name. */
  readonly span: (name: string) => ReadableSpan;
  readonly spansNamed: (name: string) => readonly ReadableSpan[];
  readonly warnings: () => readonly string[];
  readonly stop: () => Promise<void>;
}

export interface HarnessOptions {
  readonly processor?: boolean;
  readonly contextManager?: boolean;
  readonly spanLimits?: SpanLimits;
  /** How many processors of ours are registered. */
  readonly processors?: number;
}

export function startOtel(options: HarnessOptions = {}): OtelHarness {
  const exporter = new InMemorySpanExporter();
  const ours = options.processor === false ? 0 : (options.processors ?? 1);
  const provider = new NodeTracerProvider({
    spanProcessors: [
      ...Array.from({ length: ours }, () => new SeamtraceSpanProcessor()),
      new SimpleSpanProcessor(exporter),
    ],
    ...(options.spanLimits === undefined ? {} : { spanLimits: options.spanLimits }),
  });
  provider.register(options.contextManager === false ? { contextManager: null } : {});
  const warnings: string[] = [];
  const log = (message: string): void => void warnings.push(message);
  const logger: DiagLogger = { error: log, warn: log, info: () => {}, debug: () => {}, verbose: () => {} };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  runtime().warned.clear();
  const spansNamed = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
  return {
    spans: () => exporter.getFinishedSpans(),
    spansNamed,
    span(name) {
      const [only, ...more] = spansNamed(name);
      if (only === undefined || more.length > 0) {
        const all = exporter.getFinishedSpans().map((span) => span.name);
        throw new Error(
          `expected one span ${name}, found ${more.length + Number(only !== undefined)} in ${all.join(', ')}`,
        );
      }
      return only;
    },
    warnings: () => warnings,
    async stop() {
      await provider.shutdown();
      trace.disable();
      context.disable();
      propagation.disable();
      diag.disable();
    },
  };
}

const tracer = () => trace.getTracer('some-agent-framework');

/** An `invoke_agent` span as another instrumentation makes it. */
export function agentRun<T>(name: string, fn: (span: Span) => T): T {
  const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name };
  return spanAround(`invoke_agent ${name}`, attributes, fn);
}

/** An `execute_tool` span as another instrumentation makes it. */
export function toolCall<T>(name: string, fn: (span: Span) => T): T {
  return spanAround(`execute_tool ${name}`, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }, fn);
}

/** Runs a function in an active span that ends with it, its promise included. */
export function spanAround<T>(name: string, attributes: Record<string, string>, fn: (span: Span) => T): T {
  return tracer().startActiveSpan(name, { attributes }, (span) => {
    let result: T;
    try {
      result = fn(span);
    } catch (error) {
      span.end();
      throw error;
    }
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.finally(() => span.end()) as T;
  });
}
