// `triage`, which puts work into a queue: one file a message, taken in order of name. Headers travel with the body.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHandoffs } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const queue = path.join(process.env.SCENARIO_FOLDER, 'queue');
mkdirSync(queue, { recursive: true });
const tracing = setUpTracing();
const handoffs = createHandoffs();
const ids = {};
let count = 0;

const put = (message) => {
  const file = path.join(queue, `${String((count += 1)).padStart(3, '0')}.json`);
  writeFileSync(`${file}.part`, JSON.stringify(message));
  renameSync(`${file}.part`, file);
};
const send = (name, { payload = { customer_id: 'c', invoice_id: 'i' }, spoil = (headers) => headers } = {}) =>
  tracing.inAgent('triage', async () => {
    // A producer that is started again makes the same call: the same handoff.
    const handoff = handoffs.dispatch({
      to: 'billing',
      source: { customer_id: 'c', invoice_id: 'i' },
      payload,
      callId: `order-7/${name}`,
      task: `order-7/${name}`,
    });
    ids[name] = handoff.id;
    const headers = {};
    handoffs.inject(handoff, headers);
    put({ name, headers: spoil(headers), body: payload });
  });

await send('passed');
await send('redelivered');
await send('packaging-loss', { payload: { customer_id: 'c' } });
await send('poison', { spoil: () => ({ 'seamtrace-handoff': '__proto__', baggage: 'seamtrace.handoff=%%%' }) });
await send('nested', {
  spoil: (headers) => ({ ...headers, 'seamtrace-handoff': ['first', headers['seamtrace-handoff']] }),
});
console.log(JSON.stringify({ ids }));
await tracing.end();
