/** How fast the disk takes what waits, from what it took. */
export interface Drain {
  note(bytes: number, ms: number): void;
  /** Seconds until so many bytes are through, a whole number and at least 1. */
  secondsFor(bytes: number): number;
}

/** Weight of the latest window: a disk's speed changes within seconds, single windows vary more. */
const WEIGHT = 0.2;
/** Assumed until the first window is through: what a slow disk does. */
const FIRST_BYTES_PER_MS = 5_000;
/** Longer than this no estimate holds. */
const MAX_SECONDS = 300;

export function createDrain(): Drain {
  let bytesPerMs = FIRST_BYTES_PER_MS;
  return {
    note(bytes, ms) {
      // Small windows tell of the way there and back, not of the disk.
      if (bytes < 64 * 1024 || ms <= 0) return;
      bytesPerMs += WEIGHT * (bytes / ms - bytesPerMs);
    },
    secondsFor: (bytes) => Math.min(MAX_SECONDS, Math.max(1, Math.ceil(bytes / bytesPerMs / 1000))),
  };
}
