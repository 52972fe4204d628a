/** Milliseconds since the epoch that never decrease, however the system's clock is set. */
export function createClock(): () => number {
  let latest = 0;
  return () => (latest = Math.max(latest, Date.now()));
}
