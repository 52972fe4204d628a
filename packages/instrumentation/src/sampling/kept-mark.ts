import { createTraceState, type SpanContext, type TraceState, TraceFlags } from '@opentelemetry/api';

const KEY = 'seamtrace';
const KEPT = 'kept';

/** Notes in the trace state that a span is sampled for the evidence it carries, and for nothing else. */
export function markKept(traceState: TraceState | undefined): TraceState {
  return (traceState ?? createTraceState()).set(KEY, KEPT);
}

export function isKeptForUs(traceState: TraceState | undefined): boolean {
  return traceState?.get(KEY) === KEPT;
}

/**
 * Whether the trace of a context is one that head sampling left out: its parent says so, or was recorded for its evidence
 * alone. `false` where there is no trace.
 */
export function isSampledOut(parent: SpanContext | undefined): boolean {
  if (parent === undefined) return false;
  return (parent.traceFlags & TraceFlags.SAMPLED) === 0 || isKeptForUs(parent.traceState);
}
