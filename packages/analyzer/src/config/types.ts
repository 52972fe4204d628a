import type { Writable } from 'node:stream';
import type { Contracts } from '@seamtrace/contracts';
import type { FindingThresholds } from '@seamtrace/core';
import type { Logger } from 'pino';
import type { Durability } from '../journal/journal.js';

/** Where to listen. Port 0 asks the system for a free one; `RunningAnalyzer` tells which it was. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Who may speak to a listener. Nothing of it given: everybody who reaches it, unencrypted. Files are read again when they
 * change; what cannot be used then leaves in force what was before.
 */
export interface SecurityOptions {
  /** Bearer tokens, any of which opens the door; several for the time of a change. */
  readonly tokens?: readonly string[] | undefined;
  /** File with further tokens, one a line; empty lines and lines that start with `#` do not count. */
  readonly tokenFile?: string | undefined;
  /** PEM file of the certificate chain, with `tlsKey`. */
  readonly tlsCert?: string | undefined;
  /** PEM file of the private key, not encrypted. */
  readonly tlsKey?: string | undefined;
  /** PEM file of the authorities of which a client must show a certificate. Needs `tlsCert` and `tlsKey`. */
  readonly clientCa?: string | undefined;
}

/** What can be asked of the analyzer. Everything left out has the default of `ANALYZER_DEFAULTS`. */
export interface AnalyzerOptions {
  /** Parsed contract file; without one every route is undeclared. */
  readonly contracts?: Contracts | undefined;
  /** Name of the contract file, for messages. */
  readonly contractsName?: string | undefined;
  readonly otlpHttp?: ListenAddress | undefined;
  /** `off` for none. Left out, the default is tried, and the service goes on without gRPC where that address is taken. */
  readonly otlpGrpc?: ListenAddress | 'off' | undefined;
  readonly admin?: ListenAddress | undefined;
  /** For the OTLP receivers, HTTP and gRPC alike. */
  readonly ingestSecurity?: SecurityOptions | undefined;
  /** For `/metrics`; the probes need neither a token nor a client certificate. */
  readonly adminSecurity?: SecurityOptions | undefined;
  /** Numbers behind findings that differ from `DEFAULT_THRESHOLDS`. */
  readonly thresholds?: Partial<FindingThresholds> | undefined;
  /** Directory of the journal, made where it is not there. One analyzer at a time can have it. */
  readonly data?: string | undefined;
  /** What acknowledged evidence survives; `process` where `data` is given, else `none`. */
  readonly durability?: Durability | undefined;
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
  /** Bytes that handoffs, verdicts and tool calls in memory may take, packed; an eighth of it is for tool calls. */
  readonly maxStateBytes?: number | undefined;
  /** Limit of one request, before and after inflating. */
  readonly maxBodyBytes?: number | undefined;
  /** Bytes of evidence that wait for the journal before senders are told to come again. */
  readonly maxJournalPendingBytes?: number | undefined;
  /** Pieces of evidence remembered to tell a repetition; 0 for none. */
  readonly maxDedupe?: number | undefined;
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
  /** `undefined`: no gRPC. `required`: without it the service does not start. */
  readonly otlpGrpc: (ListenAddress & { readonly required: boolean }) | undefined;
  readonly admin: ListenAddress;
  readonly ingestSecurity: SecurityOptions;
  readonly adminSecurity: SecurityOptions;
  readonly durability: Durability;
  /** Set unless `durability` is `none`. */
  readonly data: string | undefined;
  readonly thresholds: FindingThresholds;
  readonly verdictEndpoint: string | undefined;
  readonly settleMs: number;
  readonly deadlineMs: number;
  readonly retentionMs: number;
  readonly taskSilenceMs: number;
  readonly maxPending: number;
  readonly maxStateBytes: number;
  readonly maxBodyBytes: number;
  readonly maxJournalPendingBytes: number;
  readonly maxDedupe: number;
  readonly maxLabelValues: number;
  readonly maxQueuedEvents: number;
  readonly stopTimeoutMs: number;
  readonly stdout: Writable | undefined;
  readonly logger: Logger;
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
