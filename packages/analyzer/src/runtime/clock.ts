/**
 * Milliseconds since the epoch that never decrease and never stand still: where the system's clock is set back, time goes
 * on at its own pace, since deadlines that waited for the clock to catch up would hold every verdict back for as long.
 */
export function createClock(
  wall: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): () => number {
  let latest = wall();
  let at = monotonic();
  return () => {
    const since = monotonic();
    latest = Math.max(latest + (since - at), wall());
    at = since;
    return Math.floor(latest);
  };
}
