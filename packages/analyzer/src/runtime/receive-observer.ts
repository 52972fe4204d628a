import type { Logger } from 'pino';
import type { ReceiveObserver } from '../receive/types.js';
import type { MetricsSink } from '../sinks/metrics/sink.js';

/** A sender that does everything wrong says the same with each request; the counters have the number. */
const SAY_AGAIN_MS = 60_000;

/** Counts requests, and logs what somebody can act on: each reason for a refusal at most once a minute. */
export function createReceiveObserver(metrics: MetricsSink, logger: Logger, now: () => number): ReceiveObserver {
  const saidAt = new Map<string, number>();

  function sayOnce(reason: string, say: () => void): void {
    if (now() - (saidAt.get(reason) ?? -SAY_AGAIN_MS) < SAY_AGAIN_MS) return;
    saidAt.set(reason, now());
    say();
  }

  return {
    answered(request) {
      const { encoding, status, reason, bodyBytes } = request;
      metrics.request(encoding ?? 'unknown', status, status === 200 ? bodyBytes : undefined);
      if (reason === 'undecodable' || reason === 'broken_compression') metrics.malformed('body', 1);
      if (status !== 200) sayOnce(reason, () => logger.warn(request, 'requests are being refused'));
    },
    aborted(wireBytes, encoding) {
      metrics.request(encoding ?? 'unknown', 'aborted', undefined);
      logger.debug({ wireBytes }, 'a sender went away before its request was complete');
    },
    acceptFailed(error) {
      sayOnce('failed', () =>
        logger.error({ err: error }, 'batches are not taken; their senders are asked to come again'),
      );
    },
  };
}
