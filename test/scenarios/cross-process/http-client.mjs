// `triage`, which sends by node:http, by fetch, and by fetch with a `Headers`.
import http from 'node:http';
import { context, propagation } from '@opentelemetry/api';
import { createHandoffs } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const [url] = process.argv.slice(2);
const tracing = setUpTracing();
const handoffs = createHandoffs();
const whole = { customer_id: 'c', invoice_id: 'i' };
const ids = {};

const byHttp = (path, headers, body) =>
  new Promise((resolve, reject) => {
    const request = http.request(`${url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', resolve);
    });
    request.on('error', reject).end(JSON.stringify(body));
  });
const byFetch = async (path, headers, body) => {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
};

const send = (
  name,
  { by = byHttp, headers = {}, source = whole, payload = whole, spoil = () => undefined, path = `/${name}` } = {},
) =>
  tracing.inAgent('triage', async () => {
    const handoff = handoffs.dispatch({ to: 'billing', source, payload });
    ids[name] = handoff.id;
    handoffs.inject(handoff, headers);
    spoil(headers);
    await by(path, headers, payload);
  });

await send('http');
await send('fetch', { by: byFetch });
await send('headers', { by: byFetch, headers: new globalThis.Headers({ 'content-type': 'application/json' }) });
await send('upstream-missing', { source: { customer_id: 'c' }, payload: { customer_id: 'c' } });
await send('packaging-loss', { payload: { customer_id: 'c' } });
await send('ingest-less');
await send('misrouted');
await send('text', { payload: 'refund the invoice' });
// What is in the carrier already, and what is in the context, stays; ours is beside it.
const baggage = propagation.createBaggage({ tenant: { value: 't-1' } });
await context.with(propagation.setBaggage(context.active(), baggage), () =>
  send('baggage', { headers: { Baggage: 'region=eu' } }),
);
await send('no-header', { spoil: (headers) => delete headers['seamtrace-handoff'] });
await send('bare', { spoil: (headers) => Object.keys(headers).forEach((name) => delete headers[name]) });
await send('poison', { spoil: (headers) => (headers['seamtrace-handoff'] = `${'A'.repeat(6_000)}`) });
await send('damaged', {
  spoil: (headers) => (headers['seamtrace-handoff'] = headers['seamtrace-handoff'].slice(0, 90)),
});
console.log(JSON.stringify({ ids }));
await tracing.end();
