import { createRequire } from 'node:module';
import type { TracerProvider } from '@opentelemetry/api';
import type { buildProvider, Built } from './build-provider.js';
import type { ThreadExporter } from './thread-exporter.js';

interface Builder {
  readonly buildProvider: typeof buildProvider;
}

/** The provider of our spans in a process where the application sets up no tracing. */
export interface OwnProvider {
  /** The provider, made when it is first needed; `undefined` when `OTEL_*` switches export off. */
  get(): TracerProvider | undefined;
  /** Sends what has ended. Waits at most `limitMs`, and not at all when nothing is unsent or nobody listens. */
  flush(limitMs: number): Promise<void>;
  /** The same, blocking: for the `exit` event. */
  flushSync(limitMs: number): void;
}

/** @param mayRegister Whether something may be registered with the API: see `sharesApi`. */
export function createOwnProvider(here: string, mayRegister: boolean): OwnProvider {
  let built: Built | 'none' | undefined;
  // The SDK is loaded when the first span needs it: an application with tracing of its own never does.
  const build = (): Built | 'none' =>
    (createRequire(here)('./cjs/register/build-provider.js') as Builder).buildProvider(here, mayRegister);
  const handOver = (): ThreadExporter | undefined => {
    if (built === undefined || built === 'none') return undefined;
    // Hands every ended span to the exporter before it returns; what comes of them the exporter tells.
    built.batches?.forceFlush().catch(() => undefined);
    return built.exporter;
  };
  return {
    get() {
      built ??= build();
      return built === 'none' ? undefined : built.provider;
    },
    flush: async (limitMs) => handOver()?.drain(limitMs),
    flushSync: (limitMs) => handOver()?.drainSync(limitMs),
  };
}
