// Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file.

/** How a metric is recorded. */
export type MetricInstrument = 'counter' | 'histogram' | 'gauge';

/** One metric of the wire contract, section 7, or of the analyzer about itself. */
export interface MetricDefinition {
  /** OpenTelemetry name. */
  readonly name: string;
  /** Name at a Prometheus scrape: of the counter with `_total`, of the histogram without its suffixes. */
  readonly prometheusName: string;
  readonly instrument: MetricInstrument;
  /** UCUM unit. */
  readonly unit: string;
  readonly brief: string;
  /** Label names in the order of the wire contract; empty where the metric has none. */
  readonly attributes: readonly string[];
}

/**
 * Handoffs graded, by their first verdict.
 *
 * What a later revision changes is counted in `seamtrace.verdict.revisions` instead.
 */
export const METRIC_SEAMTRACE_HANDOFFS = 'seamtrace.handoffs';

/** Required keys found missing, by key and boundary. */
export const METRIC_SEAMTRACE_MISSING_KEYS = 'seamtrace.missing_keys';

/**
 * Required keys of graded handoffs.
 *
 * The denominator of the share that arrived.
 */
export const METRIC_SEAMTRACE_REQUIRED_KEYS = 'seamtrace.required_keys';

/** Required keys of graded handoffs that were observed at the destination. */
export const METRIC_SEAMTRACE_REQUIRED_KEYS_ARRIVED = 'seamtrace.required_keys.arrived';

/**
 * From the end of the dispatch span to the end of ingest.
 *
 * Accepted and warned ingests only; after a repair, counted from the first dispatch. Never clamped and never negative: see `seamtrace.handoff.latency.unmeasurable`.
 */
export const METRIC_SEAMTRACE_HANDOFF_LATENCY = 'seamtrace.handoff.latency';

/** From the first touch of what arrived to the end of ingest. */
export const METRIC_SEAMTRACE_INGEST_DURATION = 'seamtrace.ingest.duration';

/** Handoffs whose latency could not be measured. */
export const METRIC_SEAMTRACE_HANDOFF_LATENCY_UNMEASURABLE = 'seamtrace.handoff.latency.unmeasurable';

/**
 * Size of the payload as its sender serialized it.
 *
 * Not observed for a handoff without a hop index, or with one below 1.
 */
export const METRIC_SEAMTRACE_ENVELOPE_SIZE = 'seamtrace.envelope.size';

/**
 * Largest hop index of a task over its forward legs.
 *
 * Where no hop states an index, the longest chain from run to handoff to run. Observed once, when the root run of the task has ended or after an hour of silence. Tasks that speak again later are counted in `seamtrace.analyzer.tasks.reopened`.
 */
export const METRIC_SEAMTRACE_TASK_HOPS = 'seamtrace.task.hops';

/** Tasks that reached their hop limit. */
export const METRIC_SEAMTRACE_TASKS_AT_HOP_LIMIT = 'seamtrace.tasks.at_hop_limit';

/** Envelopes taken or refused, one per attempt. */
export const METRIC_SEAMTRACE_INGESTS = 'seamtrace.ingests';

/** Violations found at ingest. */
export const METRIC_SEAMTRACE_INGEST_VALIDATION_FAILURES = 'seamtrace.ingest.validation_failures';

/**
 * Handoffs by whether the consumer began by redoing work.
 *
 * True when one of the consumer's first three actions equals, in tool and arguments, a successful call of a run before it on the path. Transfer tools and tools on `replan_ignore` do not count.
 */
export const METRIC_SEAMTRACE_HANDOFF_REPLANS = 'seamtrace.handoff.replans';

/** Tool calls of a consumer that a run before it on the path had already made with success. */
export const METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS = 'seamtrace.redundant_tool_calls';

/** Time spent in redundant tool calls. */
export const METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION = 'seamtrace.redundant_tool.duration';

/**
 * Tasks that ended, by outcome.
 *
 * Once a task, when its root run has ended or after an hour of silence. `cannot` is not counted in this version: nothing on the wire states it, and such a task reads as `completed`.
 */
