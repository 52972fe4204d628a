import { widest } from '../../capture/channel.js';
import { trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside, type WorkingAgent } from '../../hooks/ingest.js';
import { text } from '../../hooks/own-data.js';
import type { AgentRun, ToolCallSpan } from './agent-run.js';
import { readCarriers, stageEvidence } from './carriers.js';

/** Nothing that a model reads besides is looked at: where a required key is not in a carrier, nothing is said. */
const UNSEEN = { hidden: false, seenByModel: { mention: () => true } };

/**
 * A tool call in which agents were run is over: each that came to an end hands back to the agent that had called the tool. The
 * carriers are what both share, and the call's result where it is JSON; a result in prose is none.
 */
export function returns(run: AgentRun, call: ToolCallSpan): void {
  const { turn, wiring } = run;
  if (turn === undefined || call.errorType !== undefined) return;
  const sole = call.delegations.length === 1;
  for (const delegation of call.delegations) {
    const { dispatch, returnedBy: source, task, context } = delegation;
    if (source === undefined) continue;
    const handoff = beginHandoff({
      wiring,
      source,
      target: turn.name,
      prefix: 'oai',
      idParts: [dispatch.state.id, 'return'],
      execution: dispatch.state.execution,
      task,
      context: trace.setSpan(run.baseContext, call.span),
      mode: 'delegation',
      leg: 'return',
      inReplyTo: dispatch.state,
      startTime: run.now(),
    });
    const { terms } = handoff;
    const secret = wiring.secret();
    // Where a tool ran several agents, its result is nobody's alone.
    const args = sole ? structured(call.result) : undefined;
    const produced = readCarriers({ context, args, tools: undefined }, terms, secret);
    const sent = readCarriers({ context: call.context, args, tools: undefined }, terms, secret);
    const channel = widest(produced.channel, sent.channel);
    setSource(handoff, stageEvidence(produced.capture, terms, { channel, ...UNSEEN }));
    setPayload(handoff, stageEvidence(sent.capture, terms, { channel, ...UNSEEN }), { channel });
    endHandoff(handoff, 'dispatched', { at: run.now() });
    run.returned.push({ handoff, result: args });
  }
}

/** A result whose members can be read; an answer in prose is no broken JSON. */
function structured(result: unknown): string | undefined {
  const given = text(result);
  return given !== undefined && /^\s*[[{]/.test(given) ? given : undefined;
}

/** The model of the agent that had called is about to be called: what it can read of what came back. */
export function returnsAreRead(run: AgentRun, context: unknown): void {
  const agent = workingAgent(run);
  if (agent === undefined) return;
  for (const { handoff, result } of run.returned.splice(0)) {
    const { terms, state } = handoff;
    const reading = readCarriers({ context, args: text(result), tools: undefined }, terms, run.wiring.secret());
    const channel = state.payload?.channel ?? reading.channel;
    ingestBeside(agent, handoff, stageEvidence(reading.capture, terms, { channel, ...UNSEEN }));
  }
}

/** The run is over before its model has read what came back. */
export function returnsAreUnread(run: AgentRun, failed: boolean): void {
  const agent = workingAgent(run);
  if (agent === undefined) return;
  for (const { handoff } of run.returned.splice(0))
    ingestBeside(agent, handoff, unseenStage(failed ? 'error' : 'unsupported'));
}

/** The agent whose turn it is, for what comes to it while it is at work. */
export function workingAgent(run: AgentRun): WorkingAgent | undefined {
  const { turn, wiring, now, baseContext } = run;
  if (turn === undefined) return undefined;
  return { wiring, agent: turn.name, context: trace.setSpan(baseContext, turn.span), now, startedAt: turn.startedAt };
}
