import { type Context, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME } from '@seamtrace/semconv';
import { contractAttributes } from '../stamp/evidence.js';
import { ingestAttributes } from '../stamp/destination.js';
import { identityAttributes, present } from '../stamp/identity.js';
import { linksAcross } from '../stamp/link.js';
import { writeAbsent, writeStage } from '../stamp/write.js';
import { destinationName } from './bind.js';
import type { AcceptFrame, IngestResult } from './frame.js';

const MAX_NAME = 128;

/**
 * Makes the `ingest {route}` span of one accepted handoff, under the consumer's `invoke_agent` where one is known, from
 * the first touch to now, and ends it. Off every declared route it is named after the target. Its status is ERROR when
 * the envelope was rejected.
 */
export function emitIngestSpan(tracer: Tracer, frame: AcceptFrame, result: IngestResult, context: Context): void {
  const { state } = frame;
  const parent = frame.run === undefined ? context : trace.setSpan(context, frame.run.span);
  const label = state.route ?? state.target?.name ?? '';
  const span = tracer.startSpan(
    `ingest ${label.slice(0, MAX_NAME)}`.trimEnd(),
    {
      kind: SpanKind.INTERNAL,
      startTime: frame.firstTouch,
      links: linksAcross(frame.producer, trace.getSpanContext(parent)),
      attributes: {
        ...frame.attributes,
        ...identityAttributes(state, 'ingest'),
        ...present({ [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: destinationName(frame) }),
      },
    },
    parent,
  );
  writeAbsent(span, contractAttributes(frame.terms));
  writeStage(span, 'destination', result.capture);
  writeAbsent(span, ingestAttributes(result));
  if (result.outcome === 'rejected') span.setStatus({ code: SpanStatusCode.ERROR, message: 'rejected at ingest' });
  span.end(result.endedAtMs);
}
