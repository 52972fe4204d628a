import {
  type Context,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type TimeInput,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { ATTR_SEAMTRACE_DISPATCH_OUTCOME, type DispatchOutcome } from '@seamtrace/semconv';
import { unseenStage } from '../capture/stage-capture.js';
import type { HandoffState } from '../handoff/state.js';
import { noteDispatched, type RunRecord } from '../processor/run.js';
import { contractAttributes, payloadAttributes } from '../stamp/evidence.js';
import { identityAttributes } from '../stamp/identity.js';
import { writeAbsent, writeStage } from '../stamp/write.js';

/** What a `dispatch` span says beside the handoff itself. */
export interface DispatchSpanOptions {
  readonly outcome: DispatchOutcome;
  readonly context: Context;
  /** The producer's run, where one is known. */
  readonly run: RunRecord | undefined;
  /** When the producer began to hand over; now by default. */
  readonly startTime?: TimeInput | undefined;
  /** A machine-readable code for the span's `error.type`; sets its status to ERROR. */
  readonly errorCode?: string | undefined;
}

const MAX_NAME = 128;

/**
 * Makes the `handoff {target}` span of one dispatch, under the producer's `invoke_agent` where one is known, with all
 * evidence of source and payload, and ends it: dispatch is over. The run that dispatched lists the id, unless the
 * dispatch was prevented or dropped. Returns the span's context.
 */
export function emitDispatchSpan(tracer: Tracer, state: HandoffState, options: DispatchSpanOptions): SpanContext {
  const { run } = options;
  const parent = run === undefined ? options.context : trace.setSpan(options.context, run.span);
  const span = tracer.startSpan(
    `handoff ${(state.target?.name ?? '').slice(0, MAX_NAME)}`.trimEnd(),
    {
      kind: SpanKind.INTERNAL,
      attributes: identityAttributes(state, 'dispatch'),
      ...(options.startTime === undefined ? {} : { startTime: options.startTime }),
    },
    parent,
  );
  writeAbsent(span, { [ATTR_SEAMTRACE_DISPATCH_OUTCOME]: options.outcome, ...contractAttributes(state.contract) });
  if (state.sourceCapture !== undefined) writeStage(span, 'source', state.sourceCapture);
  if (state.payloadCapture !== undefined) writeStage(span, 'payload', state.payloadCapture);
  writeAbsent(span, payloadAttributes(state));
  if (options.outcome === 'dispatched' && span.isRecording() && leavesOut(trace.getSpanContext(parent))) {
    writeStage(span, 'destination', unseenStage('sampled'));
  }
  if (options.errorCode !== undefined) {
    span.setAttribute('error.type', options.errorCode);
    span.setStatus({ code: SpanStatusCode.ERROR, message: options.errorCode });
  }
  // Whole milliseconds, as the end of an ingest is: between two clocks of one process nothing may seem to go backwards.
  span.end(Date.now());
  if (run !== undefined && options.outcome === 'dispatched') noteDispatched(run, state.id);
  return span.spanContext();
}

/**
 * The trace that goes on to the consumer is one that head sampling left out, while this span is recorded for its evidence
 * alone: then the consumer's spans are most likely not recorded. Should they be, what they say counts.
 */
function leavesOut(parent: SpanContext | undefined): boolean {
  return parent !== undefined && (parent.traceFlags & TraceFlags.SAMPLED) === 0;
}
