import { pino } from 'pino';
import { ANALYZER_DEFAULTS } from './defaults.js';
import { NUMBER_RANGES } from './numbers.js';
import type { AnalyzerOptions, ConfigProblem, ListenAddress, ResolveConfigResult } from './types.js';

const NAMES: ReadonlySet<string> = new Set<keyof AnalyzerOptions>([
  'contracts',
  'contractsName',
  'otlpHttp',
  'otlpGrpc',
  'admin',
  'data',
  'verdictEndpoint',
  'settleMs',
  'deadlineMs',
  'retentionMs',
  'taskSilenceMs',
  'maxPending',
  'maxBodyBytes',
  'maxLabelValues',
  'maxQueuedEvents',
  'stopTimeoutMs',
  'stdout',
  'logger',
]);

/**
 * Checks options and fills in defaults. Every problem is reported, not only the first; an option that is `undefined`
 * counts as left out. Nothing is repaired: a value out of range is a problem, never the nearest value in it.
 */
export function resolveAnalyzerConfig(options: AnalyzerOptions): ResolveConfigResult {
  const problems: ConfigProblem[] = [];
  for (const name of Object.keys(options)) {
    if (!NAMES.has(name)) problems.push({ where: name, message: `unknown option; known are ${[...NAMES].join(', ')}` });
  }
  refuseWhatIsNotThere(options, problems);
  const otlpHttp = listener('otlpHttp', options.otlpHttp, ANALYZER_DEFAULTS.otlpHttp, problems);
  const admin = listener('admin', options.admin, ANALYZER_DEFAULTS.admin, problems);
  if (otlpHttp.port !== 0 && otlpHttp.port === admin.port && otlpHttp.host === admin.host) {
    problems.push({
      where: 'admin',
      message: `${admin.host}:${admin.port} is also the address for OTLP; give one of them another port`,
    });
  }
  const verdictEndpoint = endpointOf(options.verdictEndpoint, problems);
  const numbers = resolveNumbers(options, problems);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config: Object.freeze({
      contracts: options.contracts,
      contractsName: options.contractsName,
      otlpHttp,
      admin,
      verdictEndpoint,
      ...numbers,
      stdout: options.stdout,
      logger: options.logger ?? pino({ level: 'silent' }),
      durability: 'none',
    }),
  };
}

type Numbers = { readonly [Name in keyof typeof NUMBER_RANGES]: number };

function resolveNumbers(options: AnalyzerOptions, problems: ConfigProblem[]): Numbers {
  const names = Object.keys(NUMBER_RANGES) as (keyof typeof NUMBER_RANGES)[];
  const resolved = names.map((option) => {
    const [min, max] = NUMBER_RANGES[option];
    const value = options[option] ?? ANALYZER_DEFAULTS[option];
    if (!Number.isInteger(value) || value < min || value > max) {
      problems.push({ where: option, message: `must be an integer from ${min} to ${max}, not ${describe(value)}` });
    }
    return [option, value] as const;
  });
  return Object.fromEntries(resolved) as Numbers;
}

function refuseWhatIsNotThere(options: AnalyzerOptions, problems: ConfigProblem[]): void {
  if (options.data !== undefined) {
    problems.push({
      where: 'data',
      message: 'a journal on disk does not exist in this version; leave the option out to run with durability=none',
    });
  }
  if (options.otlpGrpc !== undefined) {
    problems.push({
      where: 'otlpGrpc',
      message: 'OTLP over gRPC does not exist in this version; leave the option out and send OTLP over HTTP',
    });
  }
}

function listener(
  where: string,
  given: unknown,
  fallback: ListenAddress,
  problems: ConfigProblem[],
): Readonly<ListenAddress> {
  if (given === undefined) return fallback;
  const { host, port } = (given ?? {}) as Partial<ListenAddress>;
  const fits = typeof host === 'string' && host !== '' && Number.isInteger(port) && port! >= 0 && port! <= 65_535;
  if (!fits) {
    problems.push({ where, message: 'must be { host, port } with a host name or address and a port from 0 to 65535' });
    return fallback;
  }
  return Object.freeze({ host, port: port! });
}

/** The signal's path is added where the URL has none, as for a collector's base URL. */
function endpointOf(given: unknown, problems: ConfigProblem[]): string | undefined {
  if (given === undefined) return undefined;
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    problems.push({
      where: 'verdictEndpoint',
      message: `must be the http or https URL of an OTLP logs endpoint, such as http://localhost:4318/v1/logs, not ${describe(withoutCredentials(given))}`,
    });
    return undefined;
  }
  if (url.pathname === '/') url.pathname = '/v1/logs';
  return url.href;
}

/** What is no URL is not parsed as one either: whatever could be credentials in it goes. */
function withoutCredentials(given: unknown): unknown {
  return typeof given === 'string' ? given.replace(/[?#].*$/s, '').replace(/^([^/]*:?\/\/)?.*@/s, '$1…@') : given;
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
