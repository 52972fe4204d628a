import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Line } from '../judge/compare.js';

const cli = fileURLToPath(new URL('../../../packages/cli/bin/seamtrace.js', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));

export interface Addresses {
  readonly otlp: string;
  readonly admin: string;
  /** `host:port`. */
  readonly grpc: string;
}

/** One life of `seamtrace serve`. */
export interface Life {
  readonly pid: number;
  /** Resolves when both listeners are bound; rejects, with what the process said, when it ends before. */
  readonly ready: Promise<Addresses>;
  /** Lets the process wait for its reader, as a slow pipe would. */
  pauseReading(): void;
  resumeReading(): void;
  said(): string;
  /** Ends the process and resolves when everything it wrote has been read. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

/**
 * Starts the service as a process of its own. `onLine` gets every whole line of its stdout: what a kill cuts off was never
 * said.
 */
export function live(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  onLine: (line: Line) => void,
): Life {
  const child: ChildProcess = spawn(
    process.execPath,
    [cli, 'serve', '--otlp-http', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--otlp-grpc', '127.0.0.1:0', ...args],
    { env: { PATH: process.env['PATH'], ...env }, cwd: here, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { stdout, stderr } = child as {
    stdout: NonNullable<ChildProcess['stdout']>;
    stderr: NonNullable<ChildProcess['stderr']>;
  };
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code as number | null,
    signal: signal as string | null,
  }));
  let rest = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) onLine(JSON.parse(line) as Line);
  });
  let said = '';
  const ready = new Promise<Addresses>((resolve, reject) => {
    stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-100_000);
      const at = (name: string): string | undefined => new RegExp(`${name} listening on (\\S+)\\n`).exec(said)?.[1];
      const [otlp, admin, grpc] = [at('otlp-http'), at('admin'), at('otlp-grpc')];
      if (otlp === undefined || admin === undefined || grpc === undefined) return;
      resolve({ otlp, admin, grpc: grpc.replace(/^https?:\/\//, '') });
    });
    void ended.then(({ code, signal }) =>
      reject(new Error(`serve ended by ${signal ?? `exit ${code}`} and said:\n${said}`)),
    );
  });
  ready.catch(() => undefined);
  return {
    pid: child.pid!,
    ready,
    pauseReading: () => void stdout.pause(),
    resumeReading: () => void stdout.resume(),
    said: () => said,
    ended,
    end(signal) {
      stdout.resume();
      child.kill(signal);
      return ended;
    },
  };
}

/** The number that `/metrics` shows for a gauge without labels. Throws where there is none, which is not the same as 0. */
export async function reading(admin: string, name: string): Promise<number> {
  const text = await (await fetch(`${admin}/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
  const shown = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1];
  if (shown === undefined) throw new Error(`/metrics shows no ${name}`);
  return Number(shown);
}
