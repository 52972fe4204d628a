import type { FollowedRun } from '../../hooks/agent-run.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { ToolCall } from '../../hooks/tool-call.js';
import type { Wiring } from '../../hooks/wiring.js';
import type { SentText } from './carriers.js';
import type { Answer } from './people.js';
import type { Returned } from './return-leg.js';

/** One run of an agent: a call of `generate` or `stream`. */
export interface AgentRun {
  readonly wiring: Wiring;
  readonly followed: FollowedRun;
  readonly agent: object;
  readonly name: string;
  /** Makes the ids of what it hands over: the SDK gives its runs none. */
  readonly runKey: string;
  /** What it was started by, if by another agent. */
  readonly delegation: Delegation | undefined;
  /** Options of the call as the application gave them. */
  readonly options: unknown;
  /** Contexts that its tools and steps can read; replaced where a step changes them. */
  contexts: readonly unknown[];
  /** Instructions that the agent was made with. */
  readonly instructions: readonly string[];
  /** What its model read last. */
  prompt: readonly unknown[];
  /** Tools at work. */
  readonly open: Set<ToolWork>;
  /** What delegates gave back and the model has not read yet. */
  readonly returned: Returned[];
  /** Calls of tools that wait for a person at the end of the run. */
  asked: boolean;
  /** A person has answered, and the run has not gone on yet. */
  answers: readonly Answer[];
}

/** One call of a tool of an agent. Agents that begin in it are handed to. */
export interface ToolWork {
  readonly from: AgentRun;
  readonly call: ToolCall;
  readonly input: unknown;
  /** What the SDK gives to the tool beside its input. */
  readonly options: unknown;
  readonly delegations: Delegation[];
  ended: boolean;
}

/** One call of an agent inside a tool of another one. */
export interface Delegation {
  readonly work: ToolWork;
  readonly agent: object;
  /** The agent that was called, whomever the tool names. */
  readonly name: string;
  readonly handoff: FollowedHandoff;
  /** Texts that were sent, each with the members that it stands for. */
  readonly sent: readonly SentText[];
  /** What was sent as structured values. */
  readonly records: readonly unknown[];
  readonly nth: number;
  run: AgentRun | undefined;
  failed: boolean;
  /** The steps that the called agent gave back. */
  steps: unknown;
}
