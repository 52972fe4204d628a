import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { encodeProtobuf, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';

const cli = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));
const keys = ['customer_id'];

function whole(handoffId: string) {
  return handoffSpan({
    role: 'destination',
    handoffId,
    source: 'triage',
    target: 'billing',
    destination: 'billing',
    requiredKeys: keys,
    sourceStage: keys,
    payloadStage: keys,
    destinationStage: keys,
  });
}

/** `serve` whose stdout nobody reads. */
async function unread(...args: string[]) {
  const env = { PATH: process.env['PATH'], SEAMTRACE_SETTLE_S: '0', SEAMTRACE_STOP_TIMEOUT_S: '0.2' };
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--otlp-http', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--durability', 'none', ...args],
    { env, cwd: fileURLToPath(new URL('.', import.meta.url)), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  child.stdout.pause();
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const heard = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) return found;
      await once(child.stderr, 'data');
    }
  };
  const [otlp, admin] = [await heard(/otlp-http listening on (\S+)/), await heard(/admin listening on (\S+)/)];
  return { child, exited, otlp, admin, said: () => said };
}

async function send(otlp: string, ids: readonly string[]): Promise<void> {
  const response = await fetch(`${otlp}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-protobuf' },
    body: encodeProtobuf(traceRequest(ids.map(whole))),
  });
  expect(response.status).toBe(200);
}

async function until(admin: string, pattern: RegExp): Promise<void> {
  while (!pattern.test(await (await fetch(`${admin}/metrics`)).text()));
}

describe('SIGTERM ends seamtrace serve', () => {
  it('while the reader of its stdout does not read, and says how many lines it kept', async () => {
    const { child, exited, otlp, admin, said } = await unread();
    try {
      // More than a pipe holds.
      await send(
        otlp,
        Array.from({ length: 1_000 }, (_, index) => `stuck-${index}`),
      );
      await until(admin, /^seamtrace_handoffs_total\{.*\} 1000$/m);
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(said()).toMatch(/stopped; 0 graded at the stop/);
      expect(said()).toMatch(/not delivered: [1-9]\d* verdict lines/);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('while the verdict endpoint never answers', async () => {
    const hole = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(hole, 'listening');
    const { port } = hole.address() as AddressInfo;
    const reached = once(hole, 'connection');
    const { child, exited, otlp, said } = await unread('--verdict-endpoint', `http://127.0.0.1:${port}`);
    try {
      await send(otlp, ['held']);
      await reached;
      child.kill('SIGTERM');
      expect(await exited).toEqual([0, null]);
      expect(said()).toMatch(/not delivered: 0 verdict lines, 1 verdict event/);
    } finally {
      child.kill('SIGKILL');
      hole.close();
    }
  });
});
