import type { Contracts } from '@seamtrace/contracts';
import type { AssemblySizes, Due, ReassemblyObserver, TaskNews, TopologyObserver } from '@seamtrace/core';
import type { JournalLevels } from '../../journal/journal.js';
import {
  METRIC_SEAMTRACE_ANALYZER_BUILD_INFO,
  METRIC_SEAMTRACE_ANALYZER_CONNECTIONS_REFUSED,
  METRIC_SEAMTRACE_ANALYZER_CREDENTIALS_RELOADS,
  METRIC_SEAMTRACE_ANALYZER_EVENTS,
  METRIC_SEAMTRACE_ANALYZER_EXITS,
  METRIC_SEAMTRACE_ANALYZER_HANDSHAKES_FAILED,
  METRIC_SEAMTRACE_ANALYZER_JOURNAL_LAG,
  METRIC_SEAMTRACE_ANALYZER_JOURNAL_PENDING,
  METRIC_SEAMTRACE_ANALYZER_JOURNAL_SIZE,
  METRIC_SEAMTRACE_ANALYZER_RETAINED,
  METRIC_SEAMTRACE_ANALYZER_STATE_SIZE,
  METRIC_SEAMTRACE_ANALYZER_TASKS_OPEN,
  METRIC_SEAMTRACE_ANALYZER_TRACE_SPANS,
  METRIC_SEAMTRACE_ANALYZER_UNPLACED,
  METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE,
  METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE,
  METRIC_SEAMTRACE_ANALYZER_MALFORMED,
  METRIC_SEAMTRACE_ANALYZER_PENDING,
  METRIC_SEAMTRACE_ANALYZER_REQUESTS,
  METRIC_SEAMTRACE_ANALYZER_REQUEST_SIZE,
  METRIC_SEAMTRACE_ANALYZER_SPANS,
  METRIC_SEAMTRACE_ANALYZER_TASKS_REOPENED,
  METRIC_SEAMTRACE_ANALYZER_TOOL_CALLS_DROPPED,
  METRIC_SEAMTRACE_ROUTE_INFO,
} from '@seamtrace/semconv';
import type {
  AnalyzerListener,
  AnalyzerTransport,
  EventOutcome,
  EventSink,
  MalformedKind,
  ReloadOutcome,
  SpanOutcome,
} from '@seamtrace/semconv';
import { type Format, type Instruments, createInstruments } from './instruments.js';
import { UNDECLARED } from './labels.js';
import { recordTasks } from './tasks.js';
import { recordVerdict } from './verdicts.js';

/** What is read when somebody scrapes, since it is a state and no event. */
export interface Levels {
  readonly journal: JournalLevels;
  readonly state: AssemblySizes;
}

/** The only place that counts: every stage reports facts here, none keeps a number for metrics itself. */
export interface MetricsSink {
  verdict(due: Due): void;
  /** What became known of tasks; each fact is counted as often as it is told. */
  tasks(news: TaskNews): void;
  taskReopened(): void;
  readonly reassembly: Required<ReassemblyObserver>;
  readonly topology: Required<TopologyObserver>;
  /** An export request was answered, or `aborted` by its sender; `bytes` is the inflated size where the body was accepted. */
  request(transport: AnalyzerTransport, encoding: string, code: number | string, bytes: number | undefined): void;
  connectionRefused(transport: AnalyzerTransport): void;
  handshakeFailed(transport: AnalyzerTransport): void;
  reloaded(listener: AnalyzerListener, outcome: ReloadOutcome): void;
  spans(outcome: SpanOutcome, count: number): void;
  malformed(kind: MalformedKind, count: number): void;
  events(sink: EventSink, outcome: EventOutcome, count: number): void;
  scrape(format: Format): Promise<{ readonly contentType: string; readonly body: string }>;
}

export interface MetricsSinkOptions {
  readonly contracts: Contracts | undefined;
  readonly maxLabelValues: number;
  readonly version: string;
  readonly levels: () => Levels;
}

