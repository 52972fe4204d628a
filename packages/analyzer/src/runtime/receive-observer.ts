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
      const { transport, encoding, status, reason, bodyBytes } = request;
      const taken = reason === 'ok' || reason === 'partial';
      metrics.request(transport, encoding ?? 'unknown', status, taken ? bodyBytes : undefined);
      if (reason === 'undecodable' || reason === 'broken_compression') metrics.malformed('body', 1);
      if (!taken) sayOnce(reason, () => logger.warn(request, 'requests are being refused'));
    },
    aborted(wireBytes, encoding, transport) {
      metrics.request(transport, encoding ?? 'unknown', 'aborted', undefined);
      logger.debug({ transport, wireBytes }, 'a sender went away before its request was complete');
    },
    connectionRefused(transport) {
      metrics.connectionRefused(transport);
      sayOnce('connections', () => logger.warn({ transport }, 'connections are being refused: too many are open'));
    },
    handshakeFailed(transport, error) {
      metrics.handshakeFailed(transport);
      sayOnce('handshakes', () =>
        logger.warn({ transport, reason: error.message }, 'connections end in their TLS handshake'),
      );
    },
    acceptFailed(error) {
      sayOnce('failed', () =>
        logger.error({ err: error }, 'batches are not taken; their senders are asked to come again'),
      );
    },
  };
}
