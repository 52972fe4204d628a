import { widest } from '../../capture/channel.js';
import { canonicalJson, type HandoffContractError, keyedDigest } from '@seamtrace/contracts';
import { unite } from '../../capture/unite.js';
import { newHandoffId } from '../../handoff/id.js';
import {
  beginHandoff,
  endHandoff,
  type HandoffRequest,
  refuseHandoff,
  setPayload,
  setSource,
} from '../../hooks/handoff.js';
import { elements, memberOf, ownData } from '../../hooks/own-data.js';
import type { AdkHandoff, AgentFrame, CallFacts } from './agent-frame.js';
import { type CarrierReading, type Carriers, readCarriers, stageEvidence } from '../../hooks/stage-carriers.js';
import { withoutScopes } from './carriers.js';
import { invocationOfCall, openingMessage, reachingEvents, readableOf, textsOf } from './history.js';
import type { AgentLike, InvocationContextLike } from './internal-types.js';

/** A handoff that a model asked for by a call, or that became known as its target began. */
export interface AskedHandoff {
  readonly target: string;
  readonly call: CallFacts | undefined;
  readonly mode: 'transfer' | 'delegation';
}

/** Stands for a state that only code of the application's could give: no record, and so never a complete one. */
const UNREADABLE = Symbol('unreadable');

/** What the source could read at a moment before the target began. */
const earlier = new WeakMap<AdkHandoff, CarrierReading>();

/** An agent asks to hand over: the handoff is on record from now on, with what its source can read. */
export function askHandoff(frame: AgentFrame, { target, call, mode }: AskedHandoff): AdkHandoff {
  const { session } = frame.context;
  // A call that is taken up again in a later invocation is the same call, so the handoff is the same one.
  const made = call?.id === undefined ? undefined : (invocationOfCall(session, call.id) ?? frame.invocationId);
  const parts = [sessionIdOf(frame.context) ?? '', made ?? '', call?.id ?? newHandoffId(), frame.name, target];
  const key = JSON.stringify(parts);
  const nth = frame.invocation.asked.get(key) ?? 0;
  frame.invocation.asked.set(key, nth + 1);
  const handoff = begin({
    frame,
    target,
    call,
    request: {
      idParts: nth === 0 ? parts : [...parts, nth],
      task: frame.run.record.task,
      from: frame.run.record,
      mode,
      execution: made === undefined || made === frame.invocationId ? 1 : 2,
    },
  });
  earlier.set(handoff, readSource(frame, handoff));
  return handoff;
}

/** One agent is done, and another goes on with the session that both share. */
export function stepHandoff(frame: AgentFrame, target: string, subtaskId: string | undefined): AdkHandoff {
  const { task } = frame.run.record;
  const { spanId } = frame.run.span.spanContext();
  return begin({
    frame,
    target,
    call: undefined,
    request: {
      idParts: [
        sessionIdOf(frame.context) ?? '',
        frame.invocationId ?? '',
        frame.name,
        target,
        task.hop?.index ?? 0,
        spanId,
      ],
      task,
      subtaskId,
      mode: 'transfer',
    },
  });
}

interface Begun {
  readonly frame: AgentFrame;
  readonly target: string;
  readonly call: CallFacts | undefined;
  readonly request: Pick<HandoffRequest, 'idParts' | 'task' | 'from' | 'mode' | 'subtaskId' | 'execution'>;
}

function begin({ frame, target, call, request }: Begun): AdkHandoff {
  const { wiring, context } = frame.run;
  const followed = beginHandoff({ wiring, source: frame.name, target, prefix: 'adk', context, ...request });
  return { followed, target, source: frame.name, call, granted: undefined };
}

/**
 * The target is about to run: source and payload are what they are now. Returns the error with which an enforcing producer
 * keeps it from running.
 */
