import { type Context, context as contextApi } from '@opentelemetry/api';
import { sharedStorage } from './shared-storage.js';

// An application without a context manager has no OpenTelemetry context; then ours travels by Node.js's own means.
const scopes = sharedStorage<Context>('v1.scopes');

/** The context of the work at hand: OpenTelemetry's where the application manages one, else what {@link within} set. */
export function activeContext(): Context {
  const active = contextApi.active();
  if (hasContextManager()) return active;
  return scopes.getStore() ?? active;
}

/** Runs `work` with `context` active, in OpenTelemetry's sense where the application manages contexts, and in ours. */
export function within<T>(context: Context, work: () => T): T {
  return scopes.run(context, () => contextApi.with(context, work));
}

function hasContextManager(): boolean {
  const probe = contextApi.active().setValue(PROBE, true);
  return contextApi.with(probe, () => contextApi.active()) === probe;
}

const PROBE = Symbol('seamtrace.context-manager');
