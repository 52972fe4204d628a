import { type Attributes, type Context } from '@opentelemetry/api';
import { contractVersion, routesBetween } from '@seamtrace/contracts';
import { beginAccept } from '../accept/begin.js';
import { forgetCandidates } from '../accept/bind.js';
import { emitIngestSpan } from '../accept/ingest-span.js';
import { returnHop } from '../handoff/hop.js';
import { deriveHandoffId } from '../handoff/id.js';
import type { HandoffState } from '../handoff/state.js';
import { carriedTask } from '../handoff/task.js';
import { routeTerms } from '../handoff/terms.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../hooks/handoff.js';
import type { Wiring } from '../hooks/wiring.js';
import type { RunRecord } from '../processor/run.js';
import { linksAcross } from '../stamp/link.js';
import { captureContents, type MessageContents } from './contents.js';
import { captureSource } from './source-state.js';
import type { SentCall } from './outgoing.js';

// The answer to a call is a leg of its own. Nothing of ours travels with it: both sides derive its id from that of the call,
// so a server changes no answer that it gives.

const idParts = ({ id, attempt }: HandoffState): readonly (string | number)[] => [id, attempt, 'return'];

/** What the callee's side knows of an answer that it gives. */
export interface GivenAnswer {
  readonly wiring: Wiring;
  readonly prefix: string;
  /** The handoff that the call brought. */
  readonly call: HandoffState;
  /** Who answers. */
  readonly agent: string;
  readonly contents: MessageContents;
  /** The context of the callee's work, with the span of its run. */
  readonly context: Context;
  readonly from: RunRecord | undefined;
  readonly attributes?: Attributes | undefined;
}

/** Records that a called agent hands its answer back. Does nothing for a caller without a name. */
export function giveAnswer(answer: GivenAnswer): void {
  const { wiring, prefix, call, agent, contents, context, from, attributes } = answer;
  const caller = call.source?.name;
  if (caller === undefined || call.leg === 'return') return;
  const handoff = beginHandoff({
    wiring,
    source: agent,
    target: caller,
    prefix,
    idParts: idParts(call),
    task: carriedTask(call.task, call.correlationId, call.hop),
    context,
    from,
    leg: 'return',
    inReplyTo: call,
    execution: call.execution,
  });
  if (attributes !== undefined) handoff.span.setAttributes(attributes);
  // Nothing of the callee's trace is told to the caller, so the link to the caller's is made here.
  for (const link of linksAcross(call.dispatchSpan, handoff.span.spanContext())) handoff.span.addLink?.(link);
  const secret = wiring.secret();
  setSource(handoff, captureSource(context, contents, handoff.terms, secret));
  const { capture, channel } = captureContents(contents, handoff.terms, secret);
  const { size, textSize, references } = contents;
  setPayload(handoff, capture, { channel, size, textSize, references });
  endHandoff(handoff, 'dispatched');
}

/**
 * Records what the caller can read of the answer. A return is never enforced here: what came back is the caller's, whatever
 * it lacks.
 */
export function takeAnswer(
  wiring: Wiring,
  prefix: string,
  sent: SentCall,
  contents: MessageContents,
  attributes?: Attributes,
): void {
  const call = sent.state;
  const [callee, caller] = [call.target?.name, sent.agent];
  if (callee === undefined || caller === undefined) return;
  const contracts = wiring.contracts();
  const routes = contracts === undefined ? [] : routesBetween(contracts, callee, caller);
  const route = routes.length === 1 ? routes[0] : undefined;
  const version = route === undefined ? undefined : contractVersion(route);
  const state: HandoffState = {
    id: deriveHandoffId(prefix, idParts(call)),
    attempt: 1,
    execution: call.execution,
    leg: 'return',
    inReplyTo: call.id,
    route: route?.name,
    source: { name: callee },
    target: { name: caller },
    task: call.task,
    correlationId: call.correlationId,
    hop: returnHop(call.hop),
    contract: route === undefined || version === undefined ? undefined : routeTerms(route, version),
  };
  const frame = beginAccept(state, sent.context, { contracts, agent: caller, attributes });
  const { capture } = captureContents(contents, frame.terms, wiring.secret());
  const result = { capture, outcome: 'accepted' as const, violations: [], endedAtMs: Date.now() };
  frame.ingest = result;
  emitIngestSpan(wiring.tracer(), frame, result, sent.context);
  forgetCandidates(frame);
}
