// An application on the OpenAI Agents SDK with tracing by OpenTelemetry, as benches measure it.
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { z } from 'zod';
import { OtelTraceProcessor } from './otel-trace-processor.mjs';

/** The application on a copy of the SDK of its own, so that patches of one case are not the other's. */
export async function openApp(folder, label, spanProcessors) {
  const { sdk, testing } = await copyOfSdk(folder, label);
  const exported = { count: 0 };
  const exporter = {
    export(batch, done) {
      exported.count += batch.length;
      ProtobufTraceSerializer.serializeRequest(batch);
      done({ code: 0 });
    },
    shutdown: async () => undefined,
  };
  const provider = new BasicTracerProvider({ spanProcessors: [...spanProcessors, new BatchSpanProcessor(exporter)] });
  sdk.setTracingDisabled(false);
  const listeners = [new OtelTraceProcessor(provider.getTracer('agents'))];
  const turns = [];
  // The SDK has one list of listeners in the process, whatever the copy: it is that of the application that runs.
  const app = scripted(sdk, testing, turns, () => sdk.setTraceProcessors(listeners));
  return { sdk, provider, exported, turns, ...app };
}

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
  return { sdk: await load('index.mjs'), testing: await load('testing/index.mjs') };
}

const QUESTION = `I was billed twice.\n${'On the invoice it says that the plan was changed in March. '.repeat(170)}`;
const FOUND = JSON.stringify(
  Array.from({ length: 14 }, (_, at) => ({
    entry: `e-${at}`,
    amount: at * 100,
    booked: '2026-03-01',
    note: 'x'.repeat(40),
  })),
);

function scripted(sdk, { assistantMessage, functionCall }, turns, listen) {
  const { Agent, handoff, Runner, tool, Usage, withGenerationSpan } = sdk;
  const parameters = z.object({ query: z.string() });
  const tools = ['look_up_invoice', 'list_payments'].map((name) =>
    tool({ name, description: 'Finds entries.', parameters, execute: async () => FOUND }),
  );
  const billing = new Agent({
    name: 'billing',
    instructions: ({ context }) => `You settle invoices for ${context.customer_id}.`,
    tools,
  });
  const inputType = z.object({ invoice_id: z.string(), reason: z.string() });
  const triage = new Agent({
    name: 'triage',
    instructions: 'You find the right desk.',
    tools,
    handoffs: [handoff(billing, { inputType, onHandoff: () => undefined })],
  });
  const call = (name, args, callId) => functionCall(name, args, { callId });
  const transfer = call('transfer_to_billing', { invoice_id: 'inv-1', reason: 'twice' }, 'call_3');
  const long = [
    [call('look_up_invoice', { query: 'a' }, 'call_1')],
    [call('list_payments', { query: 'b' }, 'call_2')],
    [transfer],
    [call('look_up_invoice', { query: 'c' }, 'call_4')],
    [call('list_payments', { query: 'd' }, 'call_5')],
    [assistantMessage('done')],
  ].map((output) => JSON.stringify(output));
  const short = [[transfer], [assistantMessage('done')]].map((output) => JSON.stringify(output));

  /** What a client does to a request and a response; notes how long a turn took since the response before. */
  function model(script, noted) {
    let answers = 0;
    let answeredAt;
    return {
      getResponse: (request) => withGenerationSpan(async () => answer(request)),
    };
    function answer({ systemInstructions, input, tools: offered, handoffs }) {
      if (answeredAt !== undefined) noted.push(performance.now() - answeredAt);
      JSON.stringify({ systemInstructions, input, offered, handoffs });
      const output = JSON.parse(script[answers]);
      answers += 1;
      const usage = new Usage({ inputTokens: 4_000, outputTokens: 40, totalTokens: 4_040 });
      answeredAt = performance.now();
      return { usage, output, responseId: `resp_${answers}` };
    }
  }

  const account = { id: 'acct-1', plan: 'studio', entitlements: ['phone', 'exchange'] };
  const context = () => ({ customer_id: 'c-1', conversation_id: 'v-1', locale: 'en', account: { ...account } });
  const go = async (script, question, noted) => {
    listen();
    const runner = new Runner({ model: model(script, noted) });
    const result = await runner.run(triage, question, { context: context() });
    return result.finalOutput === 'done' ? 1 : 0;
  };
  return {
    /** One run; resolves to 1 where it ended as scripted. */
    once: () => go(long, QUESTION, turns),
    /** The least run with a handoff. */
    handOver: () => go(short, 'I was billed twice.', { push: () => undefined }),
  };
}
