import { type Evidence, type Outline, type TraceInterest, packEvidence, packOutline } from '@seamtrace/core';
import type { Repetitions } from './repetitions.js';

/** What one request contributes that was not journaled before, packed for the journal. */
export interface Pieces {
  readonly evidence: readonly Evidence[];
  /** Where its other spans stand; `undefined` where nobody follows their traces. */
  readonly outline: Uint8Array | undefined;
  /** One for each piece of `evidence`, and the outline. */
  readonly packed: readonly Uint8Array[];
  /** Pieces of evidence left out, since they were journaled before. */
  readonly repeated: number;
}

/** Packs what a request says and leaves out what was journaled before. */
export function packFresh(
  evidence: readonly Evidence[],
  outline: Outline | undefined,
  interest: TraceInterest,
  repetitions: Repetitions,
): Pieces {
  const fresh: Evidence[] = [];
  const packed: Uint8Array[] = [];
  for (const piece of evidence) {
    const bytes = packEvidence(piece);
    if (repetitions.has(bytes)) continue;
    fresh.push(piece);
    packed.push(bytes);
  }
  const repeated = evidence.length - fresh.length;
  const rows = outline === undefined ? undefined : packOutline(outline, interest);
  if (rows === undefined || repetitions.has(rows)) return { evidence: fresh, outline: undefined, packed, repeated };
  return { evidence: fresh, outline: rows, packed: [...packed, rows], repeated };
}
