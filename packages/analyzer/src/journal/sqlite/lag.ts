import type { JournalPosition } from '../journal.js';

/** Counts the pieces that are journaled and not yet taken. */
export interface Lag {
  readonly pieces: number;
  add(position: JournalPosition, pieces: number): void;
  /** Positions that are unknown or taken change nothing. */
  take(position: JournalPosition): void;
}

export function createLag(): Lag {
  const waiting = new Map<JournalPosition, number>();
  let pieces = 0;
  return {
    get pieces() {
      return pieces;
    },
    add(position, count) {
      waiting.set(position, count);
      pieces += count;
    },
    take(position) {
      pieces -= waiting.get(position) ?? 0;
      waiting.delete(position);
    },
  };
}
