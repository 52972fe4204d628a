// `billing` behind node:http. The path says what it does with the message.
import http from 'node:http';
import { propagation } from '@opentelemetry/api';
import { createHandoffs, readCounters } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const tracing = setUpTracing();
const handoffs = createHandoffs();
const seen = [];

const server = http.createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString());
  const received = handoffs.extract(request.headers);
  await handoffs.accept(received, () =>
    tracing.inAgent(request.url === '/misrouted' ? 'support' : 'billing', async () => {
      const baggage = propagation.getActiveBaggage();
      seen.push({ path: request.url, id: received?.id, baggage: baggage?.getAllEntries().map(([key]) => key) ?? [] });
      handoffs.ingested(request.url === '/ingest-less' ? { customer_id: body.customer_id } : body);
      await tracing.inTool('refund', async () => undefined);
    }),
  );
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }));
});
process.stdin.resume().on('end', async () => {
  server.closeAllConnections();
  server.close();
  console.log(JSON.stringify({ seen, counters: readCounters() }));
  await tracing.end();
});
