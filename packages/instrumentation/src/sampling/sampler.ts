import { type Attributes, type Context, type Link, type SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace-base';
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SEAMTRACE_HANDOFF_ID } from '@seamtrace/semconv';
import { frameOf } from '../accept/frame.js';
import { guarded } from '../runtime/report.js';
import { isKeptForUs, markKept } from './kept-mark.js';

/**
 * Wraps an application's sampler so that spans which carry handoff evidence are always recorded, whatever it decides:
 * those that state a handoff as they start (`seamtrace.handoff.id`), and the run of an agent that starts inside `accept`. All
 * other spans follow the wrapped sampler.
 *
 * A span that is recorded for its evidence alone carries the member `seamtrace=kept` in its trace state. Below it the
 * wrapped sampler is shown a parent that is not sampled, so that a `ParentBasedSampler` decides as it would have without
 * us, and no model call or query is recorded only because a handoff was.
 *
 * Any other run of an agent that the wrapped sampler leaves out is recorded in this process and not sampled, so that no
 * exporter gets it, since a dispatch below has to find out who hands over.
 *
 * Never throws; what the wrapped sampler throws is thrown on, as without us.
 */
export class SeamtraceSampler implements Sampler {
  /** @param sampler Decides about everything else. */
  constructor(private readonly sampler: Sampler) {}

  shouldSample(
    context: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const shown = guarded('the parent of a span', () => asWithoutUs(context), context);
    const result = this.sampler.shouldSample(shown, traceId, spanName, spanKind, attributes, links);
    if (result.decision === SamplingDecision.RECORD_AND_SAMPLED) return result;
    return guarded('sampling a span', () => keep(result, context, attributes), result);
  }

  toString(): string {
    return `SeamtraceSampler{${String(this.sampler)}}`;
  }
}

function keep(result: SamplingResult, context: Context, attributes: Attributes): SamplingResult {
  if (!carriesEvidence(context, attributes)) {
    const run = attributes[ATTR_GEN_AI_OPERATION_NAME] === 'invoke_agent';
    return run ? { ...result, decision: SamplingDecision.RECORD } : result;
  }
  const traceState = markKept(result.traceState ?? trace.getSpanContext(context)?.traceState);
  return { ...result, decision: SamplingDecision.RECORD_AND_SAMPLED, traceState };
}

function carriesEvidence(context: Context, attributes: Attributes): boolean {
  if (typeof attributes[ATTR_SEAMTRACE_HANDOFF_ID] === 'string') return true;
  return attributes[ATTR_GEN_AI_OPERATION_NAME] === 'invoke_agent' && frameOf(context) !== undefined;
}

/** The parent as the wrapped sampler decided about it. */
function asWithoutUs(context: Context): Context {
  const parent = trace.getSpanContext(context);
  if (parent === undefined || !isKeptForUs(parent.traceState)) return context;
  return trace.setSpanContext(context, { ...parent, traceFlags: parent.traceFlags & ~TraceFlags.SAMPLED });
}
