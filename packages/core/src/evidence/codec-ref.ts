import type { TokenReader, TokenWriter } from './codec-tokens.js';
import type { SpanRef } from './types.js';

export function writeRef(out: TokenWriter, ref: SpanRef | undefined): void {
  if (ref === undefined) return out.put(null);
  out.text(ref.traceId);
  out.text(ref.spanId);
  out.put(ref.execution);
  const started = out.time(ref.startUnixNano, 0);
  out.time(ref.endUnixNano, started);
  out.put(ref.failed);
  out.optional(ref.errorType);
}

export function readRef(from: TokenReader): SpanRef | undefined {
  return from.absent() ? undefined : readStatedRef(from);
}

export function readStatedRef(from: TokenReader): SpanRef {
  const traceId = from.text();
  const spanId = from.text();
  const execution = from.number();
  const start = from.time(0);
  const end = from.time(start.seconds);
  return {
    traceId,
    spanId,
    execution,
    startUnixNano: start.text,
    endUnixNano: end.text,
    failed: from.flag(),
    errorType: from.optional(),
  };
}
