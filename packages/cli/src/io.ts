/** What a command may touch of the process it runs in; tests pass their own. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream;
  /** Results only, so that a pipe gets nothing else. */
  readonly stdout: NodeJS.WritableStream;
  /** Everything that is said to a person. */
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Says something to a person, as `seamtrace: what, where, what to do`. */
export function say(io: CliIo, message: string): void {
  io.stderr.write(`seamtrace: ${message}\n`);
}

/** Writes a result and waits while the reader of a pipe is slower than we are. A reader that has gone gets nothing. */
export async function print(io: CliIo, text: string): Promise<void> {
  if (!io.stdout.writable || io.stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close', 'error']) io.stdout.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) io.stdout.once(event, done);
  });
}
