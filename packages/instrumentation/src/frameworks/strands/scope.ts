import { sharedStorage } from '../../hooks/shared-storage.js';
import type { Task } from '../../handoff/task.js';
import type { FollowedRun } from '../../hooks/agent-run.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { CarrierReading } from '../../hooks/stage-carriers.js';
import type { ToolCall } from '../../hooks/tool-call.js';
import type { AgentLike } from './internal-types.js';

/** A handoff of this framework. */
export interface StrandsHandoff {
  readonly followed: FollowedHandoff;
  readonly source: AgentFrame | undefined;
  /** What is sent: the context of a swarm's envelope and its message, or the arguments of a tool. */
  readonly sent: readonly unknown[];
  /** What the source could read when it asked. */
  readonly asked: CarrierReading;
}

/** One agent at work: a call of its `stream`. */
export interface AgentFrame {
  readonly run: FollowedRun;
  readonly agent: AgentLike;
  readonly name: string;
  readonly handoff: StrandsHandoff | undefined;
  /** What it was given to work on. */
  readonly given: readonly unknown[];
  /** The state that agents of one invocation share by reference. */
  shared: unknown;
  /** The state that is its own, as it ended: the SDK then puts back what it was before. */
  ownState: unknown;
  /** What its model was given last. */
  messages: readonly unknown[];
  /** What delegates brought back, by the id of the tool call, and its model has not been given yet. */
  returns: { readonly handoff: StrandsHandoff; readonly toolUseId: string | undefined }[];
}

/** A node of a swarm, between its start and its end. */
export interface NodeStep {
  readonly nodeId: string;
  readonly node: object;
  readonly task: Task;
  readonly handoff: StrandsHandoff | undefined;
  /** The agent that ran as this node. */
  frame: AgentFrame | undefined;
}

/** A tool at work. */
export interface ToolStep {
  readonly frame: AgentFrame;
  readonly toolUseId: string | undefined;
  readonly name: string;
  readonly input: unknown;
  readonly span: ToolCall | undefined;
  /** The delegation that the tool stands for, where it is an agent. */
  announced: StrandsHandoff | undefined;
  runs: number;
  returning: StrandsHandoff | undefined;
}

/** Whose work this is. Timers that begin in it may outlive it, and then hold an empty scope only. */
export interface Scope {
  frame: AgentFrame | undefined;
  node: NodeStep | undefined;
  tool: ToolStep | undefined;
}

const scopes = sharedStorage<Scope>('strands.v1.scopes');

export function currentScope(): Scope | undefined {
  return scopes.getStore();
}

export function inScope<T>(scope: Scope, work: () => T): T {
  return scopes.run(scope, work);
}

/** The agent in whose work this code runs. */
export function currentFrame(): AgentFrame | undefined {
  const frame = scopes.getStore()?.frame;
  return frame === undefined || frame.run.ended ? undefined : frame;
}
