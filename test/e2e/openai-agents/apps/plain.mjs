import { Agent, Runner, handoff } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
const billing = new Agent({ name: 'billing', instructions: 'x' });
const triage = new Agent({ name: 'triage', instructions: 'x', handoffs: [handoff(billing)] });
const model = new ScriptedModel([
  [functionCall('transfer_to_billing', {}, { callId: 'c1' })],
  [assistantMessage('done')],
]);
const r = await new Runner({ model }).run(triage, 'hi', { context: { customer_id: 'c' } });
console.log(r.finalOutput);
if (process.argv[2] === 'exit') process.exit(3);
if (process.argv[2] === 'throw') throw new Error('x');
