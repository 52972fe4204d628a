import { type Flags, resolveSettings } from '../config/resolve.js';
import { sayConfigProblems } from '../config/complain.js';
import { readHostPort, readSeconds } from '../config/parsers.js';
import { thresholdsOf } from '../config/threshold-settings.js';
import { loadContracts } from '../contracts/load.js';
import { EXIT, type ExitCode } from '../exit.js';
import { readFiles } from '../input/files.js';
import { type CliIo, print, say } from '../io.js';
import { untilSignal } from '../signals.js';
import { CHECKS } from './checks/index.js';
import { createGatherer } from './gather.js';
import { listen } from './listen.js';
import { toJsonLines, toText } from './report.js';

export interface DoctorOptions {
  /** Paths; `-` is standard input. Empty where spans are listened for. */
  readonly files: readonly string[];
  /** `host:port` at which a running application sends. */
  readonly listen: string | undefined;
  /** How many seconds to listen; until a signal by default. */
  readonly seconds: string | undefined;
  readonly format: 'text' | 'json';
  readonly flags: Flags;
}

const MAX_SECONDS = 86_400;

/**
 * `seamtrace doctor`: says for each service which evidence is missing or misused, and how to put it right. Exit 0 where
 * nothing costs a verdict, 1 where something does, 2 for bad usage or unreadable input.
 */
export async function doctor(io: CliIo, options: DoctorOptions): Promise<ExitCode> {
  const resolved = resolveSettings(io, options.flags);
  if (!resolved.ok) return sayConfigProblems(io, resolved.problems);
  if (options.files.length > 0 === (options.listen !== undefined)) {
    return usage(io, 'name files with OTLP spans, or an address to listen at with --listen, one of the two');
  }
  if (options.seconds !== undefined && options.listen === undefined) return usage(io, '--for goes with --listen');
  const address = options.listen === undefined ? undefined : readHostPort(options.listen);
  if (address?.ok === false) return usage(io, `--listen: ${address.message}`);
  const seconds = options.seconds === undefined ? undefined : readSeconds(0.1, MAX_SECONDS)(options.seconds);
  if (seconds?.ok === false) return usage(io, `--for: ${seconds.message}`);
  const loaded = loadContracts(io, resolved.settings.contracts);
  if (!loaded.ok) return EXIT.usage;

  const gatherer = createGatherer(loaded.contracts, thresholdsOf(resolved.settings));
  if (address === undefined) {
    if (!(await readFiles(io, options.files, { decode: gatherer.offer, offer: () => [] }))) return EXIT.usage;
  } else {
    try {
      await listen({
        ...address.value,
        seconds: seconds?.value,
        until: untilSignal(),
        offer: gatherer.offer,
        listening: (url) =>
          say(io, `listening; start the application with OTEL_EXPORTER_OTLP_ENDPOINT=${url}, Ctrl-C ends it`),
        refused: (reason) => say(io, reason),
      });
    } catch (error) {
      return usage(io, `cannot listen at ${options.listen}: ${(error as Error).message}; name another port`);
    }
  }

  const view = gatherer.finish();
  const diagnoses = CHECKS.flatMap((check) => check(view));
  if (view.services.length === 0) say(io, 'no spans arrived, so there is nothing to say of any service');
  const text = options.format === 'json' ? toJsonLines(diagnoses) : toText(view, diagnoses);
  if (!(await print(io, text))) return EXIT.usage;
  return diagnoses.some(({ severity }) => severity === 'problem') ? EXIT.failed : EXIT.ok;
}

function usage(io: CliIo, message: string): ExitCode {
  say(io, message);
  return EXIT.usage;
}
