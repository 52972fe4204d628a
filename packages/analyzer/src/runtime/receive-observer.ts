import type { Logger } from 'pino';
import type { ReceiveObserver } from '../receive/types.js';
import type { MetricsSink } from '../sinks/metrics/sink.js';

/** Counts requests, and logs what an operator can act on. */
export function createReceiveObserver(metrics: MetricsSink, logger: Logger): ReceiveObserver {
  return {
    answered(request) {
      const { encoding, status, reason, bodyBytes } = request;
      metrics.request(encoding ?? 'unknown', status, status === 200 ? bodyBytes : undefined);
      if (reason === 'undecodable' || reason === 'broken_compression') metrics.malformed('body', 1);
      if (status >= 400 && status < 500) logger.warn(request, 'a request was refused');
    },
    aborted: (wireBytes) => logger.debug({ wireBytes }, 'a sender went away before its request was complete'),
    acceptFailed: (error) => logger.error({ err: error }, 'a batch was not taken; its sender is asked to come again'),
  };
}
