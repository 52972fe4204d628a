// The contract files that the applications of this folder run under.

export const VERDICT_CONTRACTS = {
  agents: Object.fromEntries(
    [
      'p_triage',
      'p_billing',
      'l_planner',
      'l_worker',
      'i_boss',
      'i_math',
      'u_triage',
      'u_billing',
      'm_triage',
      'm_billing',
      'm_support',
      't_triage',
      't_billing',
    ].map((name) => [name, {}]),
  ),
  routes: {
    passed: { from: 'p_triage', to: 'p_billing', required: ['order_id'] },
    packaging: { from: 'l_planner', to: 'l_worker', required: ['current_plan'] },
    ingestion: { from: 'i_boss', to: 'i_math', required: ['order_id'] },
    upstream: { from: 'u_triage', to: 'u_billing', required: ['order_id'] },
    misrouted: { from: 'm_triage', to: 'm_billing', required: ['order_id'] },
    text: { from: 't_triage', to: 't_billing', required: ['order_id'] },
  },
};

const DECLARED = [
  'c_triage',
  'c_billing',
  'c_support',
  'x_writer',
  'x_reader',
  's_plan',
  's_work',
  's_merge',
  'f_ask',
  'f_pay',
];

export const FLOW_CONTRACTS = {
  agents: Object.fromEntries(DECLARED.map((name) => [name, {}])),
  routes: {
    conditional: { from: 'c_triage', to: 'c_billing', required: ['order_id'] },
    narrowed: { from: 'x_writer', to: 'x_reader', required: ['order_id', 'amount'] },
    fan_out: { from: 's_plan', to: 's_work', required: ['part'] },
    fan_in: { from: 's_work', to: 's_merge', required: ['parts'] },
    through_steps: { from: 'f_ask', to: 'f_pay', required: ['order_id', 'customer'] },
    looked_up: { from: 'k_main', to: 'k_helper', required: ['order_id'] },
    delegation: { from: 'd_main', to: 'd_helper', required: ['order_id'] },
    delegation_back: { from: 'd_helper', to: 'd_main', required: ['answer'] },
    by_function: { from: 'w_first', to: 'w_second', required: ['order_id'] },
    answered: { from: 'r_worker', to: 'r_boss', required: ['order_id'] },
  },
};

export const PEOPLE_CONTRACTS = {
  agents: Object.fromEntries(
    ['h_triage', 'h_refund', 'n_ask', 'n_pay', 'b_first', 'b_second', 'human'].map((name) => [name, {}]),
  ),
  routes: {
    to_refund: { from: 'h_triage', to: 'h_refund', required: ['order_id'] },
    ask: { from: 'h_refund', to: 'human', required: ['amount'] },
    answer: { from: 'human', to: 'h_refund', required: ['approved'] },
    review: { from: 'n_ask', to: 'n_pay', required: ['order_id'] },
    review_ask: { from: 'n_ask', to: 'human', required: ['order_id'] },
    before: { from: 'b_first', to: 'b_second', required: ['order_id'] },
  },
};

export const REPORT_CONTRACTS = {
  agents: Object.fromEntries(
    [
      'planner',
      'worker',
      'two_a',
      'two_b',
      'two_c',
      'side_a',
      'sent_a',
      'sent_b',
      'sent_c',
      'go_a',
      'go_b',
      'side_b',
      'ping',
      'pong',
    ].map((name) => [name, {}]),
  ),
  routes: {
    plan: { from: 'planner', to: 'worker', required: ['current_plan'] },
    first: { from: 'two_a', to: 'two_b', required: ['order_id'] },
    second: { from: 'two_a', to: 'two_c', required: ['order_id'] },
    sent_first: { from: 'sent_a', to: 'sent_b', required: [] },
    sent_second: { from: 'sent_a', to: 'sent_c', required: [] },
    node: { from: 'go_a', to: 'go_b', required: ['order_id'] },
    side: { from: 'side_a', to: 'side_b', required: ['ticket_id'] },
    there: { from: 'ping', to: 'pong', required: ['order_id'], hop_limit: 3 },
    back: { from: 'pong', to: 'ping', required: ['order_id'], hop_limit: 3 },
  },
};

export const TROUBLE_CONTRACTS = {
  agents: Object.fromEntries(['e_triage', 'e_billing', 'e_human'].map((name) => [name, {}])),
  routes: { trouble: { from: 'e_triage', to: 'e_billing', required: ['order_id'] } },
};

export const CROWD_CONTRACTS = {
  agents: Object.fromEntries(['q_triage', 'q_billing', 'q_left', 'q_right', 'q_join'].map((name) => [name, {}])),
  routes: {
    crowd: { from: 'q_triage', to: 'q_billing', required: ['order_id'] },
    left: { from: 'q_left', to: 'q_join', required: ['order_id'] },
  },
};
