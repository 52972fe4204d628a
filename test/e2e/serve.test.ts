import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeJson, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { serve } from './serve.js';

const keys = ['customer_id'];
const whole = handoffSpan({
  role: 'destination',
  handoffId: 'serve-whole',
  source: 'triage',
  target: 'billing',
  destination: 'billing',
  contractVersion: '1',
  requiredKeys: keys,
  sourceStage: keys,
  payloadStage: keys,
  destinationStage: keys,
});
const half = handoffSpan({
  role: 'dispatch',
  handoffId: 'serve-half',
  source: 'triage',
  target: 'billing',
  contractVersion: '1',
  requiredKeys: keys,
  sourceStage: keys,
  payloadStage: keys,
});

async function send(otlp: string, ...spans: Parameters<typeof traceRequest>[0]): Promise<number> {
  const response = await fetch(`${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: encodeJson(traceRequest(spans)),
  });
  return response.status;
}

describe('seamtrace serve', () => {
  it('prints each verdict in the shape of grade, with id and revision, and says durability=none', async () => {
    const analyzer = await serve({ SEAMTRACE_SETTLE_S: '0' });
    try {
      expect(await send(analyzer.otlp, whole)).toBe(200);
      const [line] = await analyzer.verdicts(1);
      expect(line).toMatchObject({ handoff_id: 'serve-whole', verdict: 'passed', revision: 1 });
      expect(Object.keys(line ?? {})).toEqual(
        expect.arrayContaining(['handoff_id', 'attempt', 'findings', 'grader_version', 'verdict_id', 'revision']),
      );
      expect(analyzer.said()).toContain('durability=none');
      expect((await fetch(`${analyzer.admin}/healthz`)).status).toBe(200);
      expect((await fetch(`${analyzer.admin}/readyz`)).status).toBe(200);
    } finally {
      expect(await analyzer.stop()).toBe(0);
    }
  });

  it('on SIGTERM grades what is whole, says what it left and why, and ends with 0', async () => {
    const analyzer = await serve({ SEAMTRACE_SETTLE_S: '600' });
    expect(await send(analyzer.otlp, whole, half)).toBe(200);
    const graded = analyzer.verdicts(1);
    expect(await analyzer.stop()).toBe(0);
    expect(await graded).toMatchObject([{ handoff_id: 'serve-whole', verdict: 'passed' }]);
    expect(analyzer.said()).toMatch(/stopped; 1 graded at the stop, 1 left without a verdict/);
    expect(analyzer.said()).toMatch(/serve-half attempt 1: /);
  });

  it('on SIGTERM leaves what waits in the journal, says how much, and the next start grades it', async () => {
    const data = mkdtempSync(path.join(tmpdir(), 'seamtrace-serve-'));
    const durable = ['--durability', 'process', '--data', data];
    try {
      const first = await serve({ SEAMTRACE_SETTLE_S: '600' }, durable);
      expect(await send(first.otlp, whole)).toBe(200);
      expect(await first.stop()).toBe(0);
      expect(first.said()).toMatch(/stopped; 1 handoff in the journal, for the next start to go on with/);
      expect(first.said()).not.toContain('left without a verdict');
      const second = await serve({ SEAMTRACE_SETTLE_S: '0' }, durable);
      expect(await second.verdicts(1)).toMatchObject([{ handoff_id: 'serve-whole', verdict: 'passed', revision: 1 }]);
      expect(await second.stop()).toBe(0);
    } finally {
      rmSync(data, { recursive: true });
    }
  });

  it('says which address is taken, and ends with 1', async () => {
    const analyzer = await serve({});
    try {
      const taken = new URL(analyzer.otlp).host;
      await expect(serve({}, ['--otlp-http', taken])).rejects.toThrow(
        new RegExp(`exit code 1 .*the address ${taken.replaceAll('.', '\\.')} is taken; .*--otlp-http`, 's'),
      );
    } finally {
      await analyzer.stop();
    }
  });
});
