import { widest } from '../../capture/channel.js';
import type { AgentRun } from './agent-run.js';
import { unite } from '../../capture/unite.js';
import { type CarrierReading, readCarriers, stageEvidence } from './carriers.js';
import type { Dispatch } from './dispatch.js';
import type { RunContextLike } from './internal-types.js';
import { declaredTools } from './agent-tools.js';
import { seenByModel } from './transcript.js';

/** Both carriers of a dispatch as they are now. */
export function readNow(run: AgentRun, dispatch: Dispatch, runContext: unknown): CarrierReading {
  const { terms } = dispatch;
  const args = dispatch.callUnclear ? undefined : dispatch.args;
  const context = (runContext as RunContextLike | undefined)?.context;
  return readCarriers({ context, args, tools: declaredTools(dispatch.handoff?.agent) }, terms, run.wiring.secret());
}

/**
 * What was seen of the source so far, and now. What a callback of the application's adds the producer can read when it
 * hands over; what it removes it could read a moment before.
 */
export function withEarlier({ sourceSeen, terms }: Dispatch, reading: CarrierReading): CarrierReading {
  if (sourceSeen === undefined) return reading;
  return {
    capture: unite(sourceSeen.capture, reading.capture, terms),
    channel: widest(sourceSeen.channel, reading.channel),
  };
}

/** What the producer could read: before `onHandoff`, up to the last listener, and what the model wrote into the call. */
export function concludeSource(run: AgentRun, dispatch: Dispatch, { capture, channel }: CarrierReading): void {
  const { mayHold } = dispatch;
  const facts = { channel, hidden: false, mayHold, seenByModel: seenByModel(run, dispatch) };
  dispatch.state = {
    ...dispatch.state,
    sourceCapture: stageEvidence(capture, dispatch.terms, facts),
    payload: { channel },
  };
}

/** What the target can receive, as it stands after every filter. */
export function concludePayload(run: AgentRun, dispatch: Dispatch, reading: CarrierReading): void {
  const channel = widest(dispatch.state.payload?.channel, reading.channel);
  const { hidden, mayHold } = dispatch;
  const facts = { channel, hidden, mayHold, seenByModel: seenByModel(run, dispatch) };
  // The context is shared, not sent: what the SDK serializes of a handoff is the call's arguments.
  const size = channel === 'envelope' ? Buffer.byteLength(dispatch.args ?? '') : undefined;
  dispatch.state = {
    ...dispatch.state,
    payloadCapture: stageEvidence(reading.capture, dispatch.terms, facts),
    payload: { channel, size },
  };
}
