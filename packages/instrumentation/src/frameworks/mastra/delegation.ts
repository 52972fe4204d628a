import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { ToolCall } from '../../hooks/tool-call.js';
import type { AgentLike } from './internal-types.js';
import type { CarrierReading } from './carriers.js';
import { type CallRecord, forget, type MastraRun } from './run.js';

/** A tool call of an agent in which another agent works, or may. */
export interface Delegation {
  readonly from: MastraRun;
  /** What stands behind the tool `agent-<key>`; `undefined` for a tool of the application's that may call any agent. */
  readonly to: DelegationTarget | undefined;
  readonly callId: string | undefined;
  /** The call's arguments, as the model wrote them. */
  args: unknown;
  /** What the model had read when it made the call. */
  prompt: readonly unknown[] | undefined;
  /** The messages that Mastra gives to the tool. */
  messages: unknown;
  /** The call as the run keeps it; `undefined` for a tool of the application's. */
  readonly record: CallRecord | undefined;
  /** The source's own members as they were at the call, for finding their values in texts. */
  sourceValues: readonly unknown[];
  readonly tool: ToolCall | undefined;
  /** The application may rewrite what is sent, in hooks of the delegation. */
  readonly hooked: boolean;
  /** Begun with the call of a delegation tool; else with each agent that such a tool calls. */
  handoff: FollowedHandoff | undefined;
  reading: CarrierReading | undefined;
  /** What the agent was called with, of Mastra's own members. */
  sent: SentMembers | undefined;
  /** The run that took it. */
  taken: MastraRun | undefined;
  /** What a tool of the application's has handed over in this call. */
  readonly spawned: Delegation[];
}

/** Lets go of what passed through a call that is over, and of what its delegates were given. */
export function forgetCall(call: Delegation): void {
  call.args = undefined;
  call.prompt = undefined;
  call.messages = undefined;
  call.sourceValues = [];
  if (call.taken !== undefined) forget(call.taken);
  for (const delegation of call.spawned) forgetCall(delegation);
}

export interface DelegationTarget {
  readonly key: string;
  readonly agent: AgentLike | undefined;
}

export interface SentMembers {
  readonly prompt: string | undefined;
  readonly instructions: string | undefined;
  readonly maxSteps: unknown;
}
