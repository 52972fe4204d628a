import { readAccount } from './accounts.js';

// What each channel's form asks before an agent sees the request.
const questions = {
  web: ['device_serial', 'received_at'],
  phone: ['device_serial', 'received_at'],
  chat: ['received_at'],
};

/** The context that a conversation starts with: who is asking, their account, and the answers of the channel's form. */
export async function openConversation(request) {
  const account = await readAccount(request.account);
  const context = {
    conversation_id: request.id,
    customer_id: account.customer_id,
    account,
  };
  for (const question of questions[request.channel]) {
    if (request.form[question] !== undefined) context[question] = request.form[question];
  }
  return context;
}
