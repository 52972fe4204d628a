import { type Context, propagation, type TextMapSetter, trace } from '@opentelemetry/api';
import type { HandoffState } from '../handoff/state.js';
import { count } from '../runtime/report.js';
import { formatBaggageValue, mergeBaggage } from './baggage.js';
import { defaultGetter, defaultSetter, textAt } from './carrier.js';
import { encodeHandoff } from './encode.js';
import { HANDOFF_BAGGAGE_KEY, HANDOFF_HEADER } from './keys.js';
import { injectTrace } from './trace-context.js';

/**
 * Writes a handoff into a carrier: trace context and baggage by the global propagator (W3C trace context where none is
 * registered), our member in `baggage`, and the header with the producer's evidence. Where no span is active, the trace is
 * that of the `dispatch` span. Without a setter, plain objects, `Headers` and Maps are written, and baggage that
 * the carrier already holds is kept. A carrier behind a setter of the application's cannot be read: there, our member is
 * written only if the global propagator writes baggage.
 */
export function injectHandoff<C>(state: HandoffState, carrier: C, context: Context, setter?: TextMapSetter<C>): void {
  injectIdentity(state, carrier, context, setter);
  const carried = encodeHandoff(state);
  if (carried === undefined) return;
  const write = setter ?? (defaultSetter as TextMapSetter<C>);
  write.set(carrier, HANDOFF_HEADER, Buffer.from(JSON.stringify(carried)).toString('base64url'));
}

/** The same without the header, for messages that have another place for the evidence: trace context and baggage. */
export function injectIdentity<C>(state: HandoffState, carrier: C, context: Context, setter?: TextMapSetter<C>): void {
  const write = setter ?? (defaultSetter as TextMapSetter<C>);
  const before = setter === undefined ? textAt(carrier, 'baggage', defaultGetter) : undefined;
  const value = formatBaggageValue(state);
  const traced = withTrace(context, state);
  const withMember = value === undefined ? traced : withBaggageMember(traced, value);

  let written: string | undefined;
  const observing: TextMapSetter<C> = {
    set(target, key, text) {
      if (key.toLowerCase() === 'baggage') written = text;
      write.set(target, key, text);
    },
  };
  injectTrace(withMember, carrier, observing);

  if (value !== undefined && setter === undefined) {
    const merged = mergeBaggage(
      [before, written].filter((header) => header !== undefined),
      value,
    );
    if (merged === undefined) keepWithout(carrier, before, written, write);
    else write.set(carrier, 'baggage', merged);
  }
}

function withTrace(context: Context, { dispatchSpan }: HandoffState): Context {
  if (dispatchSpan === undefined || trace.getSpan(context) !== undefined) return context;
  return trace.setSpanContext(context, dispatchSpan);
}

function withBaggageMember(context: Context, value: string): Context {
  const baggage = propagation.getBaggage(context) ?? propagation.createBaggage();
  return propagation.setBaggage(context, baggage.setEntry(HANDOFF_BAGGAGE_KEY, { value }));
}

/** Ours does not fit: what the application had in the carrier stays as it was. */
function keepWithout<C>(carrier: C, before: string | undefined, written: string | undefined, write: TextMapSetter<C>) {
  count('baggage_not_written', 'the carrier already holds as much baggage as the W3C limits allow; ours is left out');
  if (before !== undefined && written !== undefined) write.set(carrier, 'baggage', before);
}
