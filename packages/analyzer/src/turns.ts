import { setImmediate as turn } from 'node:timers/promises';

/** For long work on the event loop. */
export interface Turns {
  /** Lets everything else have a turn when the work has gone on for long enough; `undefined` when it has not yet. */
  due(): Promise<void> | undefined;
}

/** Short enough for a probe not to notice. */
const LONGEST_MS = 20;

export function createTurns(now: () => number = () => performance.now()): Turns {
  let since = now();
  return {
    due() {
      if (now() - since < LONGEST_MS) return undefined;
      return turn().then(() => void (since = now()));
    },
  };
}
