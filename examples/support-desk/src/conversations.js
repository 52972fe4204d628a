import { assistantMessage, functionCall } from '@openai/agents-core/testing';

// Six requests and, in place of a paid model, what the model says in each: the SDK's scripted model plays these turns in
// order. `desk` is who answers first: a customer who writes again comes back to the desk that had the conversation.
export const conversations = [
  {
    id: 'billed-twice',
    desk: 'triage',
    account: 'acct-3004',
    channel: 'phone',
    form: { received_at: '2026-11-28' },
    text: 'I was billed twice in October.',
    turns: [
      functionCall('transfer_to_billing', { invoice_id: 'inv-5512', reason: 'billed twice' }, { callId: 'call_w1' }),
      assistantMessage('I can only help with devices. Please call again on Monday.'),
    ],
  },
  {
    id: 'dead-scanner',
    desk: 'triage',
    account: 'acct-3011',
    channel: 'chat',
    form: { device_serial: 'SC-20-7781', received_at: '2026-11-24' },
    text: 'The scanner does not start any more.',
    turns: [
      functionCall('transfer_to_support', { symptom: 'does not start' }, { callId: 'call_s1' }),
      assistantMessage('Which scanner is it? Please look for the serial number on its back.'),
    ],
  },
  {
    id: 'returned-dock',
    desk: 'support',
    account: 'acct-3020',
    channel: 'web',
    form: { device_serial: 'DK-11-0042', received_at: '2026-11-25' },
    text: 'The dock has arrived back at your place. Where is my refund?',
    turns: [
      functionCall('transfer_to_billing', { invoice_id: 'inv-6120', reason: 'dock returned' }, { callId: 'call_r1' }),
      assistantMessage('Gladly. Which invoice is it about?'),
    ],
  },
  {
    id: 'paid-for-repair',
    desk: 'billing',
    account: 'acct-3027',
    channel: 'web',
    form: { device_serial: 'PR-70-3310', received_at: '2026-11-26' },
    text: 'I have paid for on-site repair. When does somebody come?',
    turns: [
      functionCall('transfer_to_support', { symptom: 'printer jams' }, { callId: 'call_p1' }),
      assistantMessage('I am sorry, your plan includes no repair.'),
    ],
  },
  {
    id: 'new-address',
    desk: 'billing',
    account: 'acct-3033',
    channel: 'web',
    form: { received_at: '2026-11-26' },
    text: 'I have moved, for reasons I do not want to write down.',
    turns: [
      functionCall('transfer_to_triage', { topic: 'change of address' }, { callId: 'call_a1' }),
      assistantMessage('Done. Nobody will see the new address but us.'),
    ],
  },
  {
    id: 'newsletter',
    desk: 'support',
    account: 'acct-3046',
    channel: 'chat',
    form: { received_at: '2026-11-27' },
    text: 'It works again, thanks! Can I also get the newsletter?',
    turns: [
      functionCall('transfer_to_triage', { topic: 'newsletter' }, { callId: 'call_k1' }),
      assistantMessage('You are on the list.'),
    ],
  },
];
