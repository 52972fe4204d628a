import { diag, DiagLogLevel, type DiagLogger } from '@opentelemetry/api';
import { diagLogLevelFromString, getStringFromEnv } from '@opentelemetry/core';
import { wasSaid } from '../runtime/say.js';

/**
 * `OTEL_LOG_LEVEL`: diagnostics on stderr. Only in a process where the application sets up no tracing, since its SDK would
 * set a logger of its own; and never on stdout, which is the application's.
 */
export function logDiagnostics(): void {
  const logLevel = diagLogLevelFromString(getStringFromEnv('OTEL_LOG_LEVEL'));
  if (logLevel === undefined || logLevel === DiagLogLevel.NONE) return;
  const log = (...parts: unknown[]): void => {
    // What stands on stderr already is not written twice.
    if (!wasSaid(String(parts[0]))) console.error(...parts);
  };
  const logger: DiagLogger = { error: log, warn: log, info: log, debug: log, verbose: log };
  diag.setLogger(logger, { logLevel, suppressOverrideMessage: true });
}
