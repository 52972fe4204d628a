import type { RouteSpec } from '../google-adk/contracts.js';

const order = (from: string, to: string): RouteSpec => ({ from, to, required: ['order_id'] });
const forward = [order('triage', 'billing')];
const back = order('billing', 'triage');
const both = [...forward, order('triage', 'support')];

/** What each scenario of `apps/scenarios.mjs` requires of its routes. */
export const ROUTES: Readonly<Record<string, readonly RouteSpec[]>> = {
  passed: forward,
  passedStreamed: forward,
  upstream: forward,
  filtered: forward,
  removed: forward,
  replaced: forward,
  misrouted: forward,
  toolResultOnly: forward,
  textOnly: forward,
  toolSwitchedOff: [{ ...order('triage', 'billing'), extra: { tools: ['issue_refund'] } }],
  twoTransfers: both,
  oneCallTwice: forward,
  otherTarget: both,
  otherArguments: forward,
  noCallId: forward,
  summaryAndItems: forward,
  threeAgents: [...forward, order('billing', 'support')],
  asTool: [...forward, back],
  fanOut: both,
  pingPong: [{ ...order('triage', 'billing'), extra: { hop_limit: 3 } }, back],
  toolFails: forward,
  modelFails: forward,
  filterThrows: forward,
  badArguments: forward,
  aborted: forward,
  alone: [],
};
