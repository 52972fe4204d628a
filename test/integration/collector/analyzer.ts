import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../../packages/cli/bin/seamtrace.js', import.meta.url));

/** Where an analyzer listens and keeps its evidence, over all of its lives. */
export interface Place {
  readonly http: number;
  readonly grpc: number;
  readonly admin: number;
  readonly data: string;
  readonly contracts: string;
}

export interface ServedVerdict {
  readonly handoff_id: string;
  readonly verdict: string;
  readonly verdict_id: string;
  readonly revision: number;
}

/** One life of the analyzer. */
export interface Life {
  /** Ends the process; resolves when its last verdict line was read. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  said(): string;
}

/** Starts `seamtrace serve` on its place; resolves when it listens. Every verdict line goes to `take`. */
export async function liveAt(
  place: Place,
  env: Readonly<Record<string, string>>,
  take: (verdict: ServedVerdict) => void,
): Promise<Life> {
  const child = spawn(
    process.execPath,
    [
      ...[cli, 'serve', '--contracts', place.contracts, '--data', place.data, '--durability', 'process'],
      ...['--otlp-http', `127.0.0.1:${place.http}`, '--otlp-grpc', `127.0.0.1:${place.grpc}`],
      ...['--admin', `127.0.0.1:${place.admin}`],
    ],
    { env: { PATH: process.env['PATH'], ...env }, cwd: place.data, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const closed = once(child, 'close');
  createInterface({ input: child.stdout }).on('line', (line) => take(JSON.parse(line) as ServedVerdict));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('admin listening on')) resolve();
    });
    void closed.then(() => reject(new Error(`serve ended and said:\n${said}`)));
  });
  return {
    said: () => said,
    async end(signal) {
      child.kill(signal);
      await closed;
    },
  };
}

/** The sum of all samples of one metric whose line matches. */
export async function metricSum(place: Place, pattern: RegExp): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${place.admin}/metrics`)).text();
  const lines = text.split('\n').filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
