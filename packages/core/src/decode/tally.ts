import { DecodeFault, reasonOf } from './fault.js';
import { MAX_OWN_SPANS, MAX_REJECTIONS, MAX_SPANS } from './limits.js';
import type { Outline } from './outline.js';
import type { DecodedSpan, DecodeResult, SpanRejection } from './types.js';

/** Accounts for every span of one request: used, ignored or rejected. */
export interface Tally {
  /** Runs `read` for the next span. A fault in it rejects that span only; `undefined` counts it as ignored. */
  take(read: () => DecodedSpan | undefined): void;
  /** @param invalidUtf8 - strings that were no UTF-8 */
  result(outline: Outline | undefined, invalidUtf8: number): DecodeResult;
}

export function createTally(): Tally {
  const spans: DecodedSpan[] = [];
  const rejections: SpanRejection[] = [];
  let received = 0;

  function reject(reason: string): void {
    if (rejections.length === MAX_REJECTIONS) {
      throw new DecodeFault(`more than ${MAX_REJECTIONS} spans cannot be read; the first: ${rejections[0]?.reason}`);
    }
    rejections.push({ index: received - 1, reason });
  }

  return {
    take(read) {
      if (spans.length === MAX_OWN_SPANS) {
        throw new DecodeFault(`more than ${MAX_OWN_SPANS} spans of handoffs in one request; send smaller batches`);
      }
      if (received === MAX_SPANS)
        throw new DecodeFault(`more than ${MAX_SPANS} spans in one request; send smaller batches`);
      received += 1;
      try {
        const span = read();
        if (span !== undefined) spans.push(span);
      } catch (thrown) {
        reject(reasonOf(thrown));
      }
    },
    result(outline, invalidUtf8) {
      const ignored = received - spans.length - rejections.length;
      return { ok: true, spans, outline, received, ignored, rejections, invalidUtf8 };
    },
  };
}
