import type { RouteSpec } from '../google-adk/contracts.js';

const order = (from: string, to: string): RouteSpec => ({ from, to, required: ['order_id'] });
const forward = [order('triage', 'billing')];
const back: RouteSpec = { from: 'billing', to: 'triage', required: ['refund_id'] };

/** What each scenario of `apps/scenarios.mjs` requires of its routes. */
export const ROUTES: Readonly<Record<string, readonly RouteSpec[]>> = {
  passed: forward,
  upstream: forward,
  notPacked: forward,
  ownState: forward,
  rewritten: forward,
  misrouted: forward,
  toolResultOnly: forward,
  textOnly: forward,
  shared: forward,
  asTool: [...forward, back],
  asToolArguments: forward,
  ownTool: [...forward, back],
  pingPong: [{ ...order('triage', 'billing'), extra: { hop_limit: 3 } }, order('billing', 'triage')],
  interrupted: [...forward, order('billing', 'triage')],
  earlierRuns: forward,
  cancelledNode: forward,
  failures: forward,
  failsEarly: forward,
  aborted: forward,
  unread: forward,
  alone: [],
};
