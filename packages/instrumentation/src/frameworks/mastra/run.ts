import type { FollowedRun } from '../../hooks/agent-run.js';
import type { Wiring } from '../../hooks/wiring.js';
import type { Delegation } from './delegation.js';
import type { Returned } from './return-leg.js';
import type { AgentLike } from './internal-types.js';

/** One run of an agent: a call of `generate`, `stream` or of what resumes them. */
export interface MastraRun {
  readonly wiring: Wiring;
  readonly followed: FollowedRun;
  readonly agent: AgentLike;
  /** The agent's own name or id, as its handoffs state it. */
  readonly name: string;
  /** The delegation that it takes; `undefined` for a first agent. */
  readonly delegation: Delegation | undefined;
  /** Mastra's id of the run, the same after a resume; ours until Mastra has made one. */
  runId: string;
  /** The task was begun here and nothing has stated it but the run's own span: it may still be derived from the run id. */
  readonly ownTask: boolean;
  requestContext: unknown;
  /** The agents that Mastra found when it last asked, by the key of their delegation tool. */
  agents: Readonly<Record<string, unknown>>;
  /** Names of the delegation tools. */
  readonly agentTools: Set<string>;
  /** What the model read last. */
  prompt: readonly unknown[] | undefined;
  /** Results of the run's tools. */
  readonly results: unknown[];
  /** Calls of delegation tools, by call id, in this run. */
  readonly calls: Map<string, CallRecord>;
  readonly open: Set<Delegation>;
  /** What delegates gave back and the model has not read yet. */
  readonly returned: Returned[];
  /** What the run gave to its caller, where that is known. */
  result: unknown;
  /** Its model has been called, or a tool: what comes later is not its beginning. */
  begun: boolean;
  /** It is a router's run in a network: others begin by its choice when it is over. */
  readonly routes: boolean;
  /** It has asked a person, and is suspended. */
  asked: boolean;
  /** The answer with which it is resumed, until its own model or tool is called. */
  answer: { readonly data: unknown; readonly callId: string | undefined } | undefined;
  /** The output that its loop writes to, once there is one. */
  output: object | undefined;
}

/** One call id of a run. Models repeat ids, and Mastra executes a call again after a suspension. */
export interface CallRecord {
  /** How many other calls had the id before. */
  readonly ordinal: number;
  readonly execution: number;
  /** It began while another delegation of the run was open, and serves a subtask of its own. */
  parallel: boolean;
  /** It was suspended, or not run after all: the next call with this id is the same one. */
  again: boolean;
}

const MAX_RESULTS = 256;

/** Keeps a tool's result for the question whether a key was seen in it. Beyond the bound the first ones count. */
export function keepResult(run: MastraRun, result: unknown): void {
  if (run.results.length < MAX_RESULTS) run.results.push(result);
}

/**
 * Lets go of what the application gave to a run that is over. Work that outlives the run, such as a timer that was set in
 * it, keeps the run's scope; it is not to keep what passed through the run.
 */
export function forget(run: MastraRun): void {
  run.requestContext = undefined;
  run.prompt = undefined;
  run.result = undefined;
  run.agents = {};
  run.results.length = 0;
}
