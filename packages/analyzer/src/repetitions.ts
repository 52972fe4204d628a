import { createRecentSet } from '@seamtrace/core';
import xxhash from 'xxhash-wasm';

/** Recognises evidence that was journaled before, within a bounded window. */
export interface Repetitions {
  /** The very same bytes are among those remembered. */
  has(piece: Uint8Array): boolean;
  /** Only for what is journaled: what is refused must be taken when it comes again. */
  remember(piece: Uint8Array): void;
}

/**
 * Senders that get no answer in time send a batch again, byte for byte (OTLP delivers at least once). A piece names its
 * span by trace id and span id, so equal bytes are the same span; a 64-bit hash stands for them. At least the `max / 2`
 * pieces remembered last are known; with `max` 0 nothing is.
 */
export async function createRepetitions(max: number): Promise<Repetitions> {
  if (max === 0) return { has: () => false, remember: () => {} };
  const { h64Raw } = await xxhash();
  const known = createRecentSet<bigint>(max);
  return {
    has: (piece) => known.has(h64Raw(piece)),
    remember: (piece) => known.add(h64Raw(piece)),
  };
}
