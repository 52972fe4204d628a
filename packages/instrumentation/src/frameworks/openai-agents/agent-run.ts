import type { Context, Span, Tracer } from '@opentelemetry/api';
import type { Wiring } from '../../hooks/wiring.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { Task } from '../../handoff/task.js';
import type { Dispatch } from './dispatch.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import type { AgentLike, RunnerLike, RunStateLike } from './internal-types.js';
import type { ToolResults } from './tool-results.js';

/**
 * What outlives one call of `Runner.run`: kept per `RunState` object, so that a run which is interrupted and resumed in
 * this process keeps its ids, its chain and the handoff that its agent was started by.
 */
export interface RunMemory {
  /** Makes the handoff ids of this run differ from those of every other. */
  readonly nonce: string;
  /** The task of the chain of handoffs; its `hop` is the last one taken. */
  task: Task;
  /** The handoff by which the agent that is now at work was started. */
  current: Dispatch | undefined;
  readonly toolResults: ToolResults;
  /** How often each handoff of the present hop was begun: a run that a refusal ended may be resumed and try again. */
  readonly attempts: Map<string, number>;
  /** How often each delegation was begun: a call that waited for a person is executed again. */
  readonly executions: Map<string, number>;
}

/** One agent's turn of control: from its start to its handoff or the end of the run. An `invoke_agent` span. */
export interface AgentTurn {
  readonly agent: AgentLike;
  readonly name: string;
  readonly span: Span;
  readonly parentContext: Context;
  readonly startedAt: number;
  /** The handoff that started it. */
  readonly handoff: Dispatch | undefined;
  /** The destination evidence of that handoff is on the span. */
  captured: boolean;
  /** The arguments of that handoff's call as its model could read them. */
  arrived: string | undefined;
  /** The model input as the SDK had prepared it when the turn began; `undefined` before 0.6. */
  turnInput: unknown;
  /** Names of the tools that its model is offered first, once they are known. */
  tools: readonly string[] | undefined;
}

/** One tool call: an `execute_tool` span. */
export interface ToolCallSpan {
  readonly name: string;
  readonly callId: string | undefined;
  readonly span: Span;
  result: unknown;
  errorType: string | undefined;
  /** What the agent shares with its tools, as it was when the call began. */
  readonly context: unknown;
  /** The arguments as JSON text. */
  readonly args: string | undefined;
  /** Handoffs to agents that were run inside the call, in their order. */
  readonly delegations: Delegation[];
  /** Set when the call is over. The span is ended a little later, when it is known whether it failed. */
  endedAt: number | undefined;
}

/** A handoff to an agent that is run inside a tool call, and what became of it. */
export interface Delegation {
  readonly dispatch: Dispatch;
  /** The agent that came to an end in it, which may have been handed over to; `undefined` while it works or where it failed. */
  returnedBy: string | undefined;
  /** The task and the context at its end. */
  task: Task;
  context: unknown;
}

/** What a delegate brought back and no model has read yet. */
export interface Returned {
  readonly handoff: FollowedHandoff;
  readonly result: unknown;
}

/** One call of `Runner.run`, as it is followed. */
export interface AgentRun {
  readonly wiring: Wiring;
  readonly runner: RunnerLike;
  /** What the application gave the run to begin with. */
  readonly input: unknown;
  readonly tracer: Tracer;
  readonly now: () => number;
  /** The run whose tool call this one is part of. */
  readonly parent: AgentRun | undefined;
  readonly memory: RunMemory;
  /** The task that spans outside of a handoff name: that of the outermost run. */
  readonly taskOfSpans: Task;
  readonly baseContext: Context;
  readonly conversationId: string | undefined;
  /** The provider holds the conversation, so the model's input lists only what is new. */
  readonly serverHoldsHistory: boolean;
  /** The application filters the model's input; the destination is captured after that. */
  readonly modelInputFilter: AnyFunction | undefined;
  /** What the model is given cannot be seen without running the application's code: there is no destination evidence. */
  destinationHidden: boolean;
  state: RunStateLike | undefined;
  turn: AgentTurn | undefined;
  /** The span of the turn before, while the next agent has not begun. */
  lastSpan: Span | undefined;
  /** The dispatch that is being made, or that no agent has taken yet. */
  dispatch: Dispatch | undefined;
  readonly tools: Set<ToolCallSpan>;
  /** Tools that an agent is offered before it is said to start, as versions before 0.6 do it. */
  offered: { readonly agent: AgentLike; readonly names: readonly string[] | undefined } | undefined;
  /** What came back from agents that were run inside its tool calls. */
  readonly returned: Returned[];
  /** The delegation that this run is, in the run around it. */
  readonly delegation: Delegation | undefined;
  ended: boolean;
}
