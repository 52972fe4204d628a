// One run of an application on the OpenAI Agents SDK: two agents, six model calls over a transcript of some 15 KB, four
// tool calls, one handoff. The yardstick is that application with the plain OpenTelemetry SDK: a span for each agent, model
// call and tool call from an instrumentation that listens to the SDK's own tracing, batched and serialized as OTLP. Beside
// it, the same application with all of that and with us. A model call costs what any client of a model does to its request
// and its response, in JSON, and nothing else: no network, no waiting.
import { createContracts } from '@seamtrace/contracts';
import { OpenAIAgentsInstrumentation, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { heapAfterCollection, percentile } from './heap.mjs';
import { openApp } from './agents-app.mjs';
import { measure } from './rounds.mjs';

export const name = 'agent-run';

const HANDOFFS = 100_000;
const MODEL_CALLS = 6;
/** A workflow, a task, two agents, six turns with a model call each, four tools, a handoff; see the SDK's own tracing. */
const PLAIN_SPANS = 21;

const contracts = createContracts({
  version: 1,
  agents: { triage: {}, billing: {} },
  routes: {
    triage_to_billing: {
      from: 'triage',
      to: 'billing',
      version: '1',
      required: ['customer_id', 'invoice_id', 'account.plan'],
      permitted: ['customer_id', 'invoice_id', 'account.plan', 'locale'],
    },
  },
});

export async function run() {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'seamtrace-bench-')));
  try {
    const plain = await openApp(folder, 'plain', []);
    const observed = await openApp(folder, 'observed', [new SeamtraceSpanProcessor()]);
    const instrumentation = new OpenAIAgentsInstrumentation({ contracts, secret: 'bench' });
    instrumentation.setTracerProvider(observed.provider);
    instrumentation.instrument(observed.sdk);
    await checked(plain, PLAIN_SPANS);
    // Ours: two agents, a handoff, its ingest in the agent's span, four tools.
    await checked(observed, PLAIN_SPANS + 7);
    const cases = [
      { name: 'with the plain OpenTelemetry SDK', work: () => plain.once() },
      { name: 'with it and with us', work: () => observed.once() },
    ];
    const rows = await measure(cases, { unit: 'runs', rounds: 15, sliceMs: 500 });
    const cpu = 1 / rows[1].ratio;
    const [before, after] = [plain, observed].map(({ turns }) => percentile(turns, 0.99));
    const p99 = after / before;
    const heap = await heapGrowth(observed);
    return {
      rows,
      figures: [
        { what: 'CPU per agent run, plain', value: `${(1000 / rows[0].perSecond).toFixed(3)} ms` },
        {
          what: 'CPU per agent run, ours on top',
          value: `${(1000 / rows[1].perSecond - 1000 / rows[0].perSecond).toFixed(3)} ms`,
        },
        { what: `p99 of a turn, plain and with us`, value: `${before.toFixed(2)} ms, ${after.toFixed(2)} ms` },
        { what: `heap after ${HANDOFFS / 10} and after ${HANDOFFS} handoffs`, value: heap.map(mib).join(', ') },
      ],
      notes: [`${MODEL_CALLS} model calls a run; a model that thinks for a second hides all of this`],
      targets: [
        {
          what: 'CPU per agent run',
          target: '≤ 1.05 × plain OpenTelemetry',
          measured: `${cpu.toFixed(2)} ×`,
          met: cpu <= 1.05,
        },
        {
          what: 'p99 of a turn',
          target: '≤ 1.05 × plain OpenTelemetry',
          measured: `${p99.toFixed(2)} ×`,
          met: p99 <= 1.05,
        },
        {
          what: `heap growth over ${HANDOFFS} handoffs`,
          target: '≤ 1 MiB',
          measured: mib(heap[1] - heap[0]),
          met: heap[1] - heap[0] <= 1 << 20,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const mib = (bytes) => `${(bytes / (1 << 20)).toFixed(1)} MiB`;

/** Heap after a tenth of the handoffs, when caches are warm, and after all of them. */
async function heapGrowth(app) {
  const heaps = [];
  for (let done = 1; done <= HANDOFFS; done += 1) {
    await app.handOver();
    if (done === HANDOFFS / 10 || done === HANDOFFS) {
      await app.provider.forceFlush();
      heaps.push(await heapAfterCollection());
    }
  }
  return heaps;
}

async function checked(app, spans) {
  if ((await app.once()) !== 1) throw new Error('the scripted run did not end as scripted');
  await app.provider.forceFlush();
  const { exported } = app;
  if (exported.count !== spans) throw new Error(`a run made ${exported.count} spans, and ${spans} were expected`);
}
