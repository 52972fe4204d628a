import type { HandoffRecord } from '../evidence/types.js';
import type { GradedHandoff } from '../grading/types.js';
import type { Place } from './queue.js';

/** One attempt in the reassembler's memory. */
export interface Entry {
  readonly key: string;
  readonly receivedAt: number;
  record: HandoffRecord;
  /** When the record became whole; settling counts from then, whatever comes later. */
  wholeAt: number | undefined;
  /** When it was first graded, which is when it stopped being pending. */
  gradedAt: number | undefined;
  /** When late evidence that waits for its like is graded. */
  reviseAt: number | undefined;
  /** The last verdict handed out and what it rested on; `undefined` while there is none. */
  verdict: { readonly graded: GradedHandoff; readonly record: HandoffRecord; readonly revision: number } | undefined;
  /** Where it stands in the queue of its state, and among all by receipt. */
  place: Place<Entry>;
  arrival: Place<Entry>;
}
