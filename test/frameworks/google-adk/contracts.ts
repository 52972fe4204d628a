const NAMES = ['triage', 'billing', 'support', 'audit', 'first', 'second', 'worker'];

/** A contract file with one route for each pair that a scenario hands over between, named after the scenario. */
export function contractsFor(
  scenarios: Readonly<Record<string, readonly RouteSpec[]>>,
): Readonly<Record<string, unknown>> {
  const agents: Record<string, object> = {};
  const routes: Record<string, object> = {};
  for (const [scenario, specs] of Object.entries(scenarios)) {
    for (const name of NAMES) agents[`${scenario}_${name}`] = {};
    for (const { from, to, required, extra } of specs)
      routes[`${scenario}_${from}_${to}`] = {
        from: `${scenario}_${from}`,
        to: `${scenario}_${to}`,
        required: [...required],
        version: '1',
        ...extra,
      };
  }
  return { agents, routes };
}

export interface RouteSpec {
  readonly from: string;
  readonly to: string;
  readonly required: readonly string[];
  /** Further members of the route. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

const order = (from: string, to: string): RouteSpec => ({ from, to, required: ['order_id'] });
const forward = [order('triage', 'billing')];

/** What each scenario of `apps/scenarios.mjs` requires of its routes. */
export const ROUTES: Readonly<Record<string, readonly RouteSpec[]>> = {
  passed: forward,
  upstream: forward,
  contentsNone: forward,
  contentsDefault: forward,
  pluginDropsState: forward,
  toolArguments: forward,
  toolRequest: forward,
  trimmed: forward,
  callArguments: forward,
  cleared: forward,
  misrouted: forward,
  toolResultOnly: forward,
  textOnly: forward,
  returned: [...forward, { from: 'billing', to: 'triage', required: ['refund_id'] }],
  freshSession: [...forward, { from: 'billing', to: 'triage', required: ['refund_id'] }],
  staleSession: [{ from: 'triage', to: 'billing', required: ['customer_id'] }],
  resolvedArgument: [{ from: 'triage', to: 'billing', required: ['customer_id'] }],
  ownRunner: [...forward, { from: 'billing', to: 'triage', required: ['answer'] }],
  sequence: [...forward, { from: 'billing', to: 'audit', required: ['invoice'] }],
  fan: [...forward, order('triage', 'support'), order('billing', 'audit'), order('support', 'audit')],
  toPipeline: [...forward, { from: 'first', to: 'second', required: ['a'] }],
  again: [],
  alone: [],
  loop: [...forward, order('billing', 'triage')],
  pingPong: [{ ...order('triage', 'billing'), extra: { hop_limit: 3 } }, order('billing', 'triage')],
  twoTransfers: [...forward, order('triage', 'support')],
  vetoed: forward,
  handedOverByTool: forward,
  unknownTarget: forward,
  failures: forward,
  failsEarly: forward,
  callbackThrows: forward,
  aborted: forward,
  unread: forward,
  streamed: forward,
  nextTurn: forward,
  ownOrchestrator: forward,
  scopedState: forward,
  approval: [],
  refine: [...forward, order('billing', 'triage')],
  ownTraces: forward,
};
