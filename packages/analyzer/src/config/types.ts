import type { Writable } from 'node:stream';
import type { Contracts } from '@seamtrace/contracts';
import type { Logger } from 'pino';

/** Where to listen. Port 0 asks the system for a free one; `RunningAnalyzer` tells which it was. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** How much of what was acknowledged survives the process. `none`: the journal is in memory. */
export type Durability = 'none';

/** What can be asked of the analyzer. Everything left out has the default of `ANALYZER_DEFAULTS`. */
export interface AnalyzerOptions {
  /** Parsed contract file; without one every route is undeclared. */
  readonly contracts?: Contracts | undefined;
  /** Name of the contract file, for messages. */
  readonly contractsName?: string | undefined;
  readonly otlpHttp?: ListenAddress | undefined;
  /** Not available yet: giving it is a problem, so that nobody waits for spans on a port that is not there. */
  readonly otlpGrpc?: ListenAddress | undefined;
  readonly admin?: ListenAddress | undefined;
  /** Directory for the journal and the verdicts. Not available yet: giving it is a problem. */
  readonly data?: string | undefined;
  /** OTLP/HTTP logs endpoint, such as `http://collector:4318/v1/logs`; a URL without a path gets `/v1/logs`. */
  readonly verdictEndpoint?: string | undefined;
  /** How long a whole record waits for more spans before it is graded. */
  readonly settleMs?: number | undefined;
  /** How long an incomplete record is waited for where its route's contract says nothing. */
  readonly deadlineMs?: number | undefined;
  /** How long a graded record is kept, so that late evidence can join it. */
  readonly retentionMs?: number | undefined;
  /** Silence after which a task counts as ended and its hops are observed. */
  readonly taskSilenceMs?: number | undefined;
  /** Handoffs in memory at once, waiting and graded ones together. */
  readonly maxPending?: number | undefined;
  /** Limit of one request, before and after inflating. */
  readonly maxBodyBytes?: number | undefined;
  /** Values that one label of one metric may have before `_other` takes the rest. */
  readonly maxLabelValues?: number | undefined;
  /** Verdict events that wait for the verdict endpoint before new ones are dropped and counted. */
  readonly maxQueuedEvents?: number | undefined;
  /** How long `stop()` waits for requests, output and the verdict endpoint. */
  readonly stopTimeoutMs?: number | undefined;
  /** Takes one JSON line for each verdict; `undefined` for none. */
  readonly stdout?: Writable | undefined;
  /** Receives the service's own log; silent when left out. */
  readonly logger?: Logger | undefined;
}

/** A checked configuration, frozen. Made by `resolveAnalyzerConfig` only. */
export interface AnalyzerConfig {
  readonly contracts: Contracts | undefined;
  readonly contractsName: string | undefined;
  readonly otlpHttp: ListenAddress;
  readonly admin: ListenAddress;
  readonly verdictEndpoint: string | undefined;
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly retentionMs: number;
  readonly taskSilenceMs: number;
  readonly maxPending: number;
  readonly maxBodyBytes: number;
  readonly maxLabelValues: number;
  readonly maxQueuedEvents: number;
  readonly stopTimeoutMs: number;
  readonly stdout: Writable | undefined;
  readonly logger: Logger;
  readonly durability: Durability;
}

/** One thing wrong with a configuration. */
export interface ConfigProblem {
  /** The option's name. */
  readonly where: string;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

export type ResolveConfigResult =
  | { readonly ok: true; readonly config: AnalyzerConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };
