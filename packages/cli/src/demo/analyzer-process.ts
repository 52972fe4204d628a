import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { GradedHandoff } from '@seamtrace/core';
import type { DemoPlace } from './place.js';

/** What `serve` prints for one verdict. */
export interface ServedVerdict extends GradedHandoff {
  readonly verdict_id: string;
  readonly revision: number;
}

export interface AnalyzerProcess {
  /** `http://host:port`, as bound. */
  readonly otlp: string;
  readonly admin: string;
  /** The newest revision of each handoff, in the order of first arrival. */
  readonly verdicts: () => readonly ServedVerdict[];
  /** Resolves once `count` handoffs have a verdict or the analyzer is gone or `timeoutMs` have passed. */
  readonly waitFor: (count: number, timeoutMs: number) => Promise<void>;
  /** Calls `listen` with every verdict from now on, later revisions included. */
  readonly follow: (listen: (verdict: ServedVerdict) => void) => void;
  /** Asks for a graceful stop and waits for the end. */
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
}

const SETTLE_S = '1';

/**
 * Starts `seamtrace serve` as a process of its own on free ports, and reads its addresses from its stderr and its
 * verdicts from its stdout, as any user could. Rejects with what it said where it does not start.
 */
export async function startAnalyzerProcess(place: DemoPlace, env: NodeJS.ProcessEnv): Promise<AnalyzerProcess> {
  const any = '127.0.0.1:0';
  const args = [
    place.cli,
    'serve',
    '--otlp-http',
    any,
    '--otlp-grpc',
    'off',
    '--admin',
    any,
    '--contracts',
    place.contracts,
    '--durability',
    'none',
  ];
  const child = spawn(process.execPath, args, {
    cwd: place.app,
    // Nothing else runs here that could send more spans for a handoff, so a short wait is enough.
    env: { ...env, SEAMTRACE_SETTLE_S: SETTLE_S },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(() => undefined);
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  const { otlp, admin } = await readAddresses(child);

  const newest = new Map<string, ServedVerdict>();
  const waiting = new Set<() => void>();
  let heard = (_verdict: ServedVerdict): void => undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const verdict = JSON.parse(line) as ServedVerdict;
    newest.set(`${verdict.handoff_id}~${verdict.attempt}`, verdict);
    for (const look of waiting) look();
    heard(verdict);
  });
  const follow = (listen: typeof heard): void => {
    heard = listen;
  };
  const waitFor = (count: number, timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve();
      };
      const look = (): void => {
        if (newest.size >= count) done();
      };
      const timer = setTimeout(done, timeoutMs);
      waiting.add(look);
      void ended.then(done);
      look();
    });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await ended;
  };
  return { otlp, admin, verdicts: () => [...newest.values()], waitFor, follow, stop, ended };
}

function readAddresses(child: ChildProcess): Promise<{ readonly otlp: string; readonly admin: string }> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    let otlp: string | undefined;
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      if (said.length < 50) said.push(line);
      otlp = /otlp-http listening on (\S+)/.exec(line)?.[1] ?? otlp;
      const admin = /admin listening on (\S+)/.exec(line)?.[1];
      if (otlp !== undefined && admin !== undefined) resolve({ otlp, admin });
    });
    child.once('error', reject);
    child.once('close', (code) => {
      reject(new Error(`the analyzer ended with exit code ${code ?? 'none'} and said:\n${said.join('\n')}`));
    });
  });
}
