import type { AnyFunction } from '../../hooks/any-function.js';
import { ownData, text } from '../../hooks/own-data.js';
import { namesOf } from './agent-names.js';
import { type AgentCall, callStarts } from './delegate.js';
import type { Delegation } from './delegation.js';
import type { AgentLike } from './internal-types.js';
import { textsOf } from './messages.js';
import type { MastraRun } from './run.js';
import { currentScope, inScope } from './run-scope.js';

// In a network a router chooses who works next. Mastra makes the router anew for each step: an agent of its own, which
// works in the name of the agent whose network it is. The chosen agent is then called by Mastra's workflow, not by a tool.

/** One call of `network`. */
export interface Network {
  readonly agent: AgentLike;
  /** The agents of the network, by key. */
  agents: Readonly<Record<string, unknown>>;
  /** The router's last run: whoever works next was chosen in it. */
  router: MastraRun | undefined;
  /** How often each agent was chosen. */
  readonly chosen: Map<string, number>;
}

const ROUTER_ID = 'routing-agent';

/** `network` and what resumes it: the agents that begin inside are its router and those it chooses. */
export function wrapNetwork(copy: { readonly active: boolean }): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function network(this: unknown, ...args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(original, this, args);
      if (!copy.active || typeof this !== 'object' || this === null) return call();
      const outer = currentScope();
      const begun: Network = { agent: this, agents: {}, router: undefined, chosen: new Map() };
      return inScope({ run: outer?.run, call: outer?.call, network: begun }, call);
    };
}

/** Whether the agent that begins is the network's router, and not one of its agents that bears the same id. */
export function isRouter(network: Network, agent: AgentLike): boolean {
  return namesOf(agent).id === ROUTER_ID && keyOf(network, agent) === undefined;
}

/** The choice by which an agent of the network begins; `undefined` for an agent that is none of them. */
export function chosenBy(
  network: Network,
  agent: AgentLike,
  { input, options, resumed }: AgentCall,
): Delegation | undefined {
  const { router } = network;
  const key = keyOf(network, agent);
  // A network that is resumed goes on with an agent, and does not say at which of its choices it was.
  if (router === undefined || key === undefined || resumed !== undefined) return undefined;
  const nth = network.chosen.get(key) ?? 0;
  network.chosen.set(key, nth + 1);
  router.runId = text(ownData(options, 'runId')) ?? router.runId;
  router.requestContext = ownData(options, 'requestContext');
  const last = Array.isArray(input) ? input.slice(-1) : input;
  return callStarts(router, {
    to: { key, agent },
    args: { prompt: textsOf(last)[0] },
    options: { toolCallId: `network:${key}:${nth}`, messages: input },
    hooked: false,
  });
}

function keyOf({ agents }: Network, agent: AgentLike): string | undefined {
  return Object.keys(agents).find((key) => ownData(agents, key) === agent);
}
