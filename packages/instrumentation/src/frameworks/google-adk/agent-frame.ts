import { sharedStorage } from '../../hooks/shared-storage.js';
import type { FollowedRun } from '../../hooks/agent-run.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import type { ToolCall } from '../../hooks/tool-call.js';
import type { AgentLike, InvocationContextLike } from './internal-types.js';
import type { AgentShape } from './agent-shape.js';

/** A handoff of this framework: what the kit follows, and what tells it apart from others of the same agent. */
export interface AdkHandoff {
  readonly followed: FollowedHandoff;
  readonly target: string;
  /** The agent that hands over. */
  readonly source: string;
  /** The call by which the model asked for it. */
  readonly call: CallFacts | undefined;
  /** Whom the framework is going to run by it, once the transfer tool has run. */
  granted: string | undefined;
}

/** A function call of the model. */
export interface CallFacts {
  readonly id: string | undefined;
  readonly tool: string;
  /** Its arguments, without those that only say how to hand over. */
  readonly args: unknown;
}

/** A tool at work. The framework runs the calls of one model response one after another. */
export interface OpenCall extends CallFacts {
  readonly span: ToolCall | undefined;
  /** The delegation that an `AgentTool` announces before its agent runs. */
  announced: AdkHandoff | undefined;
  /** False where the agents inside are steps of a workflow, and no delegates. */
  readonly followed: boolean;
  /** What came back from an agent that was run inside, and waits for the call to end. */
  returning: AdkHandoff | undefined;
  /** What that agent had as it ended. */
  returns: DelegateEnd | undefined;
  errorType: string | undefined;
}

/** What an agent inside a tool call had as it ended: the state of its session, what it wrote, and the session's events. */
export interface DelegateEnd {
  readonly state: unknown;
  readonly wrote: readonly object[];
  readonly events: unknown;
}

/** Agents that worked one after another inside a workflow agent, in groups of those that worked at the same time. */
export interface Steps {
  /** Who hands over to the agents of the group at work: nobody in the first one but whom the workflow agent follows. */
  before: readonly AgentFrame[];
  /** The agents of the group at work, and how many of them are not done. */
  group: AgentFrame[];
  active: number;
}

export interface Invocation {
  /** How often each handoff was asked for: ids of calls are the model's, and models repeat them. */
  readonly asked: Map<string, number>;
  /** The answers of people that it began with are on record. */
  answered: boolean;
}

/** One agent at work, between the first `next()` of its generator and the last. */
export interface AgentFrame {
  readonly run: FollowedRun;
  readonly agent: AgentLike;
  readonly name: string;
  readonly shape: AgentShape;
  readonly context: InvocationContextLike;
  readonly invocationId: string | undefined;
  /** What the agents of one invocation have in common. */
  readonly invocation: Invocation;
  /** The agent around it in the same invocation. */
  readonly parent: AgentFrame | undefined;
  /** The agent around it, in whatever invocation. */
  readonly around: AgentFrame | undefined;
  /** The call of a tool inside which it runs. */
  readonly inside: OpenCall | undefined;
  /** The handoffs that started it. */
  readonly started: readonly AdkHandoff[];
  readonly steps: Steps;
  call: OpenCall | undefined;
  /** Transfers that were asked for and did not run yet. */
  transfers: AdkHandoff[];
  /** What delegates brought back and neither a model nor a tool has been given yet. */
  returns: AdkHandoff[];
  /** The state deltas of its events: what it wrote, also where that never reached the session. */
  wrote: object[];
  /** The agent that took over from it. */
  movedTo: AgentFrame | undefined;
  /** The class of the error that its model call threw, for the event that the framework makes of it. */
  modelError: string | undefined;
  errorType: string | undefined;
  /** How the list of agents at work knows it. */
  reference: WeakRef<AgentFrame> | undefined;
}

/** A place for an agent at work. Timers that begin in its work may outlive it, and then hold the place only. */
export interface FrameCell {
  frame: AgentFrame | undefined;
}

const frames = sharedStorage<FrameCell>('google-adk.v1.frames');

/** The agent in whose work this code runs. Of Node.js's own means, so that an application may change the trace inside. */
export function currentFrame(): AgentFrame | undefined {
  const frame = frames.getStore()?.frame;
  return frame === undefined || frame.run.ended ? undefined : frame;
}

export function withFrame<T>(cell: FrameCell, work: () => T): T {
  return frames.run(cell, work);
}

/** The agents whose work led up to here: those to whom ownership moved last. */
export function endsOf(frame: AgentFrame): readonly AgentFrame[] {
  if (frame.movedTo !== undefined) return endsOf(frame.movedTo);
  if (frame.steps.group.length > 0) return frame.steps.group.flatMap(endsOf);
  const works = frame.shape === 'model' || frame.shape === 'own' || frame.shape === 'remote';
  return works ? [frame] : frame.steps.before;
}
