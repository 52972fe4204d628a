import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { EventOutcome } from '@seamtrace/semconv';

/** `ExportResultCode` of `@opentelemetry/core`. */
const SUCCESS = 0;
const FAILED = 1;

export interface PersistentExporter extends LogRecordExporter {
  /** Ends what is being tried, as failed, and every later export at once. */
  abandon(): void;
}

export interface PersistentExporterOptions {
  readonly exporter: LogRecordExporter;
  /** Pause before a batch is tried again, after the exporter itself has stopped trying. */
  readonly pauseMs: number;
  /** A batch is through, or given up; called once for each. */
  readonly finished: (outcome: EventOutcome, count: number, error: Error | undefined) => void;
  /** A batch will be tried again. */
  readonly postponed: (error: Error | undefined) => void;
}

/**
 * Tries a batch until the endpoint takes it or refuses it for good: delivery is at least once, and an endpoint that is
 * down for longer than the exporter's own few attempts must not cost a batch each time. What piles up meanwhile is
 * bounded by the queue before the exporter.
 */
export function createPersistentExporter(options: PersistentExporterOptions): PersistentExporter {
  const { exporter, pauseMs, finished, postponed } = options;
  const giveUps = new Set<() => void>();
  let abandoned = false;
  return {
    export(records, done) {
      let timer: NodeJS.Timeout | undefined;
      let over = false;
      const finish = (outcome: EventOutcome, error?: Error): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        giveUps.delete(giveUp);
        finished(outcome, records.length, error);
        done(error === undefined ? { code: SUCCESS } : { code: FAILED, error });
      };
      const giveUp = (): void =>
        finish('failed', new Error('the analyzer stopped before the endpoint took the events'));
      const attempt = (): void =>
        exporter.export(records, ({ code, error = new Error('the export failed') }) => {
          if (code === SUCCESS) return finish('delivered');
          if (isFinal(error)) return finish('failed', error);
          if (over) return;
          postponed(error);
          timer = setTimeout(attempt, pauseMs).unref();
        });
      if (abandoned) return giveUp();
      giveUps.add(giveUp);
      attempt();
    },
    abandon() {
      abandoned = true;
      for (const giveUp of giveUps) giveUp();
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}

/** An HTTP status that the exporter did not count as temporary; network errors carry a name in `code` instead. */
function isFinal(error: Error): boolean {
  return typeof (error as { code?: unknown }).code === 'number';
}
