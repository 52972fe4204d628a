import { Runner } from '@openai/agents';
import { ScriptedModel } from '@openai/agents-core/testing';
import { context as otelContext } from '@opentelemetry/api';
import { createDesks } from './agents.js';
import { conversations } from './conversations.js';
import { openConversation } from './intake.js';
import { confidential } from './privacy.js';
import { stopTracing } from './tracing.js';

const desks = createDesks();

async function answer(conversation) {
  const context = await openConversation(conversation);
  const runner = new Runner({
    model: new ScriptedModel(conversation.turns.map((turn) => [turn])),
    tracingDisabled: true,
  });
  const talk = () => runner.run(desks[conversation.desk], conversation.text, { context });
  const trace = context.account.confidential ? confidential(otelContext.active()) : otelContext.active();
  return otelContext.with(trace, talk);
}

function show({ id, desk, text }, result) {
  const call = result.newItems.find((item) => item.type === 'handoff_call_item');
  const asked = call ? call.rawItem.name.replace(/^transfer_to_/, '') : desk;
  const answered = result.lastAgent.name;
  console.log(`${id}: ${desk} → ${asked}${answered === asked ? '' : ` (answered by ${answered})`}`);
  console.log(`  customer: ${text}`);
  console.log(`  ${answered}: ${result.finalOutput}`);
}

const wanted = process.argv.slice(2);
for (const conversation of conversations) {
  if (wanted.length === 0 || wanted.includes(conversation.id)) show(conversation, await answer(conversation));
}
await stopTracing();
