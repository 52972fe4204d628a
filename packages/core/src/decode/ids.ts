/** Bytes of a trace id and of a span id (W3C trace context; OTLP). */
export const TRACE_ID_BYTES = 16;
export const SPAN_ID_BYTES = 8;
