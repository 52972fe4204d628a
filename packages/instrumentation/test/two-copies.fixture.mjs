// One process with both builds of the package: the processor and the consumer are CommonJS, the producer is ESM.
import { createRequire } from 'node:module';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { trace } from '@opentelemetry/api';
import * as esm from '@seamtrace/instrumentation';

const cjs = createRequire(import.meta.url)('@seamtrace/instrumentation');
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({
  spanProcessors: [
    new cjs.SeamtraceSpanProcessor(),
    new esm.SeamtraceSpanProcessor(),
    new SimpleSpanProcessor(exporter),
  ],
}).register();

const contracts = { routes: { triage_to_billing: { from: 'triage', to: 'billing', required: ['customer_id'] } } };
const producer = esm.createHandoffs({ contracts });
const consumer = cjs.createHandoffs({ contracts });
const run = (name, fn) =>
  trace
    .getTracer('framework')
    .startActiveSpan(
      `invoke_agent ${name}`,
      { attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name } },
      (span) => {
        fn();
        span.end();
      },
    );

run('triage', () => {
  const handoff = producer.dispatch({ to: 'billing', source: { customer_id: 1 } });
  // Accepted by the other build, and told by this one.
  consumer.accept(handoff, () => run('billing', () => producer.ingested({ customer_id: 1 })));
});
consumer.extract({});

process.stdout.write(
  JSON.stringify({
    distinct: esm.createHandoffs !== cjs.createHandoffs,
    counters: [esm.readCounters().header_absent, cjs.readCounters().header_absent],
    spans: exporter.getFinishedSpans().map(({ name, attributes }) => ({ name, attributes })),
  }),
);
