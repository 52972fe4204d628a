import type { Writable } from 'node:stream';
import type { AnalyzerConfig, ListenAddress, RunningAnalyzer } from '@seamtrace/analyzer';
import { pino } from 'pino';
import { type Flags, resolveSettings } from '../config/resolve.js';
import { sayConfigProblems } from '../config/complain.js';
import { loadContracts } from '../contracts/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type CliIo, say } from '../io.js';
import { endAfter } from './end.js';
import { analyzerOptions, settingNamed } from './options.js';
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
  if (!checked.ok) {
    return sayConfigProblems(
      io,
      checked.problems.map(({ where, message }) => ({ where: settingNamed(where), message })),
    );
  }

  // Listened for before the start, so that a stop asked for during the start is not the system's abrupt one.
  const signalled = untilSignal();
  // And that one asked for again does not end a process that is still taking up its journal.
  let running: RunningAnalyzer | undefined;
  const stopped = new AbortController();
  void signalled.then(() => stopped.abort());
  const reload = (): void => running?.reload();
  process.on('SIGHUP', reload);
  try {
    running = await startAnalyzer(checked.config, stopped.signal);
  } catch (error) {
    process.off('SIGHUP', reload);
    if (stopped.signal.aborted && error === stopped.signal.reason) {
      say(io, `${await signalled}: stopped before it was ready; the next start takes up what the journal holds`);
      endAfter(io, EXIT.ok);
      return EXIT.ok;
    }
    say(io, `the analyzer did not start: ${explain(error as StartError)}`);
    return EXIT.failed;
  }
  const { ingestSecurity, adminSecurity } = checked.config;
  say(io, `otlp-http listening on ${address(running.otlpHttp, ingestSecurity.tlsCert)}`);
  sayGrpc(io, checked.config, running);
  say(io, `admin listening on ${address(running.admin, adminSecurity.tlsCert)}`);
  say(io, loaded.file === undefined ? 'no contract file; every route is undeclared' : `contracts from ${loaded.file}`);
  sayDurability(io, checked.config, running.durability);

  const signal = await signalled;
  process.off('SIGHUP', reload);
  const rest = running.durability === 'none' ? 'what is whole is graded' : 'what waits stays in the journal';
  say(io, `${signal}: stopping; intake is closed and ${rest}`);
  sayStop(io, await running.stop());
  endAfter(io, EXIT.ok);
  return EXIT.ok;
}

function sayDurability(io: CliIo, { data }: AnalyzerConfig, durability: RunningAnalyzer['durability']): void {
  const survives = {
    none: 'evidence is held in memory; what is not graded when the process dies is gone',
    process: `what is acknowledged survives the death of the process, in ${data}`,
    power: `what is acknowledged survives a loss of power, in ${data}`,
  };
  say(io, `durability=${durability}: ${survives[durability]}`);
}

function sayGrpc(io: CliIo, { otlpGrpc, ingestSecurity }: AnalyzerConfig, { otlpGrpc: bound }: RunningAnalyzer): void {
  if (bound !== undefined) return say(io, `otlp-grpc listening on ${address(bound, ingestSecurity.tlsCert)}`);
  if (otlpGrpc === undefined) return say(io, 'otlp-grpc is off');
  const where = `${otlpGrpc.host}:${otlpGrpc.port}`;
  say(io, `otlp-grpc is NOT listening: ${where} cannot be had; choose another address with --otlp-grpc, or off`);
}

function address({ host, port }: ListenAddress, certificate: string | undefined): string {
  return `${certificate === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

const FLAGS = { otlpHttp: '--otlp-http', otlpGrpc: '--otlp-grpc', admin: '--admin' } as const;

type StartError = NodeJS.ErrnoException & {
  readonly option?: keyof typeof FLAGS;
  readonly host?: string;
  readonly port?: number;
};

function explain({ code, message, option, host, port }: StartError): string {
  if (option === undefined) return message;
  const flag = FLAGS[option];
  const where = `the address ${host}:${port}`;
  if (code === 'EADDRINUSE') {
    const off = option === 'otlpGrpc' ? ', or turn gRPC off with --otlp-grpc off' : '';
    return `${where} is taken; stop what listens there or choose another with ${flag}${off}`;
  }
  if (code === 'EACCES') return `${where} is not permitted; choose a port from 1024 up with ${flag}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${where} is none of this machine; choose another with ${flag}`;
  return message;
}
