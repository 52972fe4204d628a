import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { encodeJson, handoffSpan, traceRequest } from '@seamtrace/testkit';
import { expect, it } from 'vitest';

const cli = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));

// The device whose disk is always full; only Linux has it.
it.runIf(existsSync('/dev/full'))('serve goes on when its lines find no room, and says so at the end', async () => {
  const full = openSync('/dev/full', 'w');
  const addresses = ['--otlp-http', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  const child = spawn(process.execPath, [cli, 'serve', ...addresses], {
    env: { PATH: process.env['PATH'], SEAMTRACE_SETTLE_S: '0' },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const said = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [, found] = pattern.exec(stderr) ?? [];
      if (found !== undefined) return found;
      const ended = await Promise.race([once(child.stderr as NodeJS.ReadableStream, 'data').then(() => false), closed]);
      if (ended !== false) throw new Error(`serve ended and said:\n${stderr}`);
    }
  };
  try {
    const otlp = await said(/otlp-http listening on (\S+)/);
    const admin = await said(/admin listening on (\S+)/);
    const span = handoffSpan({
      role: 'destination',
      handoffId: 'h-1',
      source: 'a',
      target: 'b',
      destination: 'b',
      sourceStage: ['k'],
      payloadStage: ['k'],
      destinationStage: ['k'],
    });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${otlp}/v1/traces`, { method: 'POST', headers, body: encodeJson(traceRequest([span])) });
    expect(await said(/"why":"(\w+)"/)).toBe('ENOSPC');
    expect(await (await fetch(`${admin}/metrics`)).text()).toMatch(/^seamtrace_handoffs_total\{.+\} 1$/m);
  } finally {
    child.kill('SIGTERM');
  }
  expect(await closed).toEqual([2, null]);
  expect(stderr.match(/cannot write standard output \(ENOSPC/g)).toHaveLength(1);
});
