import type { CliIo } from '../io.js';
import type { ExitCode } from '../exit.js';

/** How long a reader of stderr that does not read can hold up the end. */
const LAST_WORDS_MS = 1_000;

/**
 * Ends the process after its command is through. Left alone it would live as long as a write to a reader of stdout that
 * does not read, so that a stop never came to its end. What runs in a process of somebody else's ends nothing.
 */
export function endAfter({ stdout, stderr }: CliIo, code: ExitCode): void {
  if (stdout !== process.stdout) return;
  const end = (): void => process.exit(process.exitCode ?? code);
  // Not before whoever called the command has set the exit code and said what there is to say.
  setImmediate(() => {
    setTimeout(end, LAST_WORDS_MS);
    stderr.write('', end);
  });
}
