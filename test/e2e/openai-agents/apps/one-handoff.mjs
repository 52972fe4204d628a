// One handoff, and an end of the kind that the argument names. Prints the answer and who listens to signals.
import { Agent, handoff, Runner } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { z } from 'zod';

const [end = 'natural', args = '{"invoice_id":"inv-1"}'] = process.argv.slice(2);

export async function oneHandoff(options = {}) {
  const billing = new Agent({ name: 'billing', instructions: 'You are billing.' });
  const invoice = { inputType: z.looseObject({}), onHandoff: () => undefined };
  const triage = new Agent({ name: 'triage', instructions: 'x', handoffs: [handoff(billing, invoice)] });
  const model = new ScriptedModel([
    [functionCall('transfer_to_billing', args, { callId: 'call_1' })],
    [assistantMessage('done')],
  ]);
  return new Runner({ model, tracingDisabled: true }).run(triage, 'hi', { context: { customer_id: 'c' }, ...options });
}

if (end === 'stream') {
  const stream = await oneHandoff({ stream: true });
  for await (const event of stream) void event;
  console.log(stream.finalOutput);
  process.exit(3);
}
try {
  console.log((await oneHandoff()).finalOutput);
} catch (error) {
  const { name, code, route, version, keys, onViolation } = error;
  console.log(JSON.stringify({ name, code, route, version, keys, onViolation }));
}
console.log(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') + process.listenerCount('SIGHUP'));
if (end === 'exit') process.exit(3);
if (end === 'throw') throw new Error('the end');
if (end === 'code') process.exitCode = 4;
