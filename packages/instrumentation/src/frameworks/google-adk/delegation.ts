import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import type { AdkHandoff, AgentFrame, CallFacts, OpenCall } from './agent-frame.js';
import { stageEvidence } from '../../hooks/stage-carriers.js';
import { askHandoff, read, stateOf } from './handoff-flow.js';
import { readableOf } from './history.js';
import type { ToolLike } from './internal-types.js';

// Agents that run inside a tool call: by `AgentTool`, by an agent among the tools, or by a tool of the application's that
// runs an agent itself. What they bring back is a handoff of its own.

const AGENT_TOOL = Symbol.for('google.adk.agentTool');
const NODE_TOOL = Symbol.for('google.adk.workflow.nodeTool');
const BASE_AGENT = Symbol.for('google.adk.baseAgent');

/**
 * The delegation that a tool of the framework's stands for, asked for as its call begins. A tool that runs a workflow hands
 * over to no one agent: then there is no handoff, and the agents inside are not followed as delegates.
 */
export function announceDelegation(
  frame: AgentFrame,
  tool: ToolLike,
  call: CallFacts,
): { readonly handoff: AdkHandoff | undefined; readonly followed: boolean } | undefined {
  const agent = isMarked(tool, AGENT_TOOL)
    ? ownData(tool, 'agent')
    : isMarked(tool, NODE_TOOL)
      ? ownData(tool, 'node')
      : undefined;
  if (agent === undefined) return undefined;
  const target = isMarked(agent, BASE_AGENT) ? text(ownData(agent, 'name')) : undefined;
  if (target === undefined || target === frame.name) return { handoff: undefined, followed: false };
  return { handoff: askHandoff(frame, { target, call, mode: 'delegation' }), followed: true };
}

/** An agent begins inside a tool call: the delegation by which it does. */
export function delegationInto(frame: AgentFrame, call: OpenCall, name: string): AdkHandoff | undefined {
  if (!call.followed) return undefined;
  const { announced } = call;
  call.announced = undefined;
  if (announced !== undefined) return announced;
  return name === frame.name ? undefined : askHandoff(frame, { target: name, call, mode: 'delegation' });
}

/** A delegate is done: what it has goes back to the agent whose tool call it ran in, if that still waits for it. */
export function delegateReturns(delegate: AgentFrame, to: AgentFrame, call: OpenCall): void {
  const [forward] = delegate.started;
  if (forward === undefined || to.call !== call || to.run.ended) return;
  // Of several agents in one call the tool makes one result; each comes back as it ends.
  settleReturn(call, undefined);
  const { wiring, context, record } = delegate.run;
  const followed = beginHandoff({
    wiring,
    source: delegate.name,
    target: to.name,
    prefix: 'adk',
    idParts: [forward.followed.state.id, 'return'],
    task: record.task,
    context,
    mode: 'delegation',
    leg: 'return',
    inReplyTo: forward.followed.state,
  });
  call.returning = { followed, target: to.name, source: delegate.name, call, granted: undefined };
  call.returns = {
    state: stateOf(delegate.context),
    wrote: delegate.wrote,
    events: memberOf(delegate.context.session, 'events').value,
  };
  to.returns.push(call.returning);
}

/** The tool call in which delegates ran is over: they came back with its result, or not at all. */
export function delegateCallEnds(_frame: AgentFrame, call: OpenCall, result: unknown): void {
  if (call.errorType === undefined) settleReturn(call, result);
}

function settleReturn(call: OpenCall, result: unknown): void {
  const { returning, returns } = call;
  if (returning === undefined || returns === undefined) return;
  call.returning = undefined;
  const { capture, channel } = read(returning, { state: returns.state, envelopes: [...returns.wrote, result] });
  const { followed } = returning;
  const readable = () => (Array.isArray(returns.events) ? returns.events.flatMap(readableOf) : []);
  const evidence = stageEvidence(capture, followed.terms, { channel, readable });
  setSource(followed, evidence);
  setPayload(followed, evidence, { channel });
  endHandoff(followed, 'dispatched');
}

function isMarked(value: unknown, mark: symbol): boolean {
  return typeof value === 'object' && value !== null && Object.getOwnPropertyDescriptor(value, mark)?.value === true;
}
