import { ACCESS_SETTINGS } from './access-settings.js';
import {
  type HostPort,
  readChoice,
  readHostPort,
  readHostPortOrOff,
  readHttpUrl,
  readPath,
  readSeconds,
  readWhole,
} from './parsers.js';
import { type Setting, path, setting } from './setting.js';
import { THRESHOLD_SETTINGS } from './threshold-settings.js';

export type { Setting } from './setting.js';

const local = (port: number): HostPort => ({ host: '127.0.0.1', port });
const MEBI = 1024 * 1024;
const DAY_S = 86_400;

/** Every setting, in the order in which docs/reference/config.md lists them. */
export const SETTINGS = {
  otlpHttp: setting('otlp_http', '--otlp-http', readHostPort, local(4318), 'address of the OTLP/HTTP receiver'),
  otlpGrpc: setting<HostPort | 'off'>(
    'otlp_grpc',
    '--otlp-grpc',
    readHostPortOrOff,
    local(4317),
    'address of the OTLP/gRPC receiver, or off; where nobody sets it and it is taken, the service goes on without',
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
  ...ACCESS_SETTINGS,
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
    1_000_000,
    'handoffs in memory at once, waiting and graded ones together',
  ),
  maxStateBytes: setting(
    'max_state_bytes',
    undefined,
    readWhole(MEBI, 64 * 1024 * MEBI),
    256 * MEBI,
    'bytes that handoffs, verdicts and tool calls in memory may take, packed',
  ),
  maxBodyBytes: setting(
    'max_body_bytes',
    undefined,
    readWhole(1024, 1024 * MEBI),
    64 * MEBI,
    'largest OTLP request in bytes, before and after inflating each',
  ),
  maxJournalPendingBytes: setting(
    'max_journal_pending_bytes',
    undefined,
    readWhole(1024, 64 * 1024 * MEBI),
    64 * MEBI,
    'bytes of evidence that wait for the journal before senders are told to come again',
  ),
  maxDedupe: setting(
    'max_dedupe',
    undefined,
    readWhole(0, 100_000_000),
    262_144,
    'pieces of evidence remembered to tell a repetition; 0 for none',
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
  ...THRESHOLD_SETTINGS,
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
