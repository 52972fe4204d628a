import { Command, CommanderError, Option } from 'commander';
import { ACCESS_SETTINGS } from './config/access-settings.js';
import { SETTINGS, SETTING_NAMES, type SettingName } from './config/settings.js';
import type { Flags } from './config/resolve.js';
import { EXIT, type ExitCode } from './exit.js';
import { type CliIo, outputFailure, print, say, watchOutput } from './io.js';

type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const ACCESS_NAMES = Object.keys(ACCESS_SETTINGS) as readonly (keyof typeof ACCESS_SETTINGS)[];

/** What stands behind a flag in the help, where it is neither a file nor an address. */
const PLACEHOLDERS: Partial<Record<SettingName, string>> = {
  otlpGrpc: 'HOST:PORT|off',
  data: 'DIR',
  durability: 'none|process|power',
  verdictEndpoint: 'URL',
};

/** Options that a command takes from the table of settings, plus `--config`. */
function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const { flag, brief, isPath } = SETTINGS[name];
    if (flag === undefined) continue;
    command.addOption(
      new Option(`${flag} <${PLACEHOLDERS[name] ?? (isPath ? 'FILE' : 'HOST:PORT')}>`, describe(name, brief)),
    );
  }
  const gather = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
  command.option('--threshold <NAME=NUMBER>', 'number behind a finding, such as loop_rounds=3; repeatable', gather);
  return command.option('--config <FILE>', 'configuration file (default: seamtrace.config.yaml, where it exists)');
}

function describe(name: SettingName, brief: string): string {
  const fallback: unknown = SETTINGS[name].fallback;
  if (typeof fallback !== 'object' || fallback === null) return brief;
  const { host, port } = fallback as { host: string; port: number };
  return `${brief} (default: ${host}:${port})`;
}

function flagsOf(given: Given): Flags {
  const flags: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const { flag } = SETTINGS[name];
    const value = flag === undefined ? undefined : given[camelCase(flag)];
    if (typeof value === 'string') flags[name] = value;
  }
  const { config, threshold } = given;
  return {
    ...flags,
    ...(typeof config === 'string' ? { config } : {}),
    ...(Array.isArray(threshold) ? { threshold: threshold as readonly string[] } : {}),
  };
}

