/** The contract file of the scenarios. */
export const CONTRACTS = {
  agents: { triage: {}, refunds: {}, billing: {}, ledger: {} },
  routes: {
    triage_to_refunds: {
      from: 'triage',
      to: 'refunds',
      version: '1',
      required: ['orderId'],
      permitted: ['orderId', 'task'],
    },
    refunds_to_triage: { from: 'refunds', to: 'triage', version: '1', required: ['receipt'] },
  },
} as const;
