import { RunHandoffCallItem } from '@openai/agents';

// Billing's provider keeps transcripts, so a handoff to billing carries only the arguments on this list.
const allowedArguments = ['order_number', 'invoice_number', 'reason'];

function keepAllowed(item) {
  if (!(item instanceof RunHandoffCallItem)) return item;
  const given = JSON.parse(item.rawItem.arguments || '{}');
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => allowedArguments.includes(name)));
  return new RunHandoffCallItem({ ...item.rawItem, arguments: JSON.stringify(kept) }, item.agent);
}

/** An `inputFilter`: the same conversation, its handoff call reduced to the allowed arguments. */
export function onlyAllowedArguments(data) {
  return {
    ...data,
    preHandoffItems: data.preHandoffItems.map(keepAllowed),
    newItems: data.newItems.map(keepAllowed),
  };
}
