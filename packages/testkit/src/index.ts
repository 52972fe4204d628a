export { createAuthority } from './certificates.js';
export type { Authority, Certificate } from './certificates.js';
export { startCollector } from './collector.js';
export type { Collector } from './collector.js';
export { encodeJson, encodeProtobuf } from './encode.js';
export { decodedSpan, handoffSpan, stageAttributes } from './handoff-span.js';
export type { HandoffSpanModel, StageModel } from './handoff-span.js';
export { startLogSink } from './log-sink.js';
export type { LogSink, RecordedLog } from './log-sink.js';
export { manualClock } from './manual-clock.js';
export type { ManualClock } from './manual-clock.js';
export type { OtlpSink, PlainMessage, SinkAnswer, SinkOptions, SinkRequest } from './otlp-sink.js';
export { otlpTypes } from './otlp-types.js';
export { decodeFully } from './recorded-span.js';
export type { RecordedSpan } from './recorded-span.js';
export { traceRequest } from './request-model.js';
export type {
  Attributes,
  EventModel,
  LinkModel,
  ResourceModel,
  ScopeModel,
  SpanModel,
  TraceRequestModel,
} from './request-model.js';
