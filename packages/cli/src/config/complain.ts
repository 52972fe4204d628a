import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, say } from '../io.js';
import type { ConfigProblem } from './file.js';

/** Says every problem of the configuration at once, and gives the exit code for it. */
export function sayConfigProblems(io: CliIo, problems: readonly ConfigProblem[]): ExitCode {
  const count = problems.length;
  say(
    io,
    `the configuration has ${count === 1 ? 'a problem' : `${count} problems`}; correct what follows and start again`,
  );
  for (const { where, message } of problems) io.stderr.write(`  ${where}: ${message}\n`);
  return EXIT.usage;
}