export function createMetricsSink({ contracts, maxLabelValues, version, levels }: MetricsSinkOptions): MetricsSink {
  const instruments = createInstruments(maxLabelValues);
  declare(instruments, contracts);
  instruments.set(METRIC_SEAMTRACE_ANALYZER_BUILD_INFO, { version }, 1);
  return {
    verdict: (due) => recordVerdict(instruments, contracts, due),
    tasks: (news) => recordTasks(instruments, contracts, news),
    taskReopened: () => instruments.add(METRIC_SEAMTRACE_ANALYZER_TASKS_REOPENED),
    reassembly: {
      exit: (exit) => instruments.add(METRIC_SEAMTRACE_ANALYZER_EXITS, { exit }),
      late(ageMs) {
        instruments.add(METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE);
        if (ageMs !== undefined) instruments.observe(METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE, {}, ageMs / 1000);
      },
      toolsDropped: (count) => instruments.add(METRIC_SEAMTRACE_ANALYZER_TOOL_CALLS_DROPPED, {}, count),
    },
    topology: {
      unresolved: (count, reason) => instruments.add(METRIC_SEAMTRACE_ANALYZER_UNPLACED, { reason }, count),
      capped: (count) => instruments.add(METRIC_SEAMTRACE_ANALYZER_UNPLACED, { reason: 'capped' }, count),
      evicted: () => {},
    },
    request(transport, encoding, code, bytes) {
      const labels = { transport, encoding };
      instruments.add(METRIC_SEAMTRACE_ANALYZER_REQUESTS, { ...labels, code: String(code) });
      if (bytes !== undefined) instruments.observe(METRIC_SEAMTRACE_ANALYZER_REQUEST_SIZE, labels, bytes);
    },
    handshakeFailed: (transport) => instruments.add(METRIC_SEAMTRACE_ANALYZER_HANDSHAKES_FAILED, { transport }),
    reloaded: (listener, outcome) =>
      instruments.add(METRIC_SEAMTRACE_ANALYZER_CREDENTIALS_RELOADS, { listener, outcome }),
    connectionRefused: (transport) => instruments.add(METRIC_SEAMTRACE_ANALYZER_CONNECTIONS_REFUSED, { transport }),
    spans: (outcome, count) => instruments.add(METRIC_SEAMTRACE_ANALYZER_SPANS, { outcome }, count),
    malformed: (kind, count) => instruments.add(METRIC_SEAMTRACE_ANALYZER_MALFORMED, { kind }, count),
    events: (sink, outcome, count) => instruments.add(METRIC_SEAMTRACE_ANALYZER_EVENTS, { sink, outcome }, count),
    scrape(format) {
      const { journal, state } = levels();
      instruments.set(METRIC_SEAMTRACE_ANALYZER_PENDING, {}, state.pending);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_JOURNAL_LAG, {}, journal.lag);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_JOURNAL_PENDING, {}, journal.pending);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_JOURNAL_SIZE, {}, journal.bytes);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_RETAINED, {}, state.retained);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_TASKS_OPEN, {}, state.tasks);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_TRACE_SPANS, {}, state.topology.spans);
      instruments.set(METRIC_SEAMTRACE_ANALYZER_STATE_SIZE, {}, state.bytes + state.taskBytes);
      return instruments.render(format);
    },
  };
}

/** What the contract file declares has its place in every label, and each route its info series. */
function declare(instruments: Instruments, contracts: Contracts | undefined): void {
  for (const route of contracts?.routes.values() ?? []) {
    instruments.reserve('route', [route.name]);
    instruments.reserve('source', [route.from]);
    instruments.reserve('target', [route.to]);
    instruments.reserve('contract_version', route.versions.keys());
    for (const version of route.versions.values()) instruments.reserve('key', version.required);
    // One series for each route, or a join on `route` would find two.
    const owner = [...new Set(route.owners.values())].sort().join(',');
    instruments.reserve('owner', [owner]);
    const labels = { route: route.name, source: route.from, target: route.to, owner };
    instruments.set(METRIC_SEAMTRACE_ROUTE_INFO, labels, 1);
  }
  instruments.reserve('route', [UNDECLARED]);
}
