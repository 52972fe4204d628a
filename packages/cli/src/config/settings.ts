import {
  type HostPort,
  type Read,
  readChoice,
  readHostPort,
  readHttpUrl,
  readPath,
  readSeconds,
  readWhole,
} from './parsers.js';

/** One thing that can be configured: its names in the three layers, what it takes, and what holds where nobody says. */
export interface Setting<T> {
  /** In `seamtrace.config.yaml`; a dot goes one level down. */
  readonly key: string;
  readonly env: string;
  /** On the command line; `undefined` where a flag would only be noise. */
  readonly flag: string | undefined;
  readonly read: (value: unknown) => Read<T>;
  readonly fallback: T;
  readonly brief: string;
  /** A path in the file is relative to the file; everywhere else to the working directory. */
  readonly isPath: boolean;
}

function setting<T>(
  key: string,
  flag: string | undefined,
  read: (value: unknown) => Read<T>,
  fallback: NoInfer<T>,
  brief: string,
): Setting<T> {
  const env = `SEAMTRACE_${key.replaceAll('.', '_').toUpperCase()}`;
  return { key, env, flag, read, fallback, brief, isPath: false };
}

const path = (key: string, flag: string, brief: string): Setting<string | undefined> => ({
  ...setting<string | undefined>(key, flag, readPath, undefined, brief),
  isPath: true,
});

/** Accepts nothing: a name that is reserved, so that nobody believes it works. */
const notYet = (instead: string) => (): Read<undefined> => ({
  ok: false,
  message: `is not available in this version; ${instead}`,
});

const local = (port: number): HostPort => ({ host: '127.0.0.1', port });
const MEBI = 1024 * 1024;
const DAY_S = 86_400;

/** Every setting, in the order in which docs/reference/config.md lists them. */
export const SETTINGS = {
  otlpHttp: setting('otlp_http', '--otlp-http', readHostPort, local(4318), 'address of the OTLP/HTTP receiver'),
  otlpGrpc: setting<undefined>(
    'otlp_grpc',
    '--otlp-grpc',
    notYet('send OTLP over HTTP (--otlp-http) instead'),
    undefined,
    'address of the OTLP/gRPC receiver, 127.0.0.1:4317 once it exists; refused in this version',
  ),
  admin: setting('admin', '--admin', readHostPort, local(9464), 'address of /metrics, /healthz and /readyz'),
  data: {
    ...setting('data', '--data', readPath, 'seamtrace-data', 'directory of the evidence journal'),
    isPath: true,
  },
  durability: setting(
    'durability',
    '--durability',
    readChoice(['none', 'process', 'power'] as const),
    'process',
    'what acknowledged evidence survives: none (memory only), the death of the process, or loss of power',
  ),
  contracts: path('contracts', '--contracts', 'contract file (default: seamtrace.contracts.yaml, where it exists)'),
  verdictEndpoint: setting<string | undefined>(
    'verdict_endpoint',
    '--verdict-endpoint',
    readHttpUrl,
    undefined,
    'URL of an OTLP/HTTP logs receiver that gets every verdict as a log record',
  ),
  settleSeconds: setting('settle_s', undefined, readSeconds(0, DAY_S), 5, 'seconds from a whole record to its grade'),
  deadlineSeconds: setting(
    'deadline_s',
    undefined,
    readSeconds(0.001, 30 * DAY_S),
    600,
    'seconds after which an incomplete record on an undeclared route is graded as it is',
  ),
  retentionSeconds: setting(
    'retention_s',
    undefined,
    readSeconds(0, 30 * DAY_S),
    3600,
    'seconds that a graded record is kept, so that late evidence can join it',
  ),
  taskSilenceSeconds: setting(
    'task_silence_s',
    undefined,
    readSeconds(0.001, 30 * DAY_S),
    3600,
    'seconds of silence after which a task counts as ended',
  ),
  maxPending: setting(
    'max_pending',
    undefined,
    readWhole(1, 10_000_000),
    100_000,
    'handoffs in memory at once, waiting and graded ones together',
  ),
  maxBodyBytes: setting(
    'max_body_bytes',
    undefined,
    readWhole(1024, 1024 * MEBI),
    64 * MEBI,
    'largest OTLP request in bytes, before and after inflating each',
  ),
  maxLabelValues: setting(
    'max_label_values',
    undefined,
    readWhole(1, 100_000),
    100,
    'values that one label of one metric may have before _other takes the rest',
  ),
  maxQueuedEvents: setting(
    'max_queued_events',
    undefined,
    readWhole(1, 1_000_000),
    2048,
    'verdict events that wait for the verdict endpoint before new ones are dropped and counted',
  ),
  stopTimeoutSeconds: setting(
    'stop_timeout_s',
    undefined,
    readSeconds(0, 600),
    10,
    'seconds that a stop waits for open requests, output and the verdict endpoint',
  ),
  gateUndecided: setting(
    'gate.undecided',
    undefined,
    readChoice(['fail', 'warn'] as const),
    'fail',
    'what `grade` does about a gated route without a decided handoff: exit 3, or warn and exit 0',
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;

/** What holds after all layers. */
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];
