import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
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

  // Only the demo itself is told; in a terminal Ctrl-C would also reach the analyzer.
  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  await expect(fetch(metrics)).rejects.toThrow();
});
