import type { Writable } from 'node:stream';

/** What a command may touch of the process it runs in; tests pass their own. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream;
  /** Results only, so that a pipe gets nothing else. */
  readonly stdout: Writable;
  /** Everything that is said to a person. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Says something to a person, as `seamtrace: what, where, what to do`. */
export function say(io: CliIo, message: string): void {
  io.stderr.write(`seamtrace: ${message}\n`);
}

// Node revives process.stdout after an error, so the stream itself does not keep it.
const failures = new WeakMap<Writable, Error>();

/** Notes what keeps stdout from being written, whoever writes. Called once, before anything is written. */
export function watchOutput(io: CliIo): void {
  io.stdout.on('error', (error) => note(io, error));
}

/**
 * Writes a result and waits until it is out, at the pace of its reader. False where it could not be written, which
 * `runProgram` says once for all; a reader that has gone gets nothing, and that is no failure.
 */
export async function print(io: CliIo, text: string): Promise<boolean> {
  if (io.stdout.writable) {
    const error = await new Promise<Error | null | undefined>((resolve) => io.stdout.write(text, resolve));
    if (error) note(io, error);
  }
  return outputFailure(io) === undefined;
}

/** Why stdout could not be written, such as a full disk. */
export function outputFailure(io: CliIo): Error | undefined {
  return failures.get(io.stdout);
}

function note({ stdout }: CliIo, error: NodeJS.ErrnoException): void {
  // `seamtrace grade … | head` closes the pipe early; that is the reader's choice and no failure.
  if (GONE.has(error.code ?? '') || failures.has(stdout)) return;
  failures.set(stdout, error);
}

const GONE = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);
