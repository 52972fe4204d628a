import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { contractVersion, type Route } from '@seamtrace/contracts';
import { ATTR_ERROR_TYPE, ATTR_SEAMTRACE_DISPATCH_OUTCOME, type DispatchOutcome } from '@seamtrace/semconv';
import { nextHop } from '../../handoff/hop.js';
import { onlyRoute } from '../../hooks/handoff.js';
import { deriveHandoffId } from '../../handoff/id.js';
import type { ContractTerms, HandoffState } from '../../handoff/state.js';
import type { Task } from '../../handoff/task.js';
import { routeTerms } from '../../handoff/terms.js';
import { contractAttributes, payloadAttributes } from '../../stamp/evidence.js';
import { identityAttributes } from '../../stamp/identity.js';
import { writeAbsent, writeStage } from '../../stamp/write.js';
import type { AgentRun } from './agent-run.js';
import type { CarrierReading } from './carriers.js';
import type { HandoffCall, MadeCall } from './handoff-call.js';
import type { HandoffLike } from './internal-types.js';

/** One handoff on its way: from the call of the model until the next agent begins, or the run ends without one. */
export interface Dispatch {
  state: HandoffState;
  readonly route: Route | undefined;
  readonly terms: ContractTerms | undefined;
  /** The call as the model made it. */
  readonly made: MadeCall;
  /** The call as it stands now; a filter may have given it another id or name. */
  call: HandoffCall;
  readonly span: Span;
  readonly startedAt: number;
  /** The handoff as the SDK sees it; its `inputFilter` tells whether a filter is still to come. */
  readonly handoff: HandoffLike | undefined;
  /** The arguments of the call as they stand now; `undefined` once a filter took the call away. */
  args: string | undefined;
  /** The source as it was before and after the application's `onHandoff`. */
  sourceSeen: CarrierReading | undefined;
  /** The handoff returned the agent that takes over. */
  returned: boolean;
  /** The listeners of `agent_handoff` are through. */
  announced: boolean;
  /** Keys may have left the carriers for where they cannot be seen. */
  hidden: boolean;
  /** What became of the call in a filter is not known. */
  callUnclear: boolean;
  /** The agent that the handoff returned: who really takes over. */
  destination: string | undefined;
  endedAt: number | undefined;
  outcome: DispatchOutcome | undefined;
  /** Whether a key may have gone another way than by the carriers; `undefined` where nothing but them is sent. */
  mayHold: ((path: string) => boolean) | undefined;
}

export interface DispatchRequest {
  readonly source: string;
  readonly target: string;
  readonly call: HandoffCall;
  readonly args: string | undefined;
  /** Position among the handoffs of one model response; only the first, 0, is run. */
  readonly position: number;
  readonly handoff: HandoffLike | undefined;
  /** A run that begins inside a tool call; a transfer otherwise. */
  readonly delegation?: Delegated | undefined;
}

/** What makes a delegation's identity. */
export interface Delegated {
  /** The call that delegates, told apart from others of its run. */
  readonly idParts: readonly (string | number)[];
  readonly execution: number;
  /** The task that the other agent serves: that of the source, or a part of it. */
  readonly task: Task;
}

const MAX_NAME = 128;

/** Begins a dispatch: identity, terms and the `dispatch` span under the producer's `invoke_agent`. */
export function beginDispatch(run: AgentRun, request: DispatchRequest): Dispatch {
  const { source, target, call, position, delegation } = request;
  const route = onlyRoute(run.wiring, source, target);
  const version = route === undefined ? undefined : contractVersion(route, undefined);
  const terms = route === undefined || version === undefined ? undefined : routeTerms(route, version);
  const { nonce } = run.memory;
  const task = delegation?.task ?? run.memory.task;
  const hop = nextHop(task, source, target, route?.hopLimit);
  // The first keeps the plain derivation; further calls of one turn may name the same target and are told apart.
  const parts = delegation === undefined ? [nonce, hop.index, source, target] : [nonce, ...delegation.idParts];
  const id = deriveHandoffId('oai', position === 0 ? parts : [...parts, position]);
  const attempt = delegation === undefined ? nextAttempt(run, id) : 1;
  const state: HandoffState = {
    id,
    attempt,
    execution: delegation?.execution ?? 1,
    mode: delegation === undefined ? 'transfer' : 'delegation',
    route: route?.name,
    source: { name: source },
    target: { name: target },
    task: task.identity,
    correlationId: task.correlationId,
    hop,
    contract: terms,
  };
  const startedAt = run.now();
  const span = run.tracer.startSpan(
    `handoff ${target.slice(0, MAX_NAME)}`,
    { kind: SpanKind.INTERNAL, attributes: identityAttributes(state, 'dispatch'), startTime: startedAt },
    producerContext(run),
  );
  return {
    state,
    route,
    terms,
    made: { ...call, args: request.args },
    call,
    span,
    startedAt,
    handoff: request.handoff,
    args: request.args,
    sourceSeen: undefined,
    returned: false,
    announced: false,
    hidden: false,
    callUnclear: false,
    destination: undefined,
    endedAt: undefined,
    outcome: undefined,
    mayHold: undefined,
  };
}

function nextAttempt({ memory }: AgentRun, id: string): number {
  const attempt = (memory.attempts.get(id) ?? 0) + 1;
  memory.attempts.set(id, attempt);
  return attempt;
}

/** Writes what the dispatch says and ends its span at the moment the dispatch was over. */
export function endDispatch(dispatch: Dispatch, outcome: DispatchOutcome, now: number, errorType?: string): void {
  if (dispatch.outcome !== undefined) return;
  dispatch.outcome = outcome;
  const { span, state } = dispatch;
  writeAbsent(span, { [ATTR_SEAMTRACE_DISPATCH_OUTCOME]: outcome, ...contractAttributes(state.contract) });
  if (state.sourceCapture !== undefined) writeStage(span, 'source', state.sourceCapture);
  if (state.payloadCapture !== undefined) writeStage(span, 'payload', state.payloadCapture);
  writeAbsent(span, payloadAttributes(state));
  if (errorType !== undefined) {
    span.setAttribute(ATTR_ERROR_TYPE, errorType);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(dispatch.endedAt ?? now);
}

/** The context under which the next agent's span stands: below the dispatch that led to it. */
export function consumerContext(run: AgentRun, dispatch: Dispatch): Context {
  return trace.setSpan(run.baseContext, dispatch.span);
}

function producerContext(run: AgentRun): Context {
  const producer = run.turn?.span ?? run.lastSpan;
  return producer === undefined ? run.baseContext : trace.setSpan(run.baseContext, producer);
}
