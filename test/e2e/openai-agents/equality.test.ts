import { startCollector } from '@seamtrace/testkit';
import { expect, test } from 'vitest';
import { runApp } from './child.js';

// The application as a process of its own, without us and with us: what it printed about its model's inputs, outputs,
// errors, events, SDK traces and process-wide events has to be the same to the byte, as have stderr and exit code.

const variants = [
  ['record.mjs', 'run', 'on', {}],
  ['record.mjs', 'run', 'off', {}],
  ['record.mjs', 'stream', 'on', {}],
  ['record.mjs', 'stream', 'off', {}],
  ['record.cjs', 'run', 'on', {}],
  ['record.cjs', 'stream', 'off', {}],
  ['record.mjs', 'run', 'on', { NODE_ENV: 'test' }],
  ['record.mjs', 'stream', 'on', { NODE_ENV: 'test' }],
] as const;

test.each(variants)('%s %s, SDK tracing %s, %o', async (app, mode, tracing, env) => {
  const collector = await startCollector();
  try {
    const [plain, traced] = await Promise.all([
      runApp([app, mode, tracing], { instrumented: false, env }),
      runApp([app, mode, tracing], { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } }),
    ]);
    expect(plain.code).toBe(7);
    expect(plain.stdout.length).toBeGreaterThan(100_000);
    expect(traced.stdout).toBe(plain.stdout);
    expect(traced.stderr).toBe(plain.stderr);
    expect(traced.code).toBe(plain.code);
    // Not equal because nothing happened: the handoffs of the scenarios were recorded.
    expect(collector.spans.filter(({ name }) => name.startsWith('handoff ')).length).toBeGreaterThan(30);
  } finally {
    await collector.close();
  }
});
