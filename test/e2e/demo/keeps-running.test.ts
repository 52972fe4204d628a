import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeJson, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { expect, it } from 'vitest';

const cli = fileURLToPath(new URL('../../../packages/cli/bin/seamtrace.js', import.meta.url));

it('seamtrace demo keeps its analyzer until it is stopped, and takes it along', async () => {
  const child = spawn(process.execPath, [cli, 'demo'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const metrics = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const url = /^Metrics: (\S+)$/m.exec(stdout)?.[1];
      if (url !== undefined && stdout.includes('Ctrl-C')) resolve(url);
    });
    void closed.then(() => reject(new Error(`the demo ended before it was stopped and said:\n${stderr}`)));
  });
  expect(stdout).toMatch(/^Next: /m);
  expect(await (await fetch(metrics)).text()).toMatch(/^seamtrace_handoffs_total\{/m);

  // An app of the user's, whose route the example's contract file does not have.
  expect(stdout).toContain(path.join('examples', 'support-desk', 'seamtrace.contracts.yaml'));
  const endpoint = /OTEL_EXPORTER_OTLP_ENDPOINT=(\S+)/.exec(stdout)?.[1];
  const own = handoffSpan({
    role: 'destination',
    handoffId: 'own-1',
    source: 'planner',
    target: 'writer',
    destination: 'writer',
    requiredKeys: ['topic'],
    sourceStage: ['topic'],
    payloadStage: [],
    destinationStage: [],
  });
  const line = once(child.stdout, 'data') as Promise<[Buffer]>;
  const headers = { 'content-type': 'application/json' };
  await fetch(`${endpoint}/v1/traces`, { method: 'POST', headers, body: encodeJson(traceRequest([own])) });
  expect((await line).toString()).toBe(
    'planner → writer: packaging_loss at source_to_payload; missing topic; route not in the contract file; handoff own-1\n',
  );

  // Only the demo itself is told; in a terminal Ctrl-C would also reach the analyzer.
  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  await expect(fetch(metrics)).rejects.toThrow();
});
