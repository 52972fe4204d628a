import type { RunOutcome } from '@seamtrace/semconv';
import { byCodeUnit } from '../evidence/distinct.js';
import { compareNanos, spanKey } from '../evidence/spans.js';
import type { HandoffRecord, SpanRef, ToolEvidence } from '../evidence/types.js';

const CANCELLED = /^(?:abort(?:ed)?(?:error)?|cancell?ed(?:error)?|cancellation)$/i;

/**
 * How the run that the handoff started ended. A tool whose last call failed is a tool's failure, whether the run itself
 * failed with it or went on; the transfer's verdict does not depend on it.
 */
export function runOutcomeOf(record: HandoffRecord, tools: readonly ToolEvidence[]): RunOutcome {
  const run = record.runSpan;
  if (run === undefined) return 'unknown';
  if (run.failed && run.errorType !== undefined && CANCELLED.test(run.errorType)) return 'cancelled';
  if (toolFailedLast(tools, run)) return 'tool_error';
  return run.failed ? 'run_error' : 'ok';
}

function toolFailedLast(tools: readonly ToolEvidence[], run: SpanRef): boolean {
  const last = new Map<string, SpanRef>();
  for (const { tool, span } of tools) {
    if (!within(span, run)) continue;
    const known = last.get(tool);
    if (known === undefined || endsAfter(span, known)) last.set(tool, span);
  }
  return [...last.values()].some((span) => span.failed);
}

/** Ids decide between equal ends, so that the order of receipt does not. */
function endsAfter(a: SpanRef, b: SpanRef): boolean {
  return (compareNanos(a.endUnixNano, b.endUnixNano) || byCodeUnit(spanKey(a), spanKey(b))) > 0;
}

/** A tool call names its handoff, not the attempt: the run that it ran in tells. */
function within(span: SpanRef, run: SpanRef): boolean {
  const { startUnixNano: started } = span;
  return compareNanos(started, run.startUnixNano) >= 0 && compareNanos(started, run.endUnixNano) <= 0;
}
