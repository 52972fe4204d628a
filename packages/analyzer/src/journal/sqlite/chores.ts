import type { Store } from './store.js';

/** Deletes, checkpoints and shrinks, in steps short enough to stand between two commits. */
export interface Chores {
  /** Bytes that a commit wrote, and the time before which rows may go. */
  noteCommit(bytes: number, releaseBefore: number): void;
  /**
   * Moves the log to the database file before a commit of so many bytes would make it longer than `mostBytes`. Steps come
   * between commits, and a burst may leave them behind: a log longer than the reserve could not be moved on a full disk.
   */
  boundLog(bytes: number, mostBytes: number): void;
  /** Does one step; returns after how many milliseconds the next should follow, or undefined when nothing is left. */
  step(): number | undefined;
}

/** A step of deleting is to take about this long; the number of rows follows from what the last one took. */
const STEP_MS = 8;
const MIN_ROWS = 16;
const MAX_ROWS = 4_096;
/** Deleting in larger lots, now and then, rewrites fewer pages than a row at a time would. */
const RELEASE_EVERY_MS = 1_000;
/** Free pages are filled by the next batches; only what is above this share, and above this number, is given back. */
const FREE_SHARE = 0.25;
const FREE_PAGES = 4_096;
const SHRINK_PAGES = 512;

export function createChores(
  store: Store,
  now: () => number,
  fail: (error: unknown) => void,
  checkpointBytes: number,
): Chores {
  let unchecked = 0;
  let before = -Infinity;
  let done = -Infinity;
  let releasedAt = -Infinity;
  let rows = 256;
  let shrinking = false;

  /** Returns whether rows may be left. */
  function releaseStep(): boolean {
    const started = now();
    const limit = rows;
    const found = Math.max(store.deleteOlder('batches', before, limit), store.deleteOlder('marks', before, limit));
    const took = now() - started;
    if (took > 2 * STEP_MS) rows = Math.max(MIN_ROWS, rows >> 1);
    else if (took < STEP_MS / 2 && found === limit) rows = Math.min(MAX_ROWS, rows << 1);
    if (found > 0) {
      shrinking = true;
      unchecked += found * 512;
    }
    return found === limit;
  }

  function shrinkStep(): number {
    const { freePages, pages } = store.levels();
    shrinking = freePages >= FREE_PAGES && freePages >= FREE_SHARE * pages;
    if (!shrinking) return 0;
    store.shrink(SHRINK_PAGES);
    unchecked += SHRINK_PAGES * 4096;
    return 0;
  }

  /** What is due, done; returns after how long to come back, or undefined when nothing waits. */
  function due(): number | undefined {
    if (unchecked >= checkpointBytes) {
      store.checkpoint();
      unchecked = 0;
      return 0;
    }
    const restMs = releasedAt + RELEASE_EVERY_MS - now();
    if (before > done && restMs > 0) return shrinking ? shrinkStep() : restMs;
    if (before > done) {
      if (releaseStep()) return 0;
      done = before;
      releasedAt = now();
    }
    return shrinking ? shrinkStep() : undefined;
  }

  return {
    noteCommit(bytes, releaseBefore) {
      unchecked += bytes;
      before = Math.max(before, releaseBefore);
    },
    boundLog(bytes, mostBytes) {
      if (unchecked === 0 || unchecked + bytes * 1.25 <= mostBytes) return;
      try {
        store.checkpoint();
        unchecked = 0;
      } catch (error) {
        fail(error);
      }
    },
    step() {
      try {
        return due();
      } catch (error) {
        // A full disk or a foreign lock: nothing is lost by coming back to it.
        fail(error);
        return RELEASE_EVERY_MS;
      }
    },
  };
}
