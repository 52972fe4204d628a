import type { Writable } from 'node:stream';
import { pino } from 'pino';
import { type Flags, resolveSettings } from '../config/resolve.js';
import { sayConfigProblems } from '../config/complain.js';
import { loadContracts } from '../contracts/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, say } from '../io.js';
import { endAfter } from './end.js';
import { analyzerOptions } from './options.js';
import { sayStop } from './stop-report.js';
import { untilSignal } from '../signals.js';

/** `seamtrace serve`: runs the analyzer until SIGTERM or SIGINT. */
export async function serve(io: CliIo, flags: Flags): Promise<ExitCode> {
  const resolved = resolveSettings(io, flags);
  if (!resolved.ok) return sayConfigProblems(io, resolved.problems);
  const loaded = loadContracts(io, resolved.settings.contracts);
  if (!loaded.ok) return EXIT.usage;

  const { resolveAnalyzerConfig, startAnalyzer } = await import('@seamtrace/analyzer');
  const checked = resolveAnalyzerConfig({
    ...analyzerOptions(resolved.settings),
    contracts: loaded.contracts,
    contractsName: loaded.file,
    stdout: io.stdout,
    logger: pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, io.stderr as Writable),
  });
  if (!checked.ok) return sayConfigProblems(io, checked.problems);

  // Listened for before the start, so that a stop asked for during the start is not the system's abrupt one.
  const signalled = untilSignal();
  let running;
  try {
    running = await startAnalyzer(checked.config);
  } catch (error) {
    say(io, `the analyzer did not start: ${explain(error as NodeJS.ErrnoException)}`);
    return EXIT.failed;
  }
  say(io, `otlp-http listening on ${address(running.otlpHttp)}`);
  say(io, `admin listening on ${address(running.admin)}`);
  say(io, loaded.file === undefined ? 'no contract file; every route is undeclared' : `contracts from ${loaded.file}`);
  say(io, 'durability=none: evidence is held in memory; what is not graded when the process dies is gone');

  const signal = await signalled;
  say(io, `${signal}: stopping; intake is closed and what is whole is graded`);
  sayStop(io, await running.stop());
  endAfter(io, EXIT.ok);
  return EXIT.ok;
}

function address({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function explain(error: NodeJS.ErrnoException & { readonly address?: string; readonly port?: number }): string {
  const where = error.port === undefined ? '' : ` ${error.address ?? ''}:${error.port}`;
  if (error.code === 'EADDRINUSE') {
    return `the address${where} is taken; stop what listens there or choose another with --otlp-http or --admin`;
  }
  if (error.code === 'EACCES') return `the address${where} is not permitted; choose a port from 1024 up`;
  if (error.code === 'EADDRNOTAVAIL') return `the address${where} is none of this machine`;
  return error.message;
}
