import { type Contracts, lintContracts as lint } from '@seamtrace/contracts';
import { count } from '../count.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, print, say } from '../io.js';
import { loadContracts } from './load.js';

/** `seamtrace contracts check`: is this a contract file? Every problem is said at once. */
export async function checkContracts(io: CliIo, file: string): Promise<ExitCode> {
  const loaded = loadContracts(io, file);
  if (!loaded.ok || loaded.contracts === undefined) return EXIT.usage;
  await print(io, summary(file, loaded.contracts));
  return EXIT.ok;
}

/** `seamtrace contracts lint`: check, then what a reviewer would refuse (exit 1) or want to know (exit 0). */
export async function lintContracts(io: CliIo, file: string): Promise<ExitCode> {
  const loaded = loadContracts(io, file);
  if (!loaded.ok || loaded.contracts === undefined) return EXIT.usage;
  const findings = lint(loaded.contracts);
  const refused = findings.filter(({ severity }) => severity === 'error').length;
  const lines = findings.map(({ severity, message }) => `${severity === 'error' ? 'refused' : 'note'}: ${message}\n`);
  await print(io, lines.join(''));
  if (refused > 0) {
    say(io, `${file}: ${refused} to refuse; write what is missing, or observe instead of enforcing`);
    return EXIT.failed;
  }
  await print(io, summary(file, loaded.contracts));
  return EXIT.ok;
}

function summary(file: string, { agents, routes, digest }: Contracts): string {
  const gated = [...routes.values()].filter(({ gate }) => gate === 'required').length;
  return `${file}: ${count(agents.size, 'agent')}, ${count(routes.size, 'route')} (${gated} gated), digest ${digest}\n`;
}
