import { trace } from '@opentelemetry/api';
import { guarded } from '../runtime/report.js';
import type { OwnProvider } from './own-provider.js';

/** How long an exit waits for the collector at most. A refused connection ends the wait at once. */
export const MAX_EXIT_WAIT_MS = 2_000;

/**
 * Loses no ended span when the process ends by itself, by `process.exit()`, or by an uncaught error. No signal handler is
 * installed, since one would change what the signal does; an application that wants spans after a signal ends itself by
 * `process.exit()`. Exit code and output stay as they are.
 *
 * A provider of the application's is asked to flush when the process ends by itself; at `process.exit()` that is up to the
 * application, as without us.
 */
export function flushOnExit(own: OwnProvider, endOpenSpans: () => void): void {
  let flushed: unknown;
  process.on('beforeExit', () => {
    own.flush(MAX_EXIT_WAIT_MS).catch(() => undefined);
    // Once for each provider: flushing keeps the process alive, after which this event comes again.
    const provider = registeredProvider();
    if (provider === undefined || provider === flushed) return;
    flushed = provider;
    provider.forceFlush().catch(() => undefined);
  });
  process.on('exit', () => {
    guarded('the spans that are open at exit', endOpenSpans, undefined);
    own.flushSync(MAX_EXIT_WAIT_MS);
  });
}

interface Flushable {
  forceFlush(): Promise<void>;
}

function registeredProvider(): Flushable | undefined {
  const provider = trace.getTracerProvider() as { getDelegate?: () => object };
  const delegate = (provider.getDelegate?.() ?? provider) as Partial<Flushable>;
  return typeof delegate.forceFlush === 'function' ? (delegate as Flushable) : undefined;
}
