import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { EventOutcome } from '@seamtrace/semconv';

/** `ExportResultCode.SUCCESS` of `@opentelemetry/core`. */
const SUCCESS = 0;

/** Reports what became of every record that an exporter was given; changes nothing else. */
export function createCountedExporter(
  exporter: LogRecordExporter,
  finished: (outcome: EventOutcome, count: number, error: Error | undefined) => void,
): LogRecordExporter {
  return {
    export(records, done) {
      exporter.export(records, (result) => {
        finished(result.code === SUCCESS ? 'delivered' : 'failed', records.length, result.error);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
