import type { Context, Tracer } from '@opentelemetry/api';
import type { Contracts, HandoffContractError } from '@seamtrace/contracts';
import type { EnforceOverride } from '../enforce/mode.js';
import { createHandle, type Handoff } from '../handoff/handle.js';
import { newHandoffId } from '../handoff/id.js';
import { rememberHandoff } from '../handoff/known.js';
import type { HandoffState } from '../handoff/state.js';
import { routeTerms } from '../handoff/terms.js';
import { guarded } from '../runtime/report.js';
import { contractOf, type RouteContract } from './contract-of.js';
import { emitDispatchSpan } from './dispatch-span.js';
import { judgeDispatch } from './judge.js';
import { type DispatchOptions, nameOption } from './options.js';
import { packPayload } from './pack.js';
import { prepareHandoff } from './prepare.js';
import { type Origin, originOf } from './task-at-hand.js';

/** What a producer's side is made of. */
export interface ProducerPolicy {
  readonly tracer: Tracer;
  readonly contracts: Contracts | undefined;
  readonly secret: string | undefined;
  readonly enforce: EnforceOverride | undefined;
  /** Who hands over where neither the call nor the active run says it. */
  readonly agent: string | undefined;
  /** Nothing is captured or stamped; the payload is built all the same, since the application sends it. */
  readonly disabled: boolean;
}

interface Plan {
  readonly origin: Origin;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly contract: RouteContract;
}

/**
 * Hands over: builds the payload where none is given, captures source and payload, ends the `handoff` span, and returns
 * the handle that is injected or accepted.
 *
 * @throws HandoffContractError where the producer side of the route enforces and a required key is proven missing; the
 * dispatch is then on record as `prevented`. Nothing else leaves as an exception.
 */
export function dispatchHandoff<P>(options: DispatchOptions<P>, context: Context, policy: ProducerPolicy): Handoff<P> {
  const plan = guarded('planning a dispatch', () => planDispatch(options, context, policy), undefined);
  const payload = guarded('building a payload', () => payloadOf(options, plan?.contract), options?.source) as P;
  const done =
    plan === undefined || policy.disabled
      ? undefined
      : guarded('preparing a dispatch', () => record(options, payload, plan, context, policy), undefined);
  if (done?.refusal !== undefined) throw done.refusal;
  return createHandle(done?.state ?? { id: newHandoffId(), attempt: 1, execution: 1 }, payload, done !== undefined);
}

function planDispatch(options: DispatchOptions, context: Context, policy: ProducerPolicy): Plan {
  const origin = originOf(context);
  const from = nameOption('from', options.from) ?? origin.agent ?? policy.agent;
  const to = nameOption('to', options.to ?? '');
  const route = nameOption('route', options.route);
  const version = nameOption('version', options.version);
  return { origin, from, to, contract: contractOf(policy.contracts, { route, version, from, to }) };
}

function payloadOf(options: DispatchOptions, contract: RouteContract | undefined): unknown {
  if (options.payload !== undefined) return options.payload;
  const { route, version } = contract ?? {};
  return route === undefined || version === undefined ? options.source : packPayload(options.source, route, version);
}

interface Recorded {
  readonly state: HandoffState;
  readonly refusal: HandoffContractError | undefined;
}

function record(
  options: DispatchOptions,
  payload: unknown,
  { origin, from, to, contract }: Plan,
  context: Context,
  policy: ProducerPolicy,
): Recorded {
  const { route, version } = contract;
  const prepared = prepareHandoff({
    options,
    origin,
    from,
    to,
    routeName: contract.name,
    terms: route === undefined || version === undefined ? undefined : routeTerms(route, version),
    routeLimit: route?.hopLimit,
    payload,
    secret: policy.secret,
  });
  const known = rememberHandoff(prepared);
  known.dispatchedExecution += 1;
  const executed: HandoffState = { ...prepared, execution: known.dispatchedExecution };
  if (origin.run !== undefined) known.dispatchedBy = new WeakRef(origin.run.span);

  const refusal = judgeDispatch(executed, route, policy.enforce, options.payload === undefined);
  // Enforcement does not hang on telemetry: a tracer that fails changes nothing about the refusal.
  const dispatchSpan = guarded(
    'recording a dispatch',
    () =>
      emitDispatchSpan(policy.tracer, executed, {
        outcome: refusal === undefined ? 'dispatched' : 'prevented',
        context,
        run: origin.run,
        errorCode: refusal?.code,
      }),
    undefined,
  );
  const state: HandoffState = { ...executed, dispatchSpan };
  known.state = state;
  if (refusal === undefined && origin.run === undefined && origin.frame !== undefined) origin.frame.dispatched = true;
  return { state, refusal };
}
