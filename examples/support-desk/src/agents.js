import { Agent, Handoff, handoff, tool } from '@openai/agents';
import { z } from 'zod';
import { readAccount } from './accounts.js';
import { onlyAllowedArguments } from './handoff-filter.js';

const refundInvoice = tool({
  name: 'refund_invoice',
  description: 'Refund an invoice to the card it was paid with.',
  parameters: z.object({ invoice: z.string() }),
  execute: async ({ invoice }) => `Refund for ${invoice} is on its way.`,
});

const bookExchange = tool({
  name: 'book_exchange',
  description: 'Book the exchange of a faulty device.',
  parameters: z.object({ device: z.string() }),
  execute: async ({ device }) => `A courier will exchange ${device}.`,
});

// What the models write into a handoff call. The SDK asks for a callback beside an input type; there is nothing to do in it.
const takes = (inputType) => ({ inputType, onHandoff: () => undefined });
const invoiceQuestion = z.object({ invoice_id: z.string(), reason: z.string() });
const deviceQuestion = z.object({ symptom: z.string() });
const otherTopic = z.object({ topic: z.string() });

function isWeekend(day) {
  return [0, 6].includes(new Date(day).getUTCDay());
}

/** The three desks, wired to each other. */
export function createDesks() {
  const billing = new Agent({
    name: 'billing',
    handoffDescription: 'Invoices, payments and refunds.',
    instructions: ({ context }) => `You settle invoice questions of customer ${context.customer_id}.`,
    tools: [refundInvoice],
  });

  const support = new Agent({
    name: 'support',
    handoffDescription: 'Devices that do not work.',
    // A conversation can lie for days, so support reads the account afresh before it answers.
    instructions: async ({ context }) => {
      context.account = await readAccount(context.account.previous_id ?? context.account.id);
      return `You repair devices. Plan: ${context.account.plan}. Entitled to: ${context.account.entitlement ?? 'nothing'}.`;
    },
    tools: [bookExchange],
  });

  const triage = new Agent({
    name: 'triage',
    handoffDescription: 'Anything that no other desk has taken yet.',
    instructions: 'You find out what the customer needs and hand over to the desk that can do it.',
  });

  // Nobody is at the billing desk on weekends; support answers the phone then.
  const billingDesk = new Handoff(billing, async ({ context }) => (isWeekend(context.received_at) ? support : billing));
  billingDesk.inputJsonSchema = z.toJSONSchema(invoiceQuestion);

  triage.handoffs = [billingDesk, handoff(support, takes(deviceQuestion))];
  support.handoffs = [
    handoff(billing, { ...takes(invoiceQuestion), inputFilter: onlyAllowedArguments }),
    handoff(triage, takes(otherTopic)),
  ];
  billing.handoffs = [handoff(support, takes(deviceQuestion)), handoff(triage, takes(otherTopic))];
  return { triage, support, billing };
}
