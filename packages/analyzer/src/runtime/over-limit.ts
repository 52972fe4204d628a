import type { Logger } from 'pino';

/** A sender that counts attempts without end does so with each span; the counters have the number. */
const SAY_AGAIN_MS = 60_000;

/** Warns of a handoff id with more attempts than are kept, at most once a minute. */
export function createOverLimitNotice(
  logger: Logger,
  now: () => number,
): (handoffId: string, maxAttempts: number) => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return (handoffId, maxAttempts) => {
    if (now() - saidAt < SAY_AGAIN_MS) return;
    saidAt = now();
    logger.warn(
      { handoffId, maxAttempts },
      'a handoff id has more attempts than are kept, and further ones get no verdict; ids must not be used again for other handoffs',
    );
  };
}
