import type { Context } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import type { Task } from '../../handoff/task.js';
import type { FollowedRun } from '../../hooks/agent-run.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { ToolCall } from '../../hooks/tool-call.js';
import type { Wiring } from '../../hooks/wiring.js';
import type { GraphLike, LoopLike, TaskLike } from './internal-types.js';
import type { GraphState } from './state.js';
import type { Topology } from './topology.js';
import type { TransferRequest } from './transfers.js';

/** One execution of a graph, as it is followed. */
export interface GraphRun {
  readonly wiring: Wiring;
  readonly graph: GraphLike;
  readonly topology: Topology;
  readonly loop: LoopLike;
  /** The node in which this graph runs. */
  readonly outer: NodeRun | undefined;
  /** The tool call in which it runs, of an agent above. */
  readonly tool: ToolRun | undefined;
  /** Where it began; spans of its first agents stand here. */
  readonly base: Context;
  /** The task that its first agents serve. */
  readonly task: Task;
  readonly now: () => number;
  readonly thread: string | undefined;
  /** Stands for the thread where there is none. */
  readonly nonce: string;
  /** The agent that this graph as a whole is, where no node of another graph stands for it. */
  run: FollowedRun | undefined;
  /** The nodes of the step at hand. */
  step: readonly NodeRun[];
  /** Who wrote to a channel that starts a node, until the node starts. */
  readonly pending: Map<string, Origin[]>;
  /** Nodes sent for by `Send`, in order. */
  sends: { readonly packet: unknown; readonly origin: Origin }[];
  /** Runs of agents that may still be named as dispatchers. */
  readonly ending: Set<NodeRun>;
  /** The delegation by which a tool call started it. */
  delegated: FollowedHandoff | undefined;
  /** Its first node has begun. */
  entered: boolean;
  ended: boolean;
}

/** One node at work. */
export interface NodeRun {
  readonly graphRun: GraphRun;
  readonly task: TaskLike;
  /** Who came before it, and how. */
  origins: readonly Origin[];
  /** Whether it was sent for with an input of its own. */
  readonly sent: boolean;
  /** The agent that it is; `undefined` for steps, and until it is known. */
  agent: string | undefined;
  /** The name under which handoffs address it, where that is not the node's own. */
  addressed: string | undefined;
  /** The handoffs that started it, also in an earlier call that was interrupted. */
  handoffs: readonly FollowedHandoff[];
  /** It goes on where an earlier call was interrupted. */
  resumed: boolean;
  /** The transfer's tool call behind each of them, where there is one. */
  readonly callIds: Map<FollowedHandoff, string | undefined>;
  /** The error with which an enforcing producer refuses one of them. */
  refused: HandoffContractError | undefined;
  run: FollowedRun | undefined;
  /** Times that its work began: more than one where it is retried. */
  executions: number;
  /** Transfers that its tools asked for. */
  readonly requests: TransferRequest[];
  /** What its other tools gave back in the turn in which it asked for a transfer. */
  readonly results: unknown[];
  /** It ran in an earlier call of the graph, and what it held is not known any more. */
  readonly remembered: boolean;
  /** The state of the graph that it ran, as that ended. */
  innerState: GraphState | undefined;
  /** What it returned. */
  result: unknown;
  endedAt: number | undefined;
  failed: string | undefined;
}

/** How a node came to be started: by whom, over which steps in between. */
export interface Origin {
  /** An agent's node; a step without one before it is no origin of a handoff. */
  readonly node: NodeRun;
  /** Steps between the two, whose writes count as made before the handoff. */
  readonly via: readonly NodeRun[];
  /** An edge without a condition led here. */
  readonly plainEdge: boolean;
}

/** A tool at work for an agent. */
export interface ToolRun {
  readonly node: NodeRun | undefined;
  readonly graphRun: GraphRun;
  readonly owner: FollowedRun | undefined;
  readonly call: ToolCall | undefined;
  readonly name: string;
  readonly callId: string | undefined;
  /** The task of the framework in which it works. */
  readonly taskId: string;
  readonly args: unknown;
  /** Agents' graphs that it ran. */
  readonly delegations: Delegation[];
}

/** An agent that works as another one's tool. */
export interface Delegation {
  readonly handoff: FollowedHandoff;
  /** The task of the agent that delegated. */
  readonly task: Task;
  readonly to: string;
  /** The state of the delegate's graph, as that ended; `undefined` where it failed. */
  state: GraphState | undefined;
}

/** Whose asynchronous call chain this is. */
export interface Scope {
  readonly graphRun: GraphRun;
  readonly node: NodeRun | undefined;
  readonly tool: ToolRun | undefined;
}

/** The run of the innermost agent that a scope belongs to. */
export function owningRun(scope: Scope | undefined): FollowedRun | undefined {
  for (let node = scope?.node; node !== undefined;) {
    if (node.run !== undefined && !node.run.ended) return node.run;
    const { graphRun }: NodeRun = node;
    if (graphRun.run !== undefined && !graphRun.run.ended) return graphRun.run;
    if (graphRun.tool !== undefined) return graphRun.tool.owner;
    node = graphRun.outer;
  }
  const run = scope?.graphRun.run;
  return run === undefined || run.ended ? undefined : run;
}
