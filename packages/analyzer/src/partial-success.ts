import type { PartialSuccess, ReceivedBatch } from './receive/types.js';

const NAMED = 5;
const MAX_REASON_CHARACTERS = 300;

/**
 * What the sender should know of spans that were not used: those the decoder could not read, and those with a handoff id
 * that is none. `undefined` when every span was of use or none of our business.
 */
export function partialSuccess(batch: ReceivedBatch, badIds: readonly string[]): PartialSuccess | undefined {
  const reasons = [...batch.rejections.map(({ index, reason }) => `span ${index}: ${reason}`), ...badIds];
  if (reasons.length === 0) return undefined;
  const named = reasons.slice(0, NAMED).map((reason) => reason.slice(0, MAX_REASON_CHARACTERS));
  const more = reasons.length > NAMED ? `; and ${reasons.length - NAMED} more` : '';
  const rejected = `${reasons.length} of ${batch.received} spans rejected, the rest was used`;
  return { rejectedSpans: reasons.length, message: `${rejected}: ${named.join('; ')}${more}` };
}
