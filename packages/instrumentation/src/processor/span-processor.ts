import type { Context, Span } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { readConfig } from '../runtime/config.js';
import { guarded } from '../runtime/report.js';
import { observeEnding, observeStart } from './observe.js';

/**
 * Stamps handoff evidence onto the GenAI spans that an application makes already (wire contract, sections 2 and 3):
 *
 * - an `invoke_agent` span that runs an accepted handoff gets the handoff's identity, what it carried, and the destination
 *   evidence; that of a first agent gets its task;
 * - an `execute_tool` span gets `seamtrace.run.handoff.id` and `seamtrace.task.id`, and where it states the arguments and
 *   `SEAMTRACE_SECRET` is set, their keyed digest: it outlives a pipeline that takes content away.
 *
 * Register it before the exporting processors. Identity is written in `onStart` where the span says already that it is an
 * `invoke_agent`; spans that say so later are recognised in `onEnding`, while they can still be written. SDKs before 2.0
 * do not call `onEnding`: there, evidence is written by `ingested` and at the end of `accept`.
 *
 * It exports nothing, holds no span, has no timer, never throws into the application, and never overwrites an attribute
 * that the application set. After `shutdown`, or with `SEAMTRACE_DISABLED=true`, it does nothing. `forceFlush` and
 * `shutdown` resolve at once and may be called any number of times.
 */
export class SeamtraceSpanProcessor implements SpanProcessor {
  private readonly config = readConfig();
  private active = !this.config.disabled;

  onStart(span: Span, parentContext: Context): void {
    if (this.active) guarded('observing the start of a span', () => observeStart(span, parentContext), undefined);
  }

  onEnding(span: Span): void {
    if (this.active) guarded('observing the end of a span', () => observeEnding(span, this.config.secret), undefined);
  }

  onEnd(_span: ReadableSpan): void {
    // Ended spans are read-only, and what is known of them is released with the span object itself.
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    this.active = false;
    return Promise.resolve();
  }
}
