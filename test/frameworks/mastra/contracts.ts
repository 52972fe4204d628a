/** The routes of the agents in `apps/list.mjs`. */
export const CONTRACTS = {
  agents: { support: {}, human: {} },
  routes: {
    triage_to_billing: { from: 'triage', to: 'billing', version: '1', required: ['customer_id'] },
    billing_to_triage: { from: 'billing', to: 'triage', version: '1', required: ['customer_id'] },
    billing_to_ledger: { from: 'billing', to: 'ledger', version: '1', required: ['customer_id'] },
    billing_to_human: { from: 'billing', to: 'human', version: '1', required: ['amount'] },
    human_to_billing: { from: 'human', to: 'billing', version: '1', required: ['approved'] },
  },
} as const;
