// What the applications of this folder do: a call of a model over HTTP and two handoffs, one of which loses a key, in a span
// of their own. Prints one JSON line: what came out, and what an instrumentation of their own saw of the framework.
import { createServer } from 'node:http';
import { SETUPS } from './setups.mjs';

/**
 * @param load Imports or requires from the application's place.
 * @param args `<setup> <first|late>`
 */
export async function flow(load, [setup, when]) {
  const OpenAI = (await load('openai')).default;
  let flush = async () => undefined;
  const setUp = async () => {
    if (setup !== 'none') flush = await SETUPS[setup](load, OpenAI);
  };
  if (when !== 'late') await setUp();
  const { trace } = await load('@opentelemetry/api');
  const sdk = await load('@openai/agents');
  const testing = await load('@openai/agents-core/testing');
  const both = async () => [await handOver(sdk, testing, false), await handOver(sdk, testing, true)];
  const before = when === 'late' ? await both() : [];
  if (when === 'late') await setUp();
  const tracer = trace.getTracer('app');
  const answer = await tracer.startActiveSpan('request', { attributes: { 'app.kind': 'x' } }, async (span) => {
    const answers = [await ask(OpenAI), ...(await both())];
    span.end();
    return answers;
  });
  tracer.startSpan('after').end();
  await flush();
  process.stdout.write(`${JSON.stringify({ before, answer, seen: globalThis.ownSaw ?? [] })}\n`);
}

/** A filter that takes the invoice out of the call, where the handoff is to lose it. */
async function handOver({ Agent, handoff, Runner, setTracingDisabled }, testing, lost) {
  setTracingDisabled(true);
  const billing = new Agent({ name: 'billing', instructions: 'You are billing.' });
  const inputFilter = (data) => {
    if (lost) delete data.runContext.context.invoice_id;
    return data;
  };
  const triage = new Agent({ name: 'triage', instructions: 'x', handoffs: [handoff(billing, { inputFilter })] });
  const call = testing.functionCall('transfer_to_billing', {}, { callId: 'call_1' });
  const model = new testing.ScriptedModel([[call], [testing.assistantMessage('done')]]);
  const context = { customer_id: 'c', invoice_id: 'i' };
  const result = await new Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context });
  return result.finalOutput;
}

/** Asks a model that is a server of this process. */
async function ask(OpenAI) {
  const message = { role: 'assistant', content: 'hello' };
  const reply = { id: 'x', object: 'chat.completion', model: 'm', created: 1, choices: [{ index: 0, message }] };
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
  const client = new OpenAI({ apiKey: 'none', baseURL, maxRetries: 0 });
  const answer = await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  server.closeAllConnections();
  server.close();
  return answer.choices[0].message.content;
}
