import { type Attributes, type Context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import { beginAccept } from '../accept/begin.js';
import type { AcceptFrame } from '../accept/frame.js';
import { withFrame } from '../accept/frame.js';
import { judgeIngest, publishOffered, rejectionError } from '../accept/ingest.js';
import { acceptContext, runAccepted } from '../accept/run-accepted.js';
import { withAmbientTask } from '../handoff/ambient-task.js';
import type { HandoffState } from '../handoff/state.js';
import { beginTask } from '../handoff/task.js';
import { createClock } from '../hooks/clock.js';
import { errorTypeOf } from '../hooks/error-type.js';
import { activeContext, within } from '../hooks/scope.js';
import type { Wiring } from '../hooks/wiring.js';
import type { StageCapture } from '../capture/stage-capture.js';
import { guarded } from '../runtime/report.js';
import { runtime } from '../runtime/state.js';
import { giveAnswer } from './answer.js';
import { beginOwnRun, endOwnRun } from './own-run.js';
import { captureContents, type MessageContents } from './contents.js';

/** A call from another process, as its handler is about to run. */
export interface IncomingCall {
  readonly wiring: Wiring;
  readonly prefix: string;
  /** The handoff that the message brought; `undefined` where it brought none that can be used. */
  readonly state: HandoffState | undefined;
  /** The producer's trace context, where the message brought one beside the handoff. */
  readonly remote?: Context | undefined;
  /** Who is called. */
  readonly agent: string | undefined;
  readonly contents: MessageContents;
  /**
   * The handler passes the message through a schema first, and only then gives it to the agent: what the agent is given is
   * told then. Where it never is, the destination was not seen whole.
   */
  readonly throughSchema?: boolean | undefined;
  /** The protocol's conversation; it names the chain where no handoff does. */
  readonly conversationId: string | undefined;
  readonly attributes?: Attributes | undefined;
  /** How the work ended, once it has: what is given back, if anything, and whether the protocol calls it failed. */
  readonly outcome: (value: unknown) => Outcome;
}

/** What a handler made of a call. */
export interface Outcome {
  readonly answer: MessageContents | undefined;
  /** `error.type`, where the protocol says that the work failed or was called off. */
  readonly errorType?: string | undefined;
}

/** Tells what the agent is given. Returns the error with which an enforcing consumer rejects it. */
export type Tell = (contents: MessageContents) => HandoffContractError | undefined;

const nobody: Tell = () => undefined;

/** One call that is being worked on. */
export interface Served {
  readonly call: IncomingCall;
  readonly frame: AcceptFrame;
  readonly base: Context;
  readonly now: () => number;
  readonly startedAt: number;
  /** The `invoke_agent` span of ours, where no instrumentation inside made one. */
  ownRun: Span | undefined;
  errorType: string | undefined;
}

/**
 * Runs the handler of a call inside an accepted handoff. What the message held when the handler began is the destination
 * evidence, on record at once. In an application that has made a handoff API it may tell by `ingested` what its agent really
 * took in: there it is on record at the first model or tool call that is seen, else when the work ends.
 *
 * Where the consumer side enforces and a required key is proven absent, the handler does not run and the returned promise
 * rejects.
 *
 * Where nothing inside makes an `invoke_agent` span, one is made when the work is done, so that how it ended is on record.
 */
export function serveCall<T>(call: IncomingCall, work: (tell: Tell) => T): T {
  if (call.state === undefined) return withinConversation(call, () => work(nobody));
  const begun = guarded('accepting a call', () => begin(call, call.state as HandoffState), undefined);
  if (begun === undefined) return work(nobody);
  if (begun.rejection !== undefined) return Promise.reject(begun.rejection) as T;
  const { served } = begun;
  open.add(served);
  let pending: unknown;
  const result = within(served.base, () =>
    runAccepted(served.frame, served.base, call.wiring.tracer(), () => {
      const returned = settling(served, () => work(teller(served)));
      pending = returned;
      return returned;
    }),
  );
  // Registered after that which closes the frame: the evidence is on the span before it ends.
  afterwards(pending, () => guarded('the end of a call', () => endOwnRun(served), undefined));
  return result;
}

/** Nothing says who sent it. Runs inside still belong to the protocol's conversation. */
function withinConversation<T>({ conversationId }: IncomingCall, work: () => T): T {
  if (conversationId === undefined) return work();
  const context = guarded(
    'the conversation of a call',
    () => withAmbientTask(activeContext(), beginTask(undefined, conversationId)),
    undefined,
  );
  return context === undefined ? work() : within(context, work);
}

function begin(call: IncomingCall, state: HandoffState) {
  const { wiring, agent, attributes, contents } = call;
  const remote =
    call.remote ??
    (state.dispatchSpan === undefined ? undefined : trace.setSpanContext(ROOT_CONTEXT, state.dispatchSpan));
  const active = activeContext();
  const frame = beginAccept(state, active, { contracts: wiring.contracts(), remote, agent, attributes });
  const base = acceptContext(active, remote);
  const now = createClock();
  const served: Served = { call, frame, base, now, startedAt: now(), ownRun: undefined, errorType: undefined };
  const rejection = offer(served, contents, call.throughSchema === true);
  return { served, rejection };
}

function teller(served: Served): Tell {
  return (contents) =>
    guarded(
      'what an agent is given',
      () => (served.frame.ingest === undefined ? offer(served, contents, false) : undefined),
      undefined,
    );
}

/**
 * What the agent can read, as far as it is known now. It is on record at once, unless more exact word may follow.
 *
 * @param delivered It is what came, and not yet what the agent is given of it.
 */
function offer(
  { call, frame, base }: Served,
  contents: MessageContents,
  delivered: boolean,
): HandoffContractError | undefined {
  const { wiring } = call;
  const { capture } = captureContents(contents, frame.terms, wiring.secret());
  const policy = { contracts: wiring.contracts(), enforce: wiring.enforce() };
  const { result, missing } = judgeIngest(frame, capture, policy);
  const rejected = result.outcome === 'rejected';
  frame.offered = delivered && !rejected ? { ...result, capture: unsure(capture) } : result;
  if (rejected || (!delivered && runtime().handoffApi !== true)) {
    guarded('publishing an ingest', () => publishOffered(frame, base, wiring.tracer()), undefined);
  }
  return rejected ? rejectionError({ frame, missing }, policy.contracts) : undefined;
}

function unsure(capture: StageCapture): StageCapture {
  if (!capture.keys.complete) return capture;
  return { ...capture, keys: { ...capture.keys, complete: false, incompleteReason: 'unsupported' } };
}

function settling<T>(served: Served, work: () => T): T {
  const ended = (value: unknown, failed?: { readonly error: unknown }): void => {
    guarded('the outcome of a call', () => settle(served, value, failed), undefined);
  };
  let result: T;
  try {
    result = work();
  } catch (error) {
    ended(undefined, { error });
    throw error;
  }
  if (!(result instanceof Promise)) ended(result);
  else {
    void Promise.prototype.then.call(
      result,
      (value: unknown) => ended(value),
      (error: unknown) => ended(undefined, { error }),
    );
  }
  return result;
}

function settle(served: Served, value: unknown, failed: { readonly error: unknown } | undefined): void {
  if (!open.delete(served)) return;
  const { call, frame, base } = served;
  const outcome = failed === undefined ? call.outcome(value) : { answer: undefined };
  served.errorType = failed === undefined ? outcome.errorType : errorTypeOf(failed.error);
  if (frame.run === undefined && frame.candidates.inside === undefined) beginOwnRun(served);
  if (outcome.answer === undefined || served.errorType !== undefined) return;
  const agent = call.agent ?? frame.state.target?.name;
  if (agent === undefined) return;
  const run = frame.run ?? frame.candidates.inside;
  const context = withFrame(run === undefined ? base : trace.setSpan(base, run.span), frame);
  const { wiring, prefix, attributes } = call;
  giveAnswer({ wiring, prefix, call: frame.state, agent, contents: outcome.answer, context, from: run, attributes });
}

/** Calls in progress, so that a process that exits leaves their evidence. Each leaves when its work settles. */
const open = new Set<Served>();

/** Ends what is open of one protocol as the process exits. */
export function endOpenCalls(prefix: string): void {
  for (const served of open) if (served.call.prefix === prefix) cutOff(served);
}

function cutOff(served: Served): void {
  const { call, frame, base } = served;
  open.delete(served);
  guarded(
    'a call that the exit cuts off',
    () => {
      publishOffered(frame, base, call.wiring.tracer());
      if (frame.run === undefined && frame.candidates.inside === undefined) beginOwnRun(served);
      served.errorType = 'cancelled';
      endOwnRun(served);
    },
    undefined,
  );
}

function afterwards(pending: unknown, then: () => void): void {
  if (!(pending instanceof Promise)) then();
  else void Promise.prototype.then.call(pending, then, then);
}
