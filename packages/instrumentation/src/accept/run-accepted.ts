import {
  type Context,
  context as contextApi,
  propagation,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { HANDOFF_BAGGAGE_KEY } from '../propagation/keys.js';
import { guarded, warnOnce } from '../runtime/report.js';
import { runtime } from '../runtime/state.js';
import { destinationName } from './bind.js';
import type { AcceptFrame } from './frame.js';
import { withFrame } from './frame.js';
import { endAccept } from './ingest.js';

/**
 * The context in which an accepted handoff is worked on. Where no span is active, the producer's trace goes on; the
 * member of baggage that named the handoff is taken out, as it was meant for this one call.
 */
export function acceptContext(active: Context, remote: Context | undefined): Context {
  let base = active;
  const producer = remote === undefined ? undefined : trace.getSpanContext(remote);
  if (trace.getSpan(active) === undefined && producer !== undefined) base = trace.setSpanContext(base, producer);
  const baggage = propagation.getBaggage(active) ?? (remote === undefined ? undefined : propagation.getBaggage(remote));
  return baggage === undefined ? base : propagation.setBaggage(base, baggage.removeEntry(HANDOFF_BAGGAGE_KEY));
}

/**
 * Runs the application's function inside a frame and closes the frame when its work is done, a promise's included. What
 * the function returns or throws is passed on as it is.
 */
export function runAccepted<T>(frame: AcceptFrame, base: Context, tracer: Tracer, fn: () => T): T {
  const inside = withFrame(base, frame);
  const close = (failed: boolean): void => {
    guarded('closing an accept', () => closeFrame(frame, base, tracer, failed), undefined);
  };
  let result: T;
  try {
    result = contextApi.with(inside, () => {
      // Without a context manager the context does not arrive; then the frame travels by Node.js's own means.
      const arrived = contextApi.active() === inside;
      return arrived ? fn() : runtime().frames.run(frame, fn);
    });
  } catch (error) {
    close(true);
    throw error;
  }
  if (!(result instanceof Promise)) {
    close(false);
    return result;
  }
  return whenSettled(result, close) as T;
}

/**
 * A promise of the plain kind is followed by one that settles alike, so that a rejection which nobody handles is still
 * reported as such. One of a subclass may have members of its own and is passed on itself.
 */
function whenSettled(promise: Promise<unknown>, close: (failed: boolean) => void): Promise<unknown> {
  // `then` of a subclass may start work or count readers; the built-in one only listens.
  const { then } = Promise.prototype;
  if (Object.getPrototypeOf(promise) !== Promise.prototype) {
    void then.call(
      promise,
      () => close(false),
      () => close(true),
    );
    return promise;
  }
  return then.call(
    promise,
    (value: unknown) => {
      close(false);
      return value;
    },
    (error: unknown) => {
      close(true);
      throw error;
    },
  );
}

function closeFrame(frame: AcceptFrame, base: Context, tracer: Tracer, failed: boolean): void {
  const { joined, state } = frame;
  // Of joined handoffs and of a return leg the run is another frame's to name.
  if (joined.length === 0 && state.leg !== 'return' && destinationName(frame) === undefined) warnNameless(frame);
  endAccept(frame, base, tracer, failed);
  const span = frame.run?.span;
  // A run that goes on after its work was rejected or failed says so, unless the application says otherwise.
  if (failed && span?.isRecording() === true && frame.run?.startedBy.includes(frame) === true) {
    const { status } = span as { readonly status?: { readonly code?: SpanStatusCode } };
    if (status?.code === undefined || status.code === SpanStatusCode.UNSET) {
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
  }
}

function warnNameless({ state }: AcceptFrame): void {
  const about = state.route ?? state.target?.name ?? 'a handoff';
  warnOnce(
    `nameless:${about}`,
    `accept: nobody said who took ${about}, so its verdict waits for the deadline; pass \`agent\` to accept() or createHandoffs(), or set gen_ai.agent.name on the invoke_agent span`,
  );
}
