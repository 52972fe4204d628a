import { trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { PACKAGE_NAME, PACKAGE_VERSION } from './version.js';

type ProviderSource = () => TracerProvider | undefined;

// Shared by all copies of this package, as `runtime()` is: the ESM build sets it, the CommonJS build may ask.
const FALLBACK = Symbol.for('seamtrace.instrumentation.v1.fallback-provider');
type Host = { [FALLBACK]?: ProviderSource };

/**
 * Names the provider of our spans for as long as the application has registered none. It is asked when a tracer is
 * needed, never registered globally, and so never in the way of the application's own.
 */
export function setFallbackProvider(source: ProviderSource | undefined): void {
  Object.defineProperty(globalThis, FALLBACK, { value: source, configurable: true, writable: true });
}

/** Whether a fallback is named: `register` runs in this process. */
export function hasFallbackProvider(): boolean {
  return (globalThis as Host)[FALLBACK] !== undefined;
}

/** The tracer of the application's provider; before there is one, of the fallback; without one, a no-op. */
export function currentTracer(): Tracer {
  const registered = trace.getTracerProvider();
  const provider = isRegistered(registered) ? registered : ((globalThis as Host)[FALLBACK]?.() ?? registered);
  return provider.getTracer(PACKAGE_NAME, PACKAGE_VERSION);
}

/** Whether the application registered a provider: until then the API gives out a proxy that leads nowhere. */
export function isRegistered(provider: TracerProvider): boolean {
  const { getDelegate } = provider as { getDelegate?: () => object };
  return getDelegate === undefined || getDelegate.call(provider).constructor.name !== 'NoopTracerProvider';
}
