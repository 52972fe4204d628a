/** A clock that stands still until a test moves it. */
export interface ManualClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Moves forward by `ms`, which must not be negative. */
  advance(ms: number): void;
}

/** Starts at `startMs`, by default a fixed moment in 2026, so that a test prints the same times every day. */
export function manualClock(startMs = Date.UTC(2026, 0, 1)): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`a clock only goes forward, not by ${ms} ms`);
      nowMs += ms;
    },
  };
}
