import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ChildResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../..');
export const REGISTER = path.join(root, 'packages/instrumentation/dist/register.js');
export const APPS = path.join(here, 'apps');

export interface ChildOptions {
  readonly instrumented?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs an application as a process of its own, with nothing of this process's settings and no key of anybody's. */
export function runApp(args: readonly string[], { instrumented = true, env = {}, cwd = APPS }: ChildOptions = {}) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OTEL|SEAMTRACE|OPENAI|VITEST|NODE_)/.test(name) && name !== 'NODE_ENV',
  );
  const hook = instrumented ? ['--import', REGISTER] : [];
  const child = spawn(process.execPath, [...hook, ...args], {
    cwd,
    // The line at start is no news in most tests.
    env: { ...Object.fromEntries(inherited), SEAMTRACE_LOG: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  return new Promise<ChildResult>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