export const METRIC_SEAMTRACE_TASKS = 'seamtrace.tasks';

/**
 * Model tokens spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.tokens` at two hops.
 */
export const METRIC_SEAMTRACE_BUDGET_TOKENS_SPENT = 'seamtrace.budget.tokens.spent';

/**
 * Milliseconds of elapsed time spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.wall_clock_ms` at two hops. Not exposed in this version: `promtool check metrics` refuses the abbreviated unit in its name.
 */
export const METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT = 'seamtrace.budget.wall_clock_ms.spent';

/**
 * Tool calls spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.tool_calls` at two hops.
 */
export const METRIC_SEAMTRACE_BUDGET_TOOL_CALLS_SPENT = 'seamtrace.budget.tool_calls.spent';

/**
 * Retries spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.retries` at two hops.
 */
export const METRIC_SEAMTRACE_BUDGET_RETRIES_SPENT = 'seamtrace.budget.retries.spent';

/**
 * Millionths of the currency unit spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.cost_micros` at two hops.
 */
export const METRIC_SEAMTRACE_BUDGET_COST_MICROS_SPENT = 'seamtrace.budget.cost_micros.spent';

/**
 * Escalations to a person spent between the hops of a task.
 *
 * The difference between the values of `seamtrace.budget.consumed.escalations` at two hops.
 */
export const METRIC_SEAMTRACE_BUDGET_ESCALATIONS_SPENT = 'seamtrace.budget.escalations.spent';

/**
 * Escalations to a person, by outcome.
 *
 * One escalation is counted as `asked` and, when its answer comes, as `answered` too. `expired` and `rubber_stamped` are not counted in this version: no span states them.
 */
export const METRIC_SEAMTRACE_ESCALATIONS = 'seamtrace.escalations';

/**
 * Findings made.
 *
 * Those of the first verdict; and those that rest on the rest of the task, when a revision first makes them.
 */
export const METRIC_SEAMTRACE_FINDINGS = 'seamtrace.findings';

/** Verdicts that late evidence revised. */
export const METRIC_SEAMTRACE_VERDICT_REVISIONS = 'seamtrace.verdict.revisions';

/**
 * Always 1, one series per declared route.
 *
 * Join it on `route` to name source, target and owner.
 */
export const METRIC_SEAMTRACE_ROUTE_INFO = 'seamtrace.route.info';

/**
 * OTLP export requests received, each counted once by the status code of its answer.
 *
 * HTTP status code on HTTP, gRPC code name on gRPC; `aborted` where the sender went away before its request was complete.
 */
export const METRIC_SEAMTRACE_ANALYZER_REQUESTS = 'seamtrace.analyzer.requests';

/** Connections refused because too many were open. No request was read from them. */
export const METRIC_SEAMTRACE_ANALYZER_CONNECTIONS_REFUSED = 'seamtrace.analyzer.connections.refused';

/** Connections that ended in their TLS handshake, such as for want of a client certificate. */
export const METRIC_SEAMTRACE_ANALYZER_HANDSHAKES_FAILED = 'seamtrace.analyzer.handshakes.failed';

/** Times that tokens and certificates were read again, by what came of it. */
export const METRIC_SEAMTRACE_ANALYZER_CREDENTIALS_RELOADS = 'seamtrace.analyzer.credentials.reloads';

/** Size of accepted request bodies after inflating. */
export const METRIC_SEAMTRACE_ANALYZER_REQUEST_SIZE = 'seamtrace.analyzer.request.size';

/**
 * Spans received, each counted once by what became of it.
 *
 * The outcomes sum to all spans of the requests that could be decoded, each time they are received: a batch that is refused and sent again counts again. How many spans a request held that was refused before that, or could not be decoded, nobody knows: it is in `seamtrace.analyzer.requests` alone. `rejected` are also attempts beyond the 256 that are kept of one handoff id.
 */
export const METRIC_SEAMTRACE_ANALYZER_SPANS = 'seamtrace.analyzer.spans';

/** Malformed input, by kind. */
export const METRIC_SEAMTRACE_ANALYZER_MALFORMED = 'seamtrace.analyzer.malformed';

