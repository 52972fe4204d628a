import { startOtlpSink } from './otlp-sink.js';
import type { OtlpSink, PlainMessage, SinkOptions } from './otlp-sink.js';
import { otlpTypes } from './otlp-types.js';
import { readSpans } from './recorded-span.js';
import type { RecordedSpan } from './recorded-span.js';

export interface Collector extends OtlpSink {
  /** Spans of the requests answered with success, in order of arrival; grows while requests come in. */
  readonly spans: readonly RecordedSpan[];
  /** Resolves when at least `count` spans have arrived. */
  waitForSpans(count: number): Promise<void>;
}

/** Starts a collector that takes OTLP traces on `/v1/traces`, for tests of what instrumentation exports. */
export async function startCollector(options?: SinkOptions): Promise<Collector> {
  const spans: RecordedSpan[] = [];
  const taken = (message: PlainMessage) => void spans.push(...readSpans(message));
  const sink = await startOtlpSink('/v1/traces', otlpTypes.traceRequest, taken, options);
  return { ...sink, spans, waitForSpans: (count) => sink.waitUntil(() => spans.length >= count) };
}