function camelCase(flag: string): string {
  return flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function createProgram(
  io: CliIo,
  version: string,
  write: (text: string) => void,
  settle: (code: ExitCode) => void,
): Command {
  const program = new Command('seamtrace')
    .description('Prove exactly where an agent handoff lost context.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .exitOverride()
    .configureOutput({
      writeOut: write,
      writeErr: () => undefined, // said once, by runProgram
    });

  addSettings(
    program
      .command('serve')
      .description('receive OTLP, grade handoffs, print each verdict as a JSON line')
      .addHelpText('after', SERVE_HELP),
    ['otlpHttp', 'otlpGrpc', 'admin', 'data', 'durability', 'contracts', 'verdictEndpoint', ...ACCESS_NAMES],
  ).action(async (given: Given) => {
    const { serve } = await import('./serve/command.js');
    settle(await serve(io, flagsOf(given)));
  });

  program
    .command('demo')
    .description('run the example app against an analyzer of its own and show what was found')
    .option('--once', 'check the six verdicts and exit: 0 when all are as they should be, else 1')
    .option('--app <DIR>', 'another copy of the example app (default: examples/support-desk of this clone)')
    .addHelpText('after', DEMO_HELP)
    .action(async (given: Given) => {
      const { demo } = await import('./demo/command.js');
      const app = given['app'];
      settle(await demo(io, { once: given['once'] === true, ...(typeof app === 'string' ? { app } : {}) }));
    });

  addSettings(
    program
      .command('grade')
      .description('grade the handoffs in files of OTLP spans, for a gate in CI')
      .argument('<FILE...>', 'OTLP JSON (one request, or one a line), OTLP protobuf, gzip of either; - is stdin')
      .addOption(new Option('--format <FORMAT>', 'what to print').choices(['json', 'table']).default('table'))
      .addHelpText('after', GRADE_HELP),
    ['contracts'],
  ).action(async (files: string[], given: Given) => {
    const { grade } = await import('./grade/command.js');
    const format = given['format'] === 'json' ? 'json' : 'table';
    settle(await grade(io, { files, format, flags: flagsOf(given) }));
  });

  addSettings(
    program
      .command('doctor')
      .description('say for each service which evidence of handoffs is missing or misused, and how to put it right')
      .argument('[FILE...]', 'OTLP JSON (one request, or one a line), OTLP protobuf, gzip of either; - is stdin')
      .option('--listen <HOST:PORT>', 'take the spans of a running application here, over OTLP/HTTP')
      .option('--for <SECONDS>', 'how long to listen (default: until Ctrl-C)')
      .addOption(new Option('--format <FORMAT>', 'what to print').choices(['json', 'text']).default('text'))
      .addHelpText('after', DOCTOR_HELP),
    ['contracts'],
  ).action(async (files: string[], given: Given) => {
    const { doctor } = await import('./doctor/command.js');
    const text = (name: string): string | undefined => (typeof given[name] === 'string' ? given[name] : undefined);
    const format = given['format'] === 'json' ? 'json' : 'text';
    settle(await doctor(io, { files, listen: text('listen'), seconds: text('for'), format, flags: flagsOf(given) }));
  });

  const contracts = program.command('contracts').description('look at contract files').helpCommand(false);
  contracts
    .command('check')
    .description('read a contract file and report every problem in it, with file and line')
    .argument('[FILE]', CONTRACT_FILE)
    .option('--contracts <FILE>', 'the same, as the other commands name it')
    .addHelpText('after', CHECK_HELP)
    .action(async (file: string | undefined, given: { contracts?: string }) => {
      const { checkContracts } = await import('./contracts/command.js');
      settle(await checkContracts(io, contractFile(io, file ?? given.contracts)));
    });
  contracts
    .command('lint')
    .description('check, then refuse what a team would regret and list what nobody looks after')
    .argument('[FILE]', CONTRACT_FILE)
    .option('--contracts <FILE>', 'the same, as the other commands name it')
    .addHelpText('after', LINT_HELP)
    .action(async (file: string | undefined, given: { contracts?: string }) => {
      const { lintContracts } = await import('./contracts/command.js');
      settle(await lintContracts(io, contractFile(io, file ?? given.contracts)));
    });
  return program.helpCommand(false);
}

const CONTRACT_FILE = 'contract file (default: SEAMTRACE_CONTRACTS, else seamtrace.contracts.yaml)';

/** Named on the command line, else in the environment, else the default. */
function contractFile(io: CliIo, named: string | undefined): string {
  return named ?? (io.env['SEAMTRACE_CONTRACTS'] || 'seamtrace.contracts.yaml');
}

/**
 * Runs one command line (without node and script) and gives its exit code. Never throws for bad usage. A stdout that
 * cannot be written is said once and is exit code 2, whatever the command found: nobody has its result.
 */
export async function runProgram(io: CliIo, version: string, args: readonly string[]): Promise<ExitCode> {
  watchOutput(io);
  const code = await runCommand(io, version, args);
  const failure = outputFailure(io);
  if (failure === undefined) return code;
  say(io, `cannot write standard output (${failure.message}); make room or write to another place, and run it again`);
  return EXIT.usage;
}

async function runCommand(io: CliIo, version: string, args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  let written: Promise<unknown> = Promise.resolve(); // help and version, which commander does not wait for
  const write = (text: string): void => {
    written = print(io, text);
  };
  const program = createProgram(io, version, write, (settled) => {
    code = settled;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    sayUsage(io, args, error);
    return EXIT.usage;
  } finally {
    await written;
  }
}

function sayUsage(io: CliIo, args: readonly string[], error: CommanderError): void {
  const command = args.filter((arg) => !arg.startsWith('-')).find((arg) => COMMANDS.includes(arg));
  const help = command === undefined ? 'seamtrace --help' : `seamtrace ${command} --help`;
  const isHelp = error.code === 'commander.help' || error.code === 'commander.helpDisplayed';
  const what = isHelp ? 'no command given' : error.message.replace(/^error: /, '').replace(/\.$/, '');
  say(io, `${what}; see ${help}`);
}

const COMMANDS = ['serve', 'demo', 'grade', 'doctor', 'contracts'];

const EXITS = `
Exit codes: 0 all gated routes passed; 1 a gated route failed; 2 bad usage or unreadable input; 3 a gated route has no
graded handoff or one that could not be decided (a warning and 0 with gate.undecided: warn in the configuration).`;

const SERVE_HELP = `
Verdicts go to stdout, one JSON object a line; logs and the bound addresses go to stderr. Port 0 takes a free port.
Evidence is journaled under --data before it is acknowledged, and taken up again at the next start. SIGHUP reads tokens and
certificates again at once; changed files are noticed within seconds without it.

Examples:
  seamtrace serve --contracts seamtrace.contracts.yaml
  seamtrace serve --otlp-http 0.0.0.0:4318 --otlp-grpc 0.0.0.0:4317 --data /var/lib/seamtrace \\
    --ingest-token-file /run/secrets/ingest --ingest-tls-cert tls.crt --ingest-tls-key tls.key`;

const DEMO_HELP = `
Examples:
  seamtrace demo          show the verdicts and keep the analyzer running until Ctrl-C
  seamtrace demo --once   check them and exit`;

const GRADE_HELP = `${EXITS}

Examples:
  seamtrace grade spans.jsonl
  seamtrace grade --format json --contracts contracts.yaml spans.pb.gz more.json > verdicts.jsonl
  curl -s https://ci.example/run-17/spans.json | seamtrace grade -`;

const DOCTOR_HELP = `
Exit codes: 0 nothing costs a verdict (advice may be printed); 1 something does; 2 bad usage or unreadable input.

Examples:
  seamtrace doctor spans.jsonl
  seamtrace doctor --listen 127.0.0.1:4318 --for 60 --contracts seamtrace.contracts.yaml`;

const CHECK_HELP = `
Exit codes: 0 no problem; 2 a problem, or the file cannot be read.

Example:
  seamtrace contracts check services/desk/seamtrace.contracts.yaml`;

const LINT_HELP = `
Exit codes: 0 nothing to refuse (notes may be printed); 1 something to refuse; 2 the file cannot be read or has problems.

Example:
  seamtrace contracts lint`;