/** Handoff attempts waiting for evidence or for their deadline. */
export const METRIC_SEAMTRACE_ANALYZER_PENDING = 'seamtrace.analyzer.pending';

/** Ways out of pending, one per handoff attempt. */
export const METRIC_SEAMTRACE_ANALYZER_EXITS = 'seamtrace.analyzer.exits';

/**
 * Pieces of evidence that came after their handoff was graded.
 *
 * Whether it changed a verdict is in `seamtrace.verdict.revisions`.
 */
export const METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE = 'seamtrace.analyzer.late_evidence';

/** Time from a handoff's grading to the receipt of late evidence. */
export const METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE = 'seamtrace.analyzer.late_evidence.age';

/**
 * Tool calls let go before the handoff that started their run was graded.
 *
 * One handoff had more than are kept, all together were too many, or the handoff never came.
 */
export const METRIC_SEAMTRACE_ANALYZER_TOOL_CALLS_DROPPED = 'seamtrace.analyzer.tool_calls.dropped';

/** Pieces of evidence in the journal that reassembly has not been offered yet. */
export const METRIC_SEAMTRACE_ANALYZER_JOURNAL_LAG = 'seamtrace.analyzer.journal.lag';

/** Batches handed to the journal and not yet durable, so not yet acknowledged. */
export const METRIC_SEAMTRACE_ANALYZER_JOURNAL_PENDING = 'seamtrace.analyzer.journal.pending';

/** Verdict events handed to a sink, by outcome. */
export const METRIC_SEAMTRACE_ANALYZER_EVENTS = 'seamtrace.analyzer.events';

/** Observations whose label value was replaced by `_other`. */
export const METRIC_SEAMTRACE_ANALYZER_LABEL_OVERFLOW = 'seamtrace.analyzer.label_overflow';

/** Tasks that spoke again after their hops were observed. */
export const METRIC_SEAMTRACE_ANALYZER_TASKS_REOPENED = 'seamtrace.analyzer.tasks.reopened';

/** Graded handoff attempts kept for late evidence. */
export const METRIC_SEAMTRACE_ANALYZER_RETAINED = 'seamtrace.analyzer.retained';

/** Tasks in memory. */
export const METRIC_SEAMTRACE_ANALYZER_TASKS_OPEN = 'seamtrace.analyzer.tasks.open';

/** Spans whose place in their trace is kept, to find owners of spans that name none. */
export const METRIC_SEAMTRACE_ANALYZER_TRACE_SPANS = 'seamtrace.analyzer.trace.spans';

/**
 * Bytes of handoffs, tool calls and tasks in memory.
 *
 * Packed sizes: the memory of the process is larger.
 */
export const METRIC_SEAMTRACE_ANALYZER_STATE_SIZE = 'seamtrace.analyzer.state.size';

/** Bytes that the journal holds on disk; free space inside its file is not counted. */
export const METRIC_SEAMTRACE_ANALYZER_JOURNAL_SIZE = 'seamtrace.analyzer.journal.size';

/**
 * Spans that found no place in their trace, or no run around them.
 *
 * Nothing is guessed for them: a tool call among them counts for no handoff.
 */
export const METRIC_SEAMTRACE_ANALYZER_UNPLACED = 'seamtrace.analyzer.unplaced';

/** Always 1; the label says which version runs. */
export const METRIC_SEAMTRACE_ANALYZER_BUILD_INFO = 'seamtrace.analyzer.build.info';

