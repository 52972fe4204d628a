import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Serving, serve } from '../e2e/serve.js';
import { mixedTraffic } from './mixed-traffic.js';

const missing = spawnSync('promtool', ['--version']).error !== undefined;
const inCi = process.env['CI'] === 'true';

// Says plainly what is missing: a skip on a developer's machine, a failure in CI, where it would hide a regression.
describe.skipIf(missing && !inCi)('promtool (Debian package prometheus)', () => {
  it('is installed', () => {
    expect(missing, 'promtool is not installed; apt-get install prometheus').toBe(false);
  });

  it.skipIf(missing)('accepts the configuration of deploy/prometheus', () => {
    const file = fileURLToPath(new URL('../../deploy/prometheus/prometheus.yml', import.meta.url));
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' });
    expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 });
  });

  it.skipIf(missing)('accepts /metrics after real traffic', async () => {
    const analyzer: Serving = await serve({ SEAMTRACE_SETTLE_S: '0' });
    try {
      const bodies = mixedTraffic();
      for (const body of bodies) {
        const response = await fetch(`${analyzer.otlp}/v1/traces`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-protobuf' },
          body,
        });
        expect(response.status).toBe(200);
      }
      await analyzer.verdicts(bodies.length);
      const metrics = await (await fetch(`${analyzer.admin}/metrics`)).text();
      expect(metrics).toMatch(/^seamtrace_handoffs_total\{.*verdict="packaging_loss".*\} 1$/m);

      const promtool = spawn('promtool', ['check', 'metrics'], { stdio: ['pipe', 'pipe', 'pipe'] });
      promtool.stdin.end(metrics);
      const [out, err, [code]] = await Promise.all([
        text(promtool.stdout),
        text(promtool.stderr),
        once(promtool, 'close'),
      ]);
      expect({ code: code as number, said: out + err }).toEqual({ code: 0, said: '' });
    } finally {
      await analyzer.stop();
    }
  });
});
