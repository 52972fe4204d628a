import { type Context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { contractVersion, type HandoffContractError, type Route, routesBetween } from '@seamtrace/contracts';
import {
  ATTR_ERROR_TYPE,
  ATTR_SEAMTRACE_DISPATCH_OUTCOME,
  type DispatchOutcome,
  type HandoffKind,
  type HandoffLeg,
  type HandoffMode,
} from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import { refusalOf } from '../enforce/judge.js';
import { nextHop, returnHop } from '../handoff/hop.js';
import { deriveHandoffId } from '../handoff/id.js';
import type { ContractTerms, HandoffState, PayloadFacts } from '../handoff/state.js';
import { subtask, type Task } from '../handoff/task.js';
import { routeTerms } from '../handoff/terms.js';
import { noteDispatched, type RunRecord } from '../processor/run.js';
import { guarded } from '../runtime/report.js';
import { contractAttributes, payloadAttributes } from '../stamp/evidence.js';
import { identityAttributes } from '../stamp/identity.js';
import { writeAbsent, writeStage } from '../stamp/write.js';
import type { Wiring } from './wiring.js';

/** One handoff that a framework hook follows: from its request until it is dispatched, dropped or prevented. */
export interface FollowedHandoff {
  readonly wiring: Wiring;
  /** All that is known of it; replaced, never changed in place. */
  state: HandoffState;
  readonly route: Route | undefined;
  readonly terms: ContractTerms | undefined;
  readonly span: Span;
  /** The task as the target takes it over: its hop is this handoff. */
  readonly onward: Task;
  /** The producer's run, where one is known: it lists what it dispatched. */
  readonly from: RunRecord | undefined;
  outcome: DispatchOutcome | undefined;
}

/** What a handoff is begun from. */
export interface HandoffRequest {
  readonly wiring: Wiring;
  /** Who hands over; `undefined` where nobody says it, and then no route is known. */
  readonly source: string | undefined;
  /** Whom the route decision names. */
  readonly target: string;
  /** Prefix of the id, one per framework. */
  readonly prefix: string;
  /** What makes the id: the framework's call id with its run or thread id, so that a re-executed node has the same one. */
  readonly idParts: readonly (string | number)[];
  /** The task that the source serves. */
  readonly task: Task;
  /** An id for a subtask of its own: for work that is handed out in parallel. */
  readonly subtaskId?: string | undefined;
  /** The context whose active span becomes the parent of the `handoff` span: that of the producer's run. */
  readonly context: Context;
  readonly from?: RunRecord | undefined;
  readonly mode?: HandoffMode | undefined;
  readonly kind?: HandoffKind | undefined;
  readonly leg?: HandoffLeg | undefined;
  /** The handoff that a return leg answers. */
  readonly inReplyTo?: HandoffState | undefined;
  readonly attempt?: number | undefined;
  readonly execution?: number | undefined;
  readonly startTime?: number | undefined;
}

const MAX_NAME = 128;

/** Begins a handoff: its id, its terms by the contract file, and the `handoff {target}` span below the producer's run. */
export function beginHandoff(request: HandoffRequest): FollowedHandoff {
  const { wiring, source, target, prefix, idParts, leg, inReplyTo } = request;
  const route = onlyRoute(wiring, source, target);
  const version = route === undefined ? undefined : contractVersion(route, undefined);
  const terms = route === undefined || version === undefined ? undefined : routeTerms(route, version);
  const { subtaskId } = request;
  const task = subtaskId === undefined ? request.task : subtask(request.task, { id: subtaskId });
  const hop = leg === 'return' ? returnHop(inReplyTo?.hop ?? task.hop) : nextHop(task, source, target, route?.hopLimit);
  const state: HandoffState = {
    id: deriveHandoffId(prefix, [...idParts]),
    attempt: request.attempt ?? 1,
    execution: request.execution ?? 1,
    kind: request.kind,
    mode: request.mode,
    leg,
    inReplyTo: inReplyTo?.id,
    route: route?.name,
    source: { name: source },
    target: { name: target },
    task: task.identity,
    correlationId: task.correlationId,
    hop,
    contract: terms,
  };
  const span = wiring.tracer().startSpan(
    `handoff ${target.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      attributes: identityAttributes(state, 'dispatch'),
      ...(request.startTime === undefined ? {} : { startTime: request.startTime }),
    },
    request.context,
  );
  return {
    wiring,
    state: { ...state, dispatchSpan: span.spanContext() },
    route,
    terms,
    span,
    onward: leg === 'return' ? task : { ...task, hop },
    from: request.from,
    outcome: undefined,
  };
}

/** What the producer could read as it handed over. */
export function setSource(handoff: FollowedHandoff, capture: StageCapture): void {
  handoff.state = { ...handoff.state, sourceCapture: capture };
}

/** What the target can receive, after every filter. */
export function setPayload(handoff: FollowedHandoff, capture: StageCapture, facts: PayloadFacts): void {
  handoff.state = { ...handoff.state, payloadCapture: capture, payload: facts };
}

/**
 * Writes what the dispatch says and ends its span, once. A dispatch that reached its target is listed on the span of the
 * run that made it.
 */
export function endHandoff(
  handoff: FollowedHandoff,
  outcome: DispatchOutcome,
  end: { readonly at?: number | undefined; readonly errorType?: string | undefined } = {},
): void {
  if (handoff.outcome !== undefined) return;
  handoff.outcome = outcome;
  const { span, state } = handoff;
  writeAbsent(span, { [ATTR_SEAMTRACE_DISPATCH_OUTCOME]: outcome, ...contractAttributes(state.contract) });
  if (state.sourceCapture !== undefined) writeStage(span, 'source', state.sourceCapture);
  if (state.payloadCapture !== undefined) writeStage(span, 'payload', state.payloadCapture);
  writeAbsent(span, payloadAttributes(state));
  if (end.errorType !== undefined) {
    span.setAttribute(ATTR_ERROR_TYPE, end.errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(end.at);
  if (handoff.from !== undefined && outcome === 'dispatched') noteDispatched(handoff.from, state.id);
}

/**
 * The error with which an enforcing producer refuses the handoff, by the evidence of one stage; the dispatch is then on
 * record as `prevented`. `undefined` where it goes on: what was not completely observed refuses nothing.
 */
export function refuseHandoff(handoff: FollowedHandoff, stage: 'source' | 'payload'): HandoffContractError | undefined {
  const error = guarded('the check of a handoff', () => refusalOf(handoff, stage), undefined);
  if (error !== undefined) {
    guarded('a refused handoff', () => endHandoff(handoff, 'prevented', { errorType: error.code }), undefined);
  }
  return error;
}

/** The declared route between the two; where the file declares several, the names do not say which one is meant. */
export function onlyRoute(wiring: Wiring, source: string | undefined, target: string): Route | undefined {
  const contracts = wiring.contracts();
  const routes = contracts === undefined || source === undefined ? [] : routesBetween(contracts, source, target);
  return routes.length === 1 ? routes[0] : undefined;
}
