// An agent behind A2A. What it does with a message is told by the id of the message, so that the payload tells nothing.
import { createHandoffs, readCounters } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

// Where the application has a handoff API it may say what its agent took in, so evidence waits for that.
const handoffs = process.env.HANDOFF_API === undefined ? undefined : createHandoffs();

export async function main({ dialect, server }) {
  const [name = 'billing', mode] = process.argv.slice(2);
  const tracing = setUpTracing(mode);
  const seen = [];
  const executor = {
    async execute(request, bus) {
      const message = request.userMessage;
      seen.push({ metadata: Object.keys(message.metadata ?? {}), extensions: message.extensions ?? [] });
      const [behaviour] = message.messageId.split('/');
      await (behaviours[behaviour] ?? behaviours.answer)({ request, bus, message });
      bus.finished();
    },
    async cancelTask(taskId, bus) {
      const request = open.get(taskId);
      bus.publish(dialect.status(request, 'canceled'));
      request.release();
    },
  };
  const open = new Map();
  const dataOf = (message) =>
    Object.assign(
      {},
      ...message.parts.map((part) => part.data ?? (part.content?.$case === 'data' ? part.content.value : {})),
    );
  const behaviours = {
    async answer({ bus, message }) {
      bus.publish(
        dialect.answer({ parts: [dialect.data({ refund_id: 'r-1', amount: 3 })], contextId: message.contextId }),
      );
    },
    async 'ingest-less'({ bus, message }) {
      // The agent behind it is given the customer alone.
      const { customer_id: customer } = dataOf(message);
      handoffs?.ingested({ customer_id: customer });
      await behaviours.answer({ bus, message });
    },
    async work({ request, bus }) {
      bus.publish(dialect.task(request, 'submitted'));
      bus.publish(dialect.status(request, 'working'));
      await new Promise((resolve) => setTimeout(resolve, 20));
      bus.publish(dialect.artifact(request, [dialect.data({ refund_id: 'r-2' })]));
      bus.publish(dialect.status(request, 'completed'));
    },
    async slow({ request, bus }) {
      bus.publish(dialect.task(request, 'submitted'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      bus.publish(dialect.artifact(request, [dialect.data({ refund_id: 'r-3' })]));
      bus.publish(dialect.status(request, 'completed'));
    },
    async wait({ request, bus }) {
      bus.publish(dialect.task(request, 'working'));
      await new Promise((resolve) => open.set(request.taskId, Object.assign(request, { release: resolve })));
    },
    async fail() {
      throw new TypeError('the agent fell over');
    },
    async 'own-trace'({ bus, message }) {
      await tracing.inAgent(name, () => behaviours.answer({ bus, message }));
    },
  };
  const app = dialect.express();
  const http = app.listen(0, '127.0.0.1', () => {
    const { port } = http.address();
    const url = `http://127.0.0.1:${port}/`;
    const card = dialect.card({ name, url });
    const handler = new server.DefaultRequestHandler(card, new server.InMemoryTaskStore(), executor);
    if (mode === 'http-trace') app.use((_request, _response, next) => tracing.inHttpSpan(next));
    dialect.serve(app, handler);
    console.log(JSON.stringify({ url, card }));
  });
  process.stdin.resume().on('end', async () => {
    http.closeAllConnections();
    http.close();
    console.log(JSON.stringify({ seen, counters: readCounters() }));
    await tracing.end();
  });
}
