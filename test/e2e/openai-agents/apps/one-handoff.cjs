const { Agent, handoff, Runner } = require('@openai/agents');
const { assistantMessage, functionCall, ScriptedModel } = require('@openai/agents-core/testing');

const billing = new Agent({ name: 'billing', instructions: 'You are billing.' });
const triage = new Agent({ name: 'triage', instructions: 'x', handoffs: [handoff(billing)] });
const call = functionCall('transfer_to_billing', {}, { callId: 'call_1' });
const model = new ScriptedModel([[call], [assistantMessage('done')]]);
const options = { context: { customer_id: 'c', invoice_id: 'i' } };
new Runner({ model, tracingDisabled: true }).run(triage, 'hi', options).then((result) => {
  console.log(result.finalOutput);
  process.exit(3);
});
