// `billing`, which works the queue off and leaves what it is told to: a message that is not removed is delivered again.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createHandoffs, readCounters } from '@seamtrace/instrumentation';
import { setUpTracing } from './tracing.mjs';

const queue = path.join(process.env.SCENARIO_FOLDER, 'queue');
const [delivery] = process.argv.slice(2);
const tracing = setUpTracing();
const handoffs = createHandoffs();
const taken = [];

for (const file of readdirSync(queue).sort()) {
  const at = path.join(queue, file);
  const { name, headers, body } = JSON.parse(readFileSync(at, 'utf8'));
  const received = handoffs.extract(headers);
  taken.push([name, received?.id]);
  const again = name === 'redelivered' && delivery === '1';
  try {
    await handoffs.accept(
      received,
      () =>
        tracing.inAgent('billing', async () => {
          if (again) throw new Error('the worker fell over before it looked');
          handoffs.ingested(body);
        }),
      // What the queue counts, since it may be another worker that got the message before.
      { delivery: Number(delivery) },
    );
    rmSync(at);
  } catch {
    // Stays in the queue.
  }
}
console.log(JSON.stringify({ taken, counters: readCounters() }));
await tracing.end();
