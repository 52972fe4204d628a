import { sayRejected } from './receive/rejected.js';
import type { PartialSuccess, ReceivedBatch } from './receive/types.js';

/**
 * What the sender should know of spans that were not used: those the decoder could not read, and those refused for a
 * reason of their own. `undefined` when every span was of use or none of our business.
 */
export function partialSuccess(batch: ReceivedBatch, refused: readonly string[]): PartialSuccess | undefined {
  const reasons = [...batch.rejections.map(({ index, reason }) => `span ${index}: ${reason}`), ...refused];
  if (reasons.length === 0) return undefined;
  return { rejectedSpans: reasons.length, message: sayRejected(reasons, batch.received) };
}