/** Every metric, in the order of the registry. */
export const METRICS: readonly MetricDefinition[] = [
  {
    name: METRIC_SEAMTRACE_HANDOFFS,
    prometheusName: 'seamtrace_handoffs_total',
    instrument: 'counter',
    unit: '{handoff}',
    brief: 'Handoffs graded, by their first verdict.',
    attributes: ['route', 'verdict', 'boundary', 'contract_version', 'evidence', 'kind'],
  },
  {
    name: METRIC_SEAMTRACE_MISSING_KEYS,
    prometheusName: 'seamtrace_missing_keys_total',
    instrument: 'counter',
    unit: '{key}',
    brief: 'Required keys found missing, by key and boundary.',
    attributes: ['route', 'key', 'boundary'],
  },
  {
    name: METRIC_SEAMTRACE_REQUIRED_KEYS,
    prometheusName: 'seamtrace_required_keys_total',
    instrument: 'counter',
    unit: '{key}',
    brief: 'Required keys of graded handoffs.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_REQUIRED_KEYS_ARRIVED,
    prometheusName: 'seamtrace_required_keys_arrived_total',
    instrument: 'counter',
    unit: '{key}',
    brief: 'Required keys of graded handoffs that were observed at the destination.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_HANDOFF_LATENCY,
    prometheusName: 'seamtrace_handoff_latency_seconds',
    instrument: 'histogram',
    unit: 's',
    brief: 'From the end of the dispatch span to the end of ingest.',
    attributes: ['route', 'kind'],
  },
  {
    name: METRIC_SEAMTRACE_INGEST_DURATION,
    prometheusName: 'seamtrace_ingest_duration_seconds',
    instrument: 'histogram',
    unit: 's',
    brief: 'From the first touch of what arrived to the end of ingest.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_HANDOFF_LATENCY_UNMEASURABLE,
    prometheusName: 'seamtrace_handoff_latency_unmeasurable_total',
    instrument: 'counter',
    unit: '{handoff}',
    brief: 'Handoffs whose latency could not be measured.',
    attributes: ['reason'],
  },
  {
    name: METRIC_SEAMTRACE_ENVELOPE_SIZE,
    prometheusName: 'seamtrace_envelope_size_bytes',
    instrument: 'histogram',
    unit: 'By',
    brief: 'Size of the payload as its sender serialized it.',
    attributes: ['route', 'hop'],
  },
  {
    name: METRIC_SEAMTRACE_TASK_HOPS,
    prometheusName: 'seamtrace_task_hops',
    instrument: 'histogram',
    unit: '{hop}',
    brief: 'Largest hop index of a task over its forward legs.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_TASKS_AT_HOP_LIMIT,
    prometheusName: 'seamtrace_tasks_at_hop_limit_total',
    instrument: 'counter',
    unit: '{task}',
    brief: 'Tasks that reached their hop limit.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_INGESTS,
    prometheusName: 'seamtrace_ingests_total',
    instrument: 'counter',
    unit: '{ingest}',
    brief: 'Envelopes taken or refused, one per attempt.',
    attributes: ['route', 'source', 'outcome'],
  },
  {
    name: METRIC_SEAMTRACE_INGEST_VALIDATION_FAILURES,
    prometheusName: 'seamtrace_ingest_validation_failures_total',
    instrument: 'counter',
    unit: '{failure}',
    brief: 'Violations found at ingest.',
    attributes: ['source', 'field'],
  },
  {
    name: METRIC_SEAMTRACE_HANDOFF_REPLANS,
    prometheusName: 'seamtrace_handoff_replans_total',
    instrument: 'counter',
    unit: '{handoff}',
    brief: 'Handoffs by whether the consumer began by redoing work.',
    attributes: ['route', 'replanned'],
  },
  {
    name: METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
    prometheusName: 'seamtrace_redundant_tool_calls_total',
    instrument: 'counter',
    unit: '{call}',
    brief: 'Tool calls of a consumer that a run before it on the path had already made with success.',
    attributes: ['route', 'tool'],
  },
  {
    name: METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
    prometheusName: 'seamtrace_redundant_tool_duration_seconds_total',
    instrument: 'counter',
    unit: 's',
    brief: 'Time spent in redundant tool calls.',
    attributes: ['route', 'tool'],
  },
  {
    name: METRIC_SEAMTRACE_TASKS,
    prometheusName: 'seamtrace_tasks_total',
    instrument: 'counter',
    unit: '{task}',
    brief: 'Tasks that ended, by outcome.',
    attributes: ['outcome'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_TOKENS_SPENT,
    prometheusName: 'seamtrace_budget_tokens_spent_total',
    instrument: 'counter',
    unit: '{token}',
    brief: 'Model tokens spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT,
    prometheusName: 'seamtrace_budget_wall_clock_ms_spent_total',
    instrument: 'counter',
    unit: 'ms',
    brief: 'Milliseconds of elapsed time spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_TOOL_CALLS_SPENT,
    prometheusName: 'seamtrace_budget_tool_calls_spent_total',
    instrument: 'counter',
    unit: '{call}',
    brief: 'Tool calls spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_RETRIES_SPENT,
    prometheusName: 'seamtrace_budget_retries_spent_total',
    instrument: 'counter',
    unit: '{retry}',
    brief: 'Retries spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_COST_MICROS_SPENT,
    prometheusName: 'seamtrace_budget_cost_micros_spent_total',
    instrument: 'counter',
    unit: '{micro}',
    brief: 'Millionths of the currency unit spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_BUDGET_ESCALATIONS_SPENT,
    prometheusName: 'seamtrace_budget_escalations_spent_total',
    instrument: 'counter',
    unit: '{escalation}',
    brief: 'Escalations to a person spent between the hops of a task.',
    attributes: ['route'],
  },
  {
    name: METRIC_SEAMTRACE_ESCALATIONS,
    prometheusName: 'seamtrace_escalations_total',
    instrument: 'counter',
    unit: '{escalation}',
    brief: 'Escalations to a person, by outcome.',
    attributes: ['outcome'],
  },
  {
    name: METRIC_SEAMTRACE_FINDINGS,
    prometheusName: 'seamtrace_findings_total',
    instrument: 'counter',
    unit: '{finding}',
    brief: 'Findings made.',
    attributes: ['finding', 'route'],
  },
  {
    name: METRIC_SEAMTRACE_VERDICT_REVISIONS,
    prometheusName: 'seamtrace_verdict_revisions_total',
    instrument: 'counter',
    unit: '{revision}',
    brief: 'Verdicts that late evidence revised.',
    attributes: ['from', 'to'],
  },
  {
    name: METRIC_SEAMTRACE_ROUTE_INFO,
    prometheusName: 'seamtrace_route_info',
    instrument: 'gauge',
    unit: '1',
    brief: 'Always 1, one series per declared route.',
    attributes: ['route', 'source', 'target', 'owner'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_REQUESTS,
    prometheusName: 'seamtrace_analyzer_requests_total',
    instrument: 'counter',
    unit: '{request}',
    brief: 'OTLP export requests received, each counted once by the status code of its answer.',
    attributes: ['transport', 'encoding', 'code'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_CONNECTIONS_REFUSED,
    prometheusName: 'seamtrace_analyzer_connections_refused_total',
    instrument: 'counter',
    unit: '{connection}',
    brief: 'Connections refused because too many were open. No request was read from them.',
    attributes: ['transport'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_HANDSHAKES_FAILED,
    prometheusName: 'seamtrace_analyzer_handshakes_failed_total',
    instrument: 'counter',
    unit: '{connection}',
    brief: 'Connections that ended in their TLS handshake, such as for want of a client certificate.',
    attributes: ['transport'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_CREDENTIALS_RELOADS,
    prometheusName: 'seamtrace_analyzer_credentials_reloads_total',
    instrument: 'counter',
    unit: '{reload}',
    brief: 'Times that tokens and certificates were read again, by what came of it.',
    attributes: ['listener', 'outcome'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_REQUEST_SIZE,
    prometheusName: 'seamtrace_analyzer_request_size_bytes',
    instrument: 'histogram',
    unit: 'By',
    brief: 'Size of accepted request bodies after inflating.',
    attributes: ['transport', 'encoding'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_SPANS,
    prometheusName: 'seamtrace_analyzer_spans_total',
    instrument: 'counter',
    unit: '{span}',
    brief: 'Spans received, each counted once by what became of it.',
    attributes: ['outcome'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_MALFORMED,
    prometheusName: 'seamtrace_analyzer_malformed_total',
    instrument: 'counter',
    unit: '{fault}',
    brief: 'Malformed input, by kind.',
    attributes: ['kind'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_PENDING,
    prometheusName: 'seamtrace_analyzer_pending',
    instrument: 'gauge',
    unit: '{handoff}',
    brief: 'Handoff attempts waiting for evidence or for their deadline.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_EXITS,
    prometheusName: 'seamtrace_analyzer_exits_total',
    instrument: 'counter',
    unit: '{handoff}',
    brief: 'Ways out of pending, one per handoff attempt.',
    attributes: ['exit'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE,
    prometheusName: 'seamtrace_analyzer_late_evidence_total',
    instrument: 'counter',
    unit: '{evidence}',
    brief: 'Pieces of evidence that came after their handoff was graded.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_LATE_EVIDENCE_AGE,
    prometheusName: 'seamtrace_analyzer_late_evidence_age_seconds',
    instrument: 'histogram',
    unit: 's',
    brief: 'Time from a handoff\'s grading to the receipt of late evidence.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_TOOL_CALLS_DROPPED,
    prometheusName: 'seamtrace_analyzer_tool_calls_dropped_total',
    instrument: 'counter',
    unit: '{call}',
    brief: 'Tool calls let go before the handoff that started their run was graded.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_JOURNAL_LAG,
    prometheusName: 'seamtrace_analyzer_journal_lag',
    instrument: 'gauge',
    unit: '{evidence}',
    brief: 'Pieces of evidence in the journal that reassembly has not been offered yet.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_JOURNAL_PENDING,
    prometheusName: 'seamtrace_analyzer_journal_pending',
    instrument: 'gauge',
    unit: '{batch}',
    brief: 'Batches handed to the journal and not yet durable, so not yet acknowledged.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_EVENTS,
    prometheusName: 'seamtrace_analyzer_events_total',
    instrument: 'counter',
    unit: '{event}',
    brief: 'Verdict events handed to a sink, by outcome.',
    attributes: ['sink', 'outcome'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_LABEL_OVERFLOW,
    prometheusName: 'seamtrace_analyzer_label_overflow_total',
    instrument: 'counter',
    unit: '{observation}',
    brief: 'Observations whose label value was replaced by `_other`.',
    attributes: ['label'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_TASKS_REOPENED,
    prometheusName: 'seamtrace_analyzer_tasks_reopened_total',
    instrument: 'counter',
    unit: '{task}',
    brief: 'Tasks that spoke again after their hops were observed.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_RETAINED,
    prometheusName: 'seamtrace_analyzer_retained',
    instrument: 'gauge',
    unit: '{handoff}',
    brief: 'Graded handoff attempts kept for late evidence.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_TASKS_OPEN,
    prometheusName: 'seamtrace_analyzer_tasks_open',
    instrument: 'gauge',
    unit: '{task}',
    brief: 'Tasks in memory.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_TRACE_SPANS,
    prometheusName: 'seamtrace_analyzer_trace_spans',
    instrument: 'gauge',
    unit: '{span}',
    brief: 'Spans whose place in their trace is kept, to find owners of spans that name none.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_STATE_SIZE,
    prometheusName: 'seamtrace_analyzer_state_size_bytes',
    instrument: 'gauge',
    unit: 'By',
    brief: 'Bytes of handoffs, tool calls and tasks in memory.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_JOURNAL_SIZE,
    prometheusName: 'seamtrace_analyzer_journal_size_bytes',
    instrument: 'gauge',
    unit: 'By',
    brief: 'Bytes that the journal holds on disk; free space inside its file is not counted.',
    attributes: [],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_UNPLACED,
    prometheusName: 'seamtrace_analyzer_unplaced_total',
    instrument: 'counter',
    unit: '{span}',
    brief: 'Spans that found no place in their trace, or no run around them.',
    attributes: ['reason'],
  },
  {
    name: METRIC_SEAMTRACE_ANALYZER_BUILD_INFO,
    prometheusName: 'seamtrace_analyzer_build_info',
    instrument: 'gauge',
    unit: '1',
    brief: 'Always 1; the label says which version runs.',
    attributes: ['version'],
  },
];
