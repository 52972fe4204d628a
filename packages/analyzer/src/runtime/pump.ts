/** Keeps time for a pipeline: ticks when something is due, and gives the event loop its turn between two ticks. */
export interface Pump {
  /** Looks again when the next tick is due; to be called after anything was taken in. */
  wake(): void;
  stop(): void;
}

export interface Ticking {
  tick(limit?: number): void;
  next(): number | undefined;
}

/** Verdicts of one tick. More are due after a burst of deadlines, and requests must not wait for all of them. */
const STEPS = 256;
/** Timers of Node overflow beyond 2^31 ms; waking for nothing once a minute also follows a clock that was set. */
const LONGEST_SLEEP_MS = 60_000;

export function createPump(pipeline: Ticking, now: () => number, failed: (error: unknown) => void): Pump {
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let stopped = false;

  function run(): void {
    timer = undefined;
    wakesAt = Number.POSITIVE_INFINITY;
    try {
      pipeline.tick(STEPS);
    } catch (error) {
      failed(error);
    }
    wake();
  }

  function wake(): void {
    const next = pipeline.next();
    if (stopped || next === undefined || next >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = next;
    // A timer of a whole millisecond may fire in the one before; the tick then finds nothing and sleeps again.
    timer = setTimeout(run, Math.min(Math.max(next - now(), 0), LONGEST_SLEEP_MS));
  }

  return {
    wake,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
