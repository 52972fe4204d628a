import { pino } from 'pino';
import { DURABILITIES } from '../journal/journal.js';
import { ANALYZER_DEFAULTS } from './defaults.js';
import { describe } from './describe.js';
import { NUMBER_RANGES } from './numbers.js';
import { resolveSecurity } from './security.js';
import { resolveThresholds } from './thresholds.js';
import type { AnalyzerConfig, AnalyzerOptions, ConfigProblem, ListenAddress, ResolveConfigResult } from './types.js';

const NAMES: ReadonlySet<string> = new Set<keyof AnalyzerOptions>([
  'contracts',
  'contractsName',
  'otlpHttp',
  'otlpGrpc',
  'admin',
  'ingestSecurity',
  'adminSecurity',
  'data',
  'durability',
  'thresholds',
  'verdictEndpoint',
  'settleMs',
  'deadlineMs',
  'retentionMs',
  'taskSilenceMs',
  'maxPending',
  'maxStateBytes',
  'maxBodyBytes',
  'maxJournalPendingBytes',
  'maxDedupe',
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
  const otlpHttp = listener('otlpHttp', options.otlpHttp, ANALYZER_DEFAULTS.otlpHttp, problems);
  const admin = listener('admin', options.admin, ANALYZER_DEFAULTS.admin, problems);
  const otlpGrpc = grpcListener(options.otlpGrpc, problems);
  refuseSharedAddresses({ otlpHttp, otlpGrpc, admin }, problems);
  const ingestSecurity = resolveSecurity('ingestSecurity', options.ingestSecurity, problems);
  const adminSecurity = resolveSecurity('adminSecurity', options.adminSecurity, problems);
  const journal = journalOf(options, problems);
  const thresholds = resolveThresholds(options.thresholds, problems);
  const verdictEndpoint = endpointOf(options.verdictEndpoint, problems);
  const numbers = resolveNumbers(options, problems);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config: Object.freeze({
      contracts: options.contracts,
      contractsName: options.contractsName,
      otlpHttp,
      otlpGrpc,
      admin,
      ingestSecurity,
      adminSecurity,
      ...journal,
      thresholds,
      verdictEndpoint,
      ...numbers,
      stdout: options.stdout,
      logger: options.logger ?? pino({ level: 'silent' }),
    }),
  };
}

/** With a directory evidence is kept in it unless it is said otherwise; without one there is nowhere to keep it. */
function journalOf(
  { data, durability = data === undefined ? 'none' : 'process' }: AnalyzerOptions,
  problems: ConfigProblem[],
): Pick<AnalyzerConfig, 'data' | 'durability'> {
  if (!DURABILITIES.includes(durability)) {
    const message = `must be one of ${DURABILITIES.join(', ')}, not ${describe(durability)}`;
    problems.push({ where: 'durability', message });
  }
  if (data === undefined && durability !== 'none') {
    problems.push({ where: 'data', message: `must name a directory: durability is ${describe(durability)}` });
  } else if (data !== undefined && (typeof data !== 'string' || data.trim() === '')) {
    problems.push({ where: 'data', message: `must name a directory, not ${describe(data)}` });
  }
  return { durability, data: durability === 'none' ? undefined : data };
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

function grpcListener(given: unknown, problems: ConfigProblem[]): AnalyzerConfig['otlpGrpc'] {
  if (given === 'off') return undefined;
  const address = listener('otlpGrpc', given, ANALYZER_DEFAULTS.otlpGrpc, problems);
  return Object.freeze({ ...address, required: given !== undefined });
}

const LISTENER_NAMES = { otlpHttp: 'OTLP over HTTP', otlpGrpc: 'OTLP over gRPC', admin: 'admin' } as const;

type Listeners = { readonly [Name in keyof typeof LISTENER_NAMES]: ListenAddress | undefined };

function refuseSharedAddresses(listeners: Listeners, problems: ConfigProblem[]): void {
  const names = Object.keys(LISTENER_NAMES) as (keyof Listeners)[];
  names.forEach((name, index) => {
    const { host, port } = listeners[name] ?? { port: 0 };
    const other = names.slice(0, index).find((earlier) => {
      const address = listeners[earlier];
      return port !== 0 && address?.port === port && address.host === host;
    });
    if (other === undefined) return;
    const message = `${host}:${port} is also the address for ${LISTENER_NAMES[other]}; give one of them another port`;
    problems.push({ where: name, message });
  });
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
