import { type Evidence, packEvidence } from '@seamtrace/core';
import type { Repetitions } from './repetitions.js';

/** Evidence of one request that was not journaled before, packed for the journal. */
export interface Pieces {
  readonly evidence: readonly Evidence[];
  /** One for each piece of `evidence`. */
  readonly packed: readonly Uint8Array[];
  /** Pieces left out, since they were journaled before. */
  readonly repeated: number;
}

/** Packs evidence and leaves out what is a repetition, within one request too. */
export function packFresh(evidence: readonly Evidence[], repetitions: Repetitions): Pieces {
  const fresh: Evidence[] = [];
  const packed: Uint8Array[] = [];
  for (const piece of evidence) {
    const bytes = packEvidence(piece);
    if (repetitions.has(bytes)) continue;
    fresh.push(piece);
    packed.push(bytes);
  }
  return { evidence: fresh, packed, repeated: evidence.length - fresh.length };
}
