import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../packages/cli/bin/seamtrace.js', import.meta.url));

/** A service in a process of its own, whose memory the system measures. */
export interface Measured {
  readonly port: number;
  /** Bytes of memory in use now; the peak counts from here. */
  restart(): number;
  /** The most bytes that were in use since then. */
  peak(): number;
  /** Whether it still runs. */
  alive(): boolean;
  stop(): Promise<void>;
}

/** Only Linux tells the peak, and starts it anew (`clear_refs`, proc(5)). */
export const canMeasure = process.platform === 'linux';

/** Starts `seamtrace serve`; `args` come after the addresses. */
export async function startMeasured(args: readonly string[] = []): Promise<Measured> {
  const cwd = mkdtempSync(join(tmpdir(), 'seamtrace-'));
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--otlp-http', '127.0.0.1:0', '--admin', '127.0.0.1:0', ...args],
    { env: { PATH: process.env['PATH'] }, cwd, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const closed = once(child, 'close');
  let stderr = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const found = /otlp-http listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void closed.then(() => reject(new Error(`serve ended and said:\n${stderr}`)));
  });
  const field = (name: string): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  };
  return {
    port,
    restart() {
      writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
      return field('VmRSS');
    },
    peak: () => field('VmHWM'),
    alive: () => child.exitCode === null,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      rmSync(cwd, { recursive: true, force: true });
    },
  };
}
