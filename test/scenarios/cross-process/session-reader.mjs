// Another process takes it up, in a trace of its own, as it begins by itself.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createHandoffs } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const tracing = setUpTracing();
const handoffs = createHandoffs();
const { headers, state } = JSON.parse(readFileSync(path.join(process.env.SCENARIO_FOLDER, 'session.json'), 'utf8'));
if (process.argv[2] === 'forgetful') delete state.invoice_id;
await tracing.inAgent('billing', async () => {
  const received = handoffs.extract(headers);
  await handoffs.accept(received, async () => handoffs.ingested(state));
  console.log(JSON.stringify({ id: received.id }));
});
await tracing.end();
