import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { memberOf, ownData } from '../../hooks/own-data.js';
import { stageEvidence } from '../../hooks/stage-carriers.js';
import type { Wiring } from '../../hooks/wiring.js';
import { read, readableBy, readableIn, textsOf } from './carriers.js';
import { askHandoff } from './handoff-flow.js';
import type { AgentFrame, Scope, StrandsHandoff, ToolStep } from './scope.js';

// Agents that run inside a tool: as tools themselves, or called by a tool of the application's. What they bring back is a
// handoff of its own.

/** A delegation by a tool call, asked for as its target becomes known. */
export function askDelegation(wiring: Wiring, tool: ToolStep, target: string): StrandsHandoff {
  const { frame, toolUseId, input } = tool;
  const { spanId } = frame.run.span.spanContext();
  tool.runs += 1;
  return askHandoff({
    wiring,
    source: frame,
    sourceName: frame.name,
    target,
    task: frame.run.record.task,
    idParts: [
      frame.run.record.task.identity.id,
      spanId,
      toolUseId ?? tool.name,
      frame.run.record.dispatchedIds.length,
      frame.name,
      target,
    ],
    mode: 'delegation',
    context: frame.run.context,
    shared: frame.shared,
    // An agent as a tool is given the text of one argument, which may be a JSON object itself.
    sent: [input, ownData(input, 'input')],
  });
}

/** An agent begins inside a tool: the delegation by which it does. */
export function delegationInto(
  wiring: Wiring,
  scope: Scope | undefined,
  agent: object,
  name: string,
): StrandsHandoff | undefined {
  const tool = scope?.tool;
  if (tool === undefined || tool.frame.agent === agent || tool.frame.run.ended) return undefined;
  const { announced } = tool;
  tool.announced = undefined;
  if (announced !== undefined) return announced;
  return name === tool.frame.name ? undefined : askDelegation(wiring, tool, name);
}

/** A delegate is done: what it has goes back to the agent whose tool it ran in. */
export function delegateReturns(delegate: AgentFrame, tool: ToolStep, result: unknown): void {
  const { handoff: forward, run } = delegate;
  if (forward?.followed.state.mode !== 'delegation' || tool.frame.run.ended) return;
  const { wiring } = run;
  const followed = beginHandoff({
    wiring,
    source: delegate.name,
    target: tool.frame.name,
    prefix: 'strands',
    idParts: [forward.followed.state.id, 'return'],
    task: run.record.task,
    context: run.context,
    from: run.record,
    mode: 'delegation',
    leg: 'return',
    inReplyTo: forward.followed.state,
  });
  const output = [ownData(result, 'structuredOutput'), ...textsOf([memberOf(result, 'lastMessage').value])];
  const source = read(wiring, followed.terms, delegate.shared, [...readableBy(delegate), ...output]);
  const payload = read(wiring, followed.terms, delegate.shared, output);
  const { channel } = source;
  setSource(
    followed,
    stageEvidence(source.capture, followed.terms, { channel, readable: () => readableIn(delegate.messages) }),
  );
  setPayload(followed, stageEvidence(payload.capture, followed.terms, { channel, readable: () => output }), {
    channel,
  });
  tool.returning = { followed, source: delegate, sent: output, asked: source };
}

/** The tool is done: what its delegate brought back is its result, unless it failed. */
export function toolReturns(tool: ToolStep, failed: boolean): void {
  const { returning, frame, toolUseId } = tool;
  if (returning === undefined) return;
  tool.returning = undefined;
  endHandoff(returning.followed, failed ? 'dropped' : 'dispatched');
  if (!failed) frame.returns.push({ handoff: returning, toolUseId });
}
