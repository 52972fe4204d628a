import { type Context, propagation, type TextMapGetter, type TextMapSetter } from '@opentelemetry/api';
import { getStringListFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core';

const w3c = new W3CTraceContextPropagator();

/** Writes trace context and baggage by the global propagator; where none is registered, W3C trace context by ourselves. */
export function injectTrace<C>(context: Context, carrier: C, setter: TextMapSetter<C>): void {
  if (missing()) w3c.inject(context, carrier, setter as TextMapSetter);
  else propagation.inject(context, carrier, setter);
}

/** Reads them the same way. */
export function extractTrace<C>(context: Context, carrier: C, getter: TextMapGetter<C>): Context {
  if (missing()) return w3c.extract(context, carrier, getter as TextMapGetter);
  return propagation.extract(context, carrier, getter);
}

/**
 * Whether no propagator is registered, as under `register` alone, and `OTEL_PROPAGATORS` does not say that there shall be no
 * trace context: `none`, or a list without `tracecontext`.
 */
function missing(): boolean {
  if (propagation.fields().length > 0) return false;
  const named = getStringListFromEnv('OTEL_PROPAGATORS');
  return named === undefined || (named.includes('tracecontext') && !named.includes('none'));
}
