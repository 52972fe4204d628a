import { performance } from 'node:perf_hooks';

/**
 * Milliseconds since the epoch that never go back within one run: read once from the wall clock, counted on from there.
 * All spans of a run are timed by it, so that a span may be ended later than the moment it ended at.
 */
export function createClock(): () => number {
  const epoch = Date.now();
  const origin = performance.now();
  return () => epoch + (performance.now() - origin);
}
