import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../packages/cli/bin/seamtrace.js', import.meta.url));

/** One line of `serve`'s stdout. */
export type ServedLine = Readonly<Record<string, unknown>>;

export interface Serving {
  readonly otlp: string;
  readonly admin: string;
  /** Resolves with all lines so far, once there are at least `count`. */
  verdicts(count: number): Promise<readonly ServedLine[]>;
  /** Everything that stderr said so far. */
  said(): string;
  /** SIGTERM, then the exit code. */
  stop(): Promise<number>;
}

/** Starts `seamtrace serve` as a process on free ports; `args` come after those. */
export async function serve(env: Record<string, string>, args: readonly string[] = []): Promise<Serving> {
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--otlp-http', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--durability', 'none', ...args],
    {
      env: { PATH: process.env['PATH'], ...env },
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const closed = once(child, 'close') as Promise<[number | null, string | null]>;
  const lines: ServedLine[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line) as ServedLine);
    for (const look of waiting) look();
  });
  let stderr = '';
  const addresses = await new Promise<{ otlp: string; admin: string }>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      const otlp = /otlp-http listening on (\S+)/.exec(stderr)?.[1];
      const admin = /admin listening on (\S+)/.exec(stderr)?.[1];
      if (otlp !== undefined && admin !== undefined) resolve({ otlp, admin });
    });
    void closed.then(([code]) => reject(new Error(`serve ended with exit code ${code} and said:\n${stderr}`)));
  });
  return {
    ...addresses,
    said: () => stderr,
    verdicts: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (lines.length >= count) resolve(lines);
        };
        waiting.add(look);
        void closed.then(() =>
          reject(new Error(`serve ended with ${lines.length} of ${count} verdicts; it said:\n${stderr}`)),
        );
        look();
      }),
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await closed;
      if (code === null) throw new Error(`serve ended by ${signal}; it said:\n${stderr}`);
      return code;
    },
  };
}
