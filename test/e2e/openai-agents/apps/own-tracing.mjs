// An application with tracing of its own, set up before the first run, after it, or by NodeSDK. Prints what its own
// exporter got, and what OpenTelemetry had to say about it.
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { NodeSDK, tracing } from '@opentelemetry/sdk-node';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { oneHandoff } from './one-handoff.mjs';

const [, , , , how] = process.argv;
const said = [];
const say = (...parts) => said.push(parts.join(' '));
diag.setLogger({ error: say, warn: say, info() {}, debug() {}, verbose() {} }, DiagLogLevel.ALL);
const exporter = new tracing.InMemorySpanExporter();
const spanProcessors = [new tracing.SimpleSpanProcessor(exporter)];
const own = trace.getTracer('app');
own.startSpan('before').end();
if (how === 'after') await oneHandoff();
if (how === 'sdk') new NodeSDK({ spanProcessors, autoDetectResources: false }).start();
else new NodeTracerProvider({ spanProcessors }).register();
own.startSpan('own').end();
await own.startActiveSpan('request', async (span) => {
  await oneHandoff();
  span.end();
});
const names = exporter.getFinishedSpans().map(({ name }) => name);
const traces = new Set(exporter.getFinishedSpans().map((span) => span.spanContext().traceId));
const globals = [context.active() !== undefined, propagation.fields()];
console.log(JSON.stringify({ names, traces: traces.size, globals, said }));
