import { randomBytes } from 'node:crypto';

/**
 * Environments of the demo's two processes. The caller's own OpenTelemetry and Seamtrace settings stay out, so that the
 * demo shows the same everywhere; so does an API key, with which the agents' SDK would send traces to its vendor.
 */
export function demoEnvironment(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(OTEL_|SEAMTRACE_|OPENAI_)/.test(name)));
}

/** What a person would set to send an app's spans to an analyzer, with a secret for the digests of record ids. */
export function appEnvironment(base: NodeJS.ProcessEnv, endpoint: string, contracts: string): NodeJS.ProcessEnv {
  return {
    ...base,
    OTEL_SERVICE_NAME: 'support-desk',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    SEAMTRACE_CONTRACTS: contracts,
    SEAMTRACE_SECRET: randomBytes(32).toString('hex'),
  };
}
