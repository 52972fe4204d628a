// One scripted agent run of the OpenAI Agents SDK (a handoff, a tool, an answer: three model calls that cost nothing),
// without us and with us. The model answers at once, so this is the SDK's own work and ours; against a model that thinks
// for a second neither is visible.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createContracts } from '@seamtrace/contracts';
import { OpenAIAgentsInstrumentation, SeamtraceSpanProcessor } from '@seamtrace/instrumentation';
import { z } from 'zod';
import { measure } from './rounds.mjs';

export const name = 'agent-run';

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
    const plain = await copyOfSdk(folder, 'plain');
    const hooked = await copyOfSdk(folder, 'hooked');
    const traced = await copyOfSdk(folder, 'traced');
    // No tracer provider: hooks and captures run, spans are no-ops.
    new OpenAIAgentsInstrumentation({ contracts, secret: 'bench' }).instrument(hooked.sdk);
    const instrumentation = new OpenAIAgentsInstrumentation({ contracts, secret: 'bench' });
    let spans = 0;
    const exporter = {
      export: (batch, done) => {
        spans += batch.length;
        done({ code: 0 });
      },
      shutdown: async () => undefined,
    };
    const spanProcessors = [new SeamtraceSpanProcessor(), new SimpleSpanProcessor(exporter)];
    instrumentation.setTracerProvider(new BasicTracerProvider({ spanProcessors }));
    instrumentation.instrument(traced.sdk);
    await checked(plain);
    await checked(traced);
    if (spans !== 4) throw new Error(`the instrumented run made ${spans} spans, and four were expected`);
    return await measure(
      [
        { name: 'a run of the SDK alone', work: () => plain.once() },
        { name: 'with hooks and captures, no tracer provider', work: () => hooked.once() },
        { name: 'with hooks, captures and four spans', work: () => traced.once() },
      ],
      { unit: 'runs', rounds: 11, sliceMs: 500 },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A copy of the ES module build for each case, so that patches of one are not the others'. */
async function copyOfSdk(folder, label) {
  const core = path.resolve(path.dirname(createRequire(import.meta.url).resolve('@openai/agents-core')), '..');
  const modules = path.join(folder, label, 'node_modules');
  const copy = path.join(modules, '@openai', 'agents-core');
  mkdirSync(path.dirname(copy), { recursive: true });
  cpSync(core, copy, { recursive: true, filter: (file) => !/\.(map|d\.ts)$/.test(file) });
  for (const dependency of ['openai', 'zod', 'debug', 'ms', '@standard-schema', '@modelcontextprotocol']) {
    symlinkSync(path.resolve(core, '../..', dependency), path.join(modules, dependency), 'dir');
  }
  const load = (file) => import(pathToFileURL(path.join(copy, 'dist', file)).href);
  const sdk = await load('index.mjs');
  const testing = await load('testing/index.mjs');
  // The SDK's own tracing is on, as in an app, with nobody to send to. Switched off, it complains of each handoff.
  sdk.setTraceProcessors([]);
  sdk.setTracingDisabled(false);
  return { sdk, once: scripted(sdk, testing) };
}

function scripted({ Agent, handoff, Runner, tool }, { assistantMessage, functionCall, ScriptedModel }) {
  const refund = tool({ name: 'refund', description: 'x', parameters: z.object({}), execute: async () => 'refunded' });
  const billing = new Agent({
    name: 'billing',
    instructions: ({ context }) => `For ${context.customer_id}.`,
    tools: [refund],
  });
  const inputType = z.object({ invoice_id: z.string(), reason: z.string() });
  const triage = new Agent({
    name: 'triage',
    instructions: 'You find the right desk.',
    handoffs: [handoff(billing, { inputType, onHandoff: () => undefined })],
  });
  const turns = [
    [functionCall('transfer_to_billing', { invoice_id: 'inv-1', reason: 'twice' }, { callId: 'call_1' })],
    [functionCall('refund', {}, { callId: 'call_2' })],
    [assistantMessage('done')],
  ];
  const account = { id: 'acct-1', plan: 'studio', entitlements: ['phone', 'exchange'] };
  return async () => {
    const context = {
      customer_id: 'c-1',
      conversation_id: 'v-1',
      locale: 'en',
      received_at: 0,
      account: { ...account },
    };
    const runner = new Runner({ model: new ScriptedModel(turns) });
    const result = await runner.run(triage, 'I was billed twice.', { context });
    return result.finalOutput === 'done' ? 1 : 0;
  };
}

async function checked({ once }) {
  if ((await once()) !== 1) throw new Error('the scripted run did not end as scripted');
}
