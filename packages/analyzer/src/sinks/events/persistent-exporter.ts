import type { LogRecordExporter, ReadableLogRecord } from '@opentelemetry/sdk-logs';
import type { EventOutcome } from '@seamtrace/semconv';
import type { Post, Sent } from './post.js';

/** `ExportResultCode` of `@opentelemetry/core`. */
const SUCCESS = 0;

export interface PersistentExporter extends LogRecordExporter {
  /** Ends what is being tried, as failed, and every later export at once. */
  abandon(): void;
}

export interface PersistentExporterOptions {
  readonly post: Post;
  /** Pause before a batch is tried for the second time; it doubles with each time up to `maxPauseMs`. */
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  /** The longest that an endpoint can put off by `Retry-After`. */
  readonly maxRetryAfterMs: number;
  /** Records are through, or given up: called with every record of a batch once. */
  readonly finished: (outcome: EventOutcome, count: number, why: Sent | 'abandoned') => void;
  /** The endpoint has taken a batch or refused it for good: nothing more will come of its records. Not for abandoned ones. */
  readonly settled: (records: readonly ReadableLogRecord[]) => void;
  /** A batch will be tried again in so many milliseconds. */
  readonly postponed: (why: Sent & { readonly kind: 'later' }, pauseMs: number) => void;
}

/**
 * Tries a batch until the endpoint takes it or refuses it for good: delivery is at least once, and an endpoint that is
 * down for a while must not cost a batch each time. What piles up meanwhile is bounded by the queue before the exporter.
 */
export function createPersistentExporter(options: PersistentExporterOptions): PersistentExporter {
  const { post, pauseMs, maxPauseMs, maxRetryAfterMs, finished, settled, postponed } = options;
  const abandoned = new AbortController();
  const giveUps = new Set<() => void>();
  return {
    export(records, done) {
      let timer: NodeJS.Timeout | undefined;
      let pause = pauseMs;
      let over = false;
      /** Nobody above is told of a failure: it is counted and said here, and the processor would only say it again. */
      const finish = (failed: number, why: Sent | 'abandoned'): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        giveUps.delete(giveUp);
        const delivered = records.length - failed;
        if (delivered > 0) finished('delivered', delivered, why);
        if (failed > 0) finished('failed', failed, why);
        if (why !== 'abandoned') settled(records);
        done({ code: SUCCESS });
      };
      const giveUp = (): void => finish(records.length, 'abandoned');
      const attempt = async (): Promise<void> => {
        const sent = await post(records, abandoned.signal);
        if (sent.kind === 'taken') return finish(Math.min(sent.rejected, records.length), sent);
        if (sent.kind === 'refused') return finish(records.length, sent);
        if (over) return;
        const wait = sent.retryAfterMs === undefined ? pause : Math.min(sent.retryAfterMs, maxRetryAfterMs);
        pause = Math.min(pause * 2, maxPauseMs);
        postponed(sent, wait);
        timer = setTimeout(() => void attempt(), wait).unref();
      };
      if (abandoned.signal.aborted) return giveUp();
      giveUps.add(giveUp);
      void attempt();
    },
    abandon() {
      for (const giveUp of giveUps) giveUp();
      abandoned.abort();
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}
