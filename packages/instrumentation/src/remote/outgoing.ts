import { type Attributes, type Context, trace } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import { type Origin, originOf } from '../dispatch/task-at-hand.js';
import { rememberHandoff } from '../handoff/known.js';
import { deriveHandoffId } from '../handoff/id.js';
import type { HandoffState } from '../handoff/state.js';
import { beginTask } from '../handoff/task.js';
import {
  beginHandoff,
  endHandoff,
  type FollowedHandoff,
  refuseHandoff,
  setPayload,
  setSource,
} from '../hooks/handoff.js';
import { activeContext } from '../hooks/scope.js';
import type { Wiring } from '../hooks/wiring.js';
import { decodeHandoff } from '../propagation/decode.js';
import { attributesOf } from '../stamp/write.js';
import { captureContents, type MessageContents } from './contents.js';
import { hostAgent } from './host-agent.js';
import { sameAgent } from './same-agent.js';
import { captureSource } from './source-state.js';

/** A call to an agent in another process, as its client is about to send it. */
export interface OutgoingCall {
  readonly wiring: Wiring;
  /** Whom the call is addressed to. */
  readonly target: string;
  /** Who calls, where the work at hand does not tell. */
  readonly agent: string | undefined;
  /** Prefix of the handoff id: one per protocol. */
  readonly prefix: string;
  /** The protocol's own id of the message: a message that is sent again keeps its handoff id. */
  readonly callId: string;
  /** Whether `callId` is unique by itself; else it is taken within the task. */
  readonly callIdIsUnique: boolean;
  /** The protocol's conversation; it names the chain where nothing else does. */
  readonly conversationId: string | undefined;
  readonly contents: MessageContents;
  /** The caller waits for the answer. Where it goes on with its own work meanwhile, nobody can tell who owns the task. */
  readonly waits: boolean;
  /** The application called it off before it was sent. */
  readonly aborted: boolean;
  readonly attributes?: Attributes | undefined;
  /** The context of the caller. */
  readonly context: Context;
}

/** What became of a call: what is to travel with it, or the error with which an enforcing producer refuses it. */
export interface SentCall {
  /** The handoff that travels with the message. */
  readonly state: HandoffState;
  /** To whom the answer goes. */
  readonly agent: string | undefined;
  /** The caller's context, with the span of its run, else that of the dispatch. */
  readonly context: Context;
  readonly refusal: HandoffContractError | undefined;
}

/**
 * Records that the agent at work calls a remote one, and returns what is to travel with the message. `undefined` where
 * there is no boundary: an agent that calls itself.
 *
 * An agent of this process that only stands for the remote one, as a framework's proxy for it does, bears its name. Then
 * the handoff that started the proxy goes on, under its own id, and no second one is recorded.
 */
export function sendCall(call: OutgoingCall): SentCall | undefined {
  const { wiring, target } = call;
  const origin = originOf(call.context);
  const agent = origin.agent ?? hostAgent(call.agent, wiring.contracts());
  const context = origin.run === undefined ? call.context : trace.setSpan(call.context, origin.run.span);
  if (agent !== undefined && sameAgent(agent, target, wiring.contracts())) {
    const state = startedBy(origin);
    // Its answer is for whoever handed over in the first place.
    return state === undefined ? undefined : { state, agent: state.source?.name, context, refusal: undefined };
  }
  const handoff = dispatch(call, origin, agent, context);
  const refusal = refuseHandoff(handoff, 'source') ?? refuseHandoff(handoff, 'payload');
  if (refusal === undefined) endHandoff(handoff, call.aborted ? 'dropped' : 'dispatched');
  const { state } = handoff;
  return { state, agent, context: inTrace(context, state), refusal };
}

/** What the application dispatched and put into a message itself: only the answer to it is left to follow. */
export function placedCall(state: HandoffState, agent: string | undefined): SentCall {
  return { state, agent: state.source?.name ?? agent, context: inTrace(activeContext(), state), refusal: undefined };
}

/** Where no span is around, what follows belongs to the trace that the dispatch began. */
function inTrace(context: Context, { dispatchSpan }: HandoffState): Context {
  if (dispatchSpan === undefined || trace.getSpan(context) !== undefined) return context;
  return trace.setSpanContext(context, dispatchSpan);
}

function dispatch(call: OutgoingCall, origin: Origin, agent: string | undefined, context: Context): FollowedHandoff {
  const { wiring, target, prefix, callId, contents } = call;
  // A task that begins with this message is the same when the message is sent again.
  const begun = call.callIdIsUnique ? deriveHandoffId('task', [prefix, callId]) : undefined;
  const task = origin.task ?? beginTask(begun, call.conversationId);
  const scope = call.callIdIsUnique ? '' : task.identity.id;
  const idParts = [scope, callId, target];
  const known = rememberHandoff({ id: deriveHandoffId(prefix, idParts), attempt: 1, execution: 1 });
  known.dispatchedExecution += 1;
  if (origin.run !== undefined) known.dispatchedBy = new WeakRef(origin.run.span);
  const handoff = beginHandoff({
    wiring,
    source: agent,
    target,
    prefix,
    idParts,
    task,
    context,
    from: origin.run,
    mode: call.waits ? 'delegation' : undefined,
    execution: known.dispatchedExecution,
  });
  if (call.attributes !== undefined) handoff.span.setAttributes(call.attributes);
  const secret = wiring.secret();
  setSource(handoff, captureSource(call.context, contents, handoff.terms, secret));
  const { capture, channel } = captureContents(contents, handoff.terms, secret);
  const { size, textSize, references } = contents;
  setPayload(handoff, capture, { channel, size, textSize, references });
  known.state = handoff.state;
  if (origin.run === undefined && origin.frame !== undefined) origin.frame.dispatched = true;
  return handoff;
}

/** The one handoff that started the work at hand: by the frame it is accepted in, else by what stands on its run's span. */
function startedBy({ run, frame }: Origin): HandoffState | undefined {
  if (frame !== undefined && frame.joined.length === 0 && frame.state.leg !== 'return') return frame.state;
  return run === undefined ? undefined : decodeHandoff({ ...attributesOf(run.span) });
}
