// A session ends and leaves its work on disk for a later one.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHandoffs } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const tracing = setUpTracing();
const handoffs = createHandoffs();
await tracing.inAgent('triage', async () => {
  const source = { customer_id: 'c', invoice_id: 'i', draft: 'd' };
  const handoff = handoffs.dispatch({ to: 'billing', source, kind: 'session_to_session', mode: 'transfer' });
  const headers = {};
  handoffs.inject(handoff, headers);
  const file = path.join(process.env.SCENARIO_FOLDER, 'session.json');
  writeFileSync(file, JSON.stringify({ headers, state: handoff.payload }));
  console.log(JSON.stringify({ id: handoff.id, file }));
});
await tracing.end();
