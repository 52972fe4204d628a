import { readFileSync } from 'node:fs';
import { runProgram } from './program.js';
import type { CliIo } from './io.js';

export type { CliIo } from './io.js';

/**
 * Runs a `seamtrace` command line, given without node and script, and resolves to its exit code (wire contract,
 * section 10). Bad usage and bad input are said on `io.stderr`; only a fault of ours rejects.
 */
export function run(io: CliIo, args: readonly string[]): Promise<number> {
  return runProgram(io, version(), args);
}

/** What `bin/seamtrace.js` does: {@link run} on this process, its exit code set. A fault of ours is no verdict: it ends with 2. */
export async function runProcess(): Promise<void> {
  const io = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
  };
  process.stderr.on('error', () => undefined); // where even this fails there is nobody left to tell
  try {
    process.exitCode = await run(io, process.argv.slice(2));
  } catch (error) {
    const { stack } = error as Error;
    process.stderr.write(`seamtrace: a fault of seamtrace itself, please report it:\n${stack ?? String(error)}\n`);
    process.exitCode = 2;
  }
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
