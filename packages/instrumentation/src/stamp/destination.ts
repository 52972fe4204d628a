import { type Attributes, diag } from '@opentelemetry/api';
import {
  ATTR_SEAMTRACE_DESTINATION_READ_KEYS,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_INGEST_OFFSET,
  ATTR_SEAMTRACE_INGEST_OUTCOME,
  ATTR_SEAMTRACE_INGEST_VIOLATIONS,
} from '@seamtrace/semconv';
import type { AcceptFrame, IngestResult } from '../accept/frame.js';
import { sameTerms } from '../handoff/terms.js';
import { agentName, type RunRecord } from '../processor/run.js';
import { count } from '../runtime/report.js';
import { contractAttributes, payloadAttributes } from './evidence.js';
import { identityAttributes, list, present, taskAttributes } from './identity.js';
import { linksAcross } from './link.js';
import { attributesOf, writeAbsent, writeStage } from './write.js';

/**
 * Writes the identity of the handoff that started a run onto the run's span, once. A span on which the application put
 * another handoff id is the application's, and is left alone.
 */
export function identifyDestination(run: RunRecord, frame: AcceptFrame): void {
  if (run.identified) return;
  run.identified = true;
  const stated = attributesOf(run.span)?.[ATTR_SEAMTRACE_HANDOFF_ID];
  if (stated !== undefined && stated !== frame.state.id) {
    run.evidenced = true;
    count('span_conflict', 'an invoke_agent span already names another handoff; it is left as the application set it');
    return;
  }
  if (run.taskPresumed === true) run.span.setAttributes(taskAttributes(frame.state.task, frame.state.correlationId));
  writeAbsent(run.span, {
    ...identityAttributes(frame.state, 'destination'),
    ...present({
      [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]:
        frame.agent ?? (agentName(run) === undefined ? frame.hostAgent : undefined),
    }),
  });
  for (const link of linksAcross(frame.producer, run.span.spanContext())) run.span.addLink?.(link);
}

/** Writes destination evidence and what the handoff carried onto the run's span, once, while the span still records. */
export function writeDestination(run: RunRecord, frame: AcceptFrame, result: IngestResult): void {
  if (run.evidenced || !run.span.isRecording()) return;
  identifyDestination(run, frame);
  if (run.evidenced) return;
  run.evidenced = true;
  const { span } = run;
  const { state, terms } = frame;
  writeAbsent(span, contractAttributes(terms));
  // Evidence that was captured by other terms than this span states would be misread as having searched for these.
  if (sameTerms(terms, state.contract)) {
    if (state.sourceCapture !== undefined) writeStage(span, 'source', state.sourceCapture);
    if (state.payloadCapture !== undefined) writeStage(span, 'payload', state.payloadCapture);
  } else diag.debug('seamtrace: the two sides hold different contracts; the producer speaks for its own stages');
  writeAbsent(span, payloadAttributes(state));
  writeStage(span, 'destination', result.capture);
  writeAbsent(span, {
    ...ingestAttributes(result),
    ...present({ [ATTR_SEAMTRACE_INGEST_OFFSET]: offsetSeconds(run, result) }),
  });
}

/** Outcome and violations of an ingest; empty when none was observed. */
export function ingestAttributes(result: IngestResult): Attributes {
  return present({
    [ATTR_SEAMTRACE_INGEST_OUTCOME]: result.outcome,
    [ATTR_SEAMTRACE_DESTINATION_READ_KEYS]: list(result.reads),
    [ATTR_SEAMTRACE_INGEST_VIOLATIONS]: result.violations.length > 0 ? list(result.violations) : undefined,
  });
}

/** Seconds from the run's start to the end of ingest; not known where the span hides its start or clocks disagree. */
function offsetSeconds(run: RunRecord, result: IngestResult): number | undefined {
  const { startTime } = run.span as { readonly startTime?: unknown };
  if (result.endedAtMs === undefined || !Array.isArray(startTime)) return undefined;
  const startedAtMs = Number(startTime[0]) * 1_000 + Number(startTime[1]) / 1_000_000;
  const seconds = (result.endedAtMs - startedAtMs) / 1_000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
