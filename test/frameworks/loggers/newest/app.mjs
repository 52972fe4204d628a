import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { trace } from '@opentelemetry/api';
import {
  consoleWithLogContext,
  createHandoffs,
  logContext,
  logContextFormat,
  SeamtraceSpanProcessor,
} from '@seamtrace/instrumentation';
import pino from 'pino';
import winston from 'winston';

new NodeTracerProvider({ spanProcessors: [new SeamtraceSpanProcessor()] }).register({
  contextManager: new AsyncLocalStorageContextManager(),
});
const handoffs = createHandoffs();
const lines = [];
const stream = { write: (line) => void lines.push(JSON.parse(line)) };
const byPino = pino({ base: null, timestamp: false, mixin: logContext }, stream);
const { combine, json } = winston.format;
const byWinston = winston.createLogger({
  format: combine(logContextFormat(), json()),
  transports: [
    new winston.transports.Stream({
      stream: new (await import('node:stream')).Writable({
        write: (chunk, _encoding, done) => {
          lines.push(JSON.parse(String(chunk)));
          done();
        },
      }),
    }),
  ],
});
const written = [];
const plain = { ...console, log: (...args) => void written.push(args), table: () => 'a table' };
const byConsole = consoleWithLogContext(plain);

const attributes = (name) => ({ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name });
const inAgent = (name, work) =>
  trace.getTracer('app').startActiveSpan(`invoke_agent ${name}`, { attributes: attributes(name) }, async (span) => {
    try {
      return await work(span);
    } finally {
      span.end();
    }
  });
const say = (msg) => {
  byPino.info(msg);
  byPino.child({ own: 1 }).info({ task_id: 'of the application' }, msg);
  byWinston.info(msg);
  byWinston.info(msg, { task_id: 'of the application' });
  byConsole.log('%s', msg);
};

say('outside');
let told;
const handoff = await inAgent('triage', (span) => {
  say('first');
  told = span.attributes;
  return handoffs.dispatch({ to: 'billing', source: { a: 1 } });
});
await handoffs.accept(handoff, () =>
  inAgent('billing', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    say('second');
  }),
);
await new Promise((resolve) => setTimeout(resolve, 20));
console.log(
  JSON.stringify({
    lines,
    written,
    table: byConsole.table(),
    untouched: plain.log === Object.getPrototypeOf(byConsole).log,
    first: { correlation_id: told['seamtrace.correlation.id'], task_id: told['seamtrace.task.id'] },
    handoff_id: handoff.id,
  }),
);