export function concludeHandoff(
  handoff: AdkHandoff,
  source: AgentFrame,
  target: AgentLike,
  into: InvocationContextLike,
): HandoffContractError | undefined {
  const { followed } = handoff;
  const now = concludeSource(handoff, source);
  if (handoff.call === undefined) followed.state = { ...followed.state, stateDigest: stateDigest(handoff, into) };
  const { session } = into;
  const reaching = reachingEvents(target, session);
  const arriving = new Set(reaching.flatMap(textsOf));
  const opening = openingMessage(session, idOf(into)).filter((each) => arriving.has(each));
  const delegated = followed.state.mode === 'delegation';
  // A delegate is given its request as a message; whoever takes over finds the call itself in the history.
  const envelopes = delegated ? opening : [handoff.call?.args, ...opening];
  const reading = read(handoff, { state: stateOf(into), envelopes });
  const channel = widest(now.channel, reading.channel);
  setPayload(
    followed,
    stageEvidence(reading.capture, followed.terms, { channel, readable: () => reaching.flatMap(readableOf) }),
    { channel },
  );
  return refuseHandoff(followed, 'source') ?? refuseHandoff(followed, 'payload');
}

/** The target runs. */
export function dispatched(handoff: AdkHandoff): void {
  endHandoff(handoff.followed, 'dispatched');
}

/** It was asked for, and nobody was run by it. */
export function dropHandoff(handoff: AdkHandoff, source: AgentFrame, errorType?: string): void {
  const { followed } = handoff;
  if (followed.outcome !== undefined) return;
  const { channel } = concludeSource(handoff, source);
  setPayload(followed, followed.state.sourceCapture!, { channel });
  endHandoff(followed, 'dropped', { errorType });
}

/** The error with which an enforcing producer refuses what it was asked for, before anything is run. */
export function refuseSource(handoff: AdkHandoff, source: AgentFrame): HandoffContractError | undefined {
  concludeSource(handoff, source);
  return refuseHandoff(handoff.followed, 'source');
}

/**
 * The signature by which a task is known that came back to where it was, for steps of a workflow: rounds of those are meant,
 * and go round in vain only where the next agent finds the state as it found it before.
 */
function stateDigest({ followed, target }: AdkHandoff, into: InvocationContextLike): string | undefined {
  const secret = followed.wiring.secret();
  const state = secret === undefined || secret === '' ? undefined : canonicalJson(stateOf(into));
  return state === undefined || secret === undefined ? undefined : keyedDigest(secret, JSON.stringify([target, state]));
}

/** What the source can read: what a callback adds it can read when it hands over, what one removes it could before. */
function concludeSource(handoff: AdkHandoff, source: AgentFrame): CarrierReading {
  const { followed } = handoff;
  const seen = earlier.get(handoff);
  const now = readSource(source, handoff);
  const capture = seen === undefined ? now.capture : unite(seen.capture, now.capture, followed.terms);
  const channel = widest(seen?.channel, now.channel);
  const history = () => elements(memberOf(source.context.session, 'events').value).flatMap(readableOf);
  setSource(followed, stageEvidence(capture, followed.terms, { channel, readable: history }));
  return { capture, channel };
}

function readSource(source: AgentFrame, handoff: AdkHandoff): CarrierReading {
  const opening = openingMessage(source.context.session, source.invocationId);
  const args = handoff.call?.args;
  // An agent as a tool is given the text of one argument, which may be a JSON object itself.
  const request = handoff.followed.state.mode === 'delegation' ? ownData(args, 'request') : undefined;
  const envelopes = [args, request, ...opening, ...source.wrote];
  return read(handoff, { state: stateOf(source.context), envelopes });
}

export function read({ followed }: AdkHandoff, carriers: Carriers): CarrierReading {
  return readCarriers(carriers, followed.terms, followed.wiring.secret());
}

export function stateOf(context: InvocationContextLike): unknown {
  const { readable, value } = memberOf(context.session, 'state');
  // Not known is not empty.
  if (!readable) return UNREADABLE;
  return typeof value === 'object' && value !== null ? withoutScopes(value) : value;
}

export function sessionIdOf(context: InvocationContextLike): string | undefined {
  const { value } = memberOf(context.session, 'id');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function idOf(context: InvocationContextLike): string | undefined {
  const { value } = memberOf(context, 'invocationId');
  return typeof value === 'string' && value !== '' ? value : undefined;
}
