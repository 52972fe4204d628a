// Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file.

/** Values of `seamtrace.budget.counter`: What a budget counts. The last part of the keys of `seamtrace.budget.limit` and `seamtrace.budget.consumed`; not stamped itself. */
export const BUDGET_COUNTERS = [
  /** Model tokens. */
  'tokens',
  /** Elapsed time in milliseconds. */
  'wall_clock_ms',
  /** Tool calls. */
  'tool_calls',
  /** Retries. */
  'retries',
  /** Cost in millionths of the currency unit. */
  'cost_micros',
  /** Escalations to a person. */
  'escalations',
] as const;

/** One of {@link BUDGET_COUNTERS}. */
export type BudgetCounter = (typeof BUDGET_COUNTERS)[number];

/**
 * Values of `seamtrace.finding.id`: A finding beside the verdict.
 *
 * Findings never change the verdict. Each states its condition; none is made without what it needs.
 */
export const FINDING_IDS = [
  /** Payload keys lie outside the permitted list. */
  'unpermitted_keys',
  /** The goal digest differs from the first one of the chain. */
  'goal_changed',
  /** On a forward leg, the hop index is at or over the limit. */
  'hop_limit_reached',
  /** The hop index is not greater than that of an earlier hop of the same task. */
  'hop_counter_reset',
  /** The hop limit differs from the first one of the task. */
  'hop_limit_changed',
  /** An equal state digest stands earlier on the path; on unstamped traffic, a cycle of routes repeats with no new tool call between. */
  'loop',
  /** A consumed counter falls along the path. */
  'budget_reset',
  /** A consumed counter is at or over its limit. */
  'budget_exhausted',
  /** A consumed counter states less than the tokens, calls or time observed in earlier runs of the task. */
  'budget_underreported',
  /** The source runs a tool on the same task id after a transfer was accepted, or between dispatch and return of a delegation. */
  'dual_ownership',
  /** It was dispatched, and no destination spoke by the deadline. */
  'never_accepted',
  /** A transfer was requested and not run. */
  'announced_not_dispatched',
  /** A destination spoke and no dispatch evidence exists. */
  'silent_handoff',
  /** The contract asks for a read-back and there is none. */
  'not_acknowledged',
  /** The read-back came after the first model or tool call. */
  'acknowledged_late',
  /** The criteria read back differ from those sent. */
  'read_back_mismatch',
  /** Value digests of one key differ between stages. */
  'value_changed',
  /** With shared state, the destination reads keys outside the permitted list. */
  'undeclared_dependency',
  /** The same effect tool ran with the same arguments in two executions of one attempt. */
  'repeated_effect',
  /** The consumer repeats an attempt that the packet lists as failed. */
  'dead_end_retried',
  /** A fact went from asserted to verified without new evidence. */
  'status_hardened',
  /** An irreversible decision was changed or dropped. */
  'decision_overridden',
  /** A constraint is gone on a later hop. */
  'constraint_dropped',
  /** Ingest rejected the envelope. */
  'ingest_rejected',
  /** The repaired envelope was rejected as well. */
  'repair_exhausted',
  /** The envelope grows from hop to hop, over three hops or more. */
  'envelope_growth',
  /** The share of transcript in the payload is over the threshold. */
  'context_dump',
  /** The payload is over the threshold and holds no reference. */
  'inlined_content',
  /** The two sides stand in different traces with no link between them. */
  'trace_broken',
  /** The sides are on different contract versions and a migration covers them. */
  'version_skew',
  /** The pair of source and target is not in the contract file. */
  'undeclared_route',
  /** The task ended with no owner that verified the result. */
  'unowned_result',
  /** The consumer repeats a tool call of the producer. */
  'redundant_work',
  /** One handoff id was used for two handoffs. */
  'identity_reused',
] as const;

/** One of {@link FINDING_IDS}. */
export type FindingId = (typeof FINDING_IDS)[number];

/**
 * Values of `seamtrace.handoff.role`: What a span says about a handoff.
 *
 * Spans stamped by hand may leave it out. An `invoke_agent` span is then a destination; any other span speaks for the stages whose attributes it carries.
 */
export const HANDOFF_ROLES = [
  /** The span of one dispatch to one target. It speaks for source and payload. */
  'dispatch',
  /** The span from the first touch of what arrived to the end of ingest. It speaks for the destination before the run ends. */
  'ingest',
  /** The consumer's `invoke_agent` span. It speaks for the destination and restates what the handoff carried. */
  'destination',
] as const;

/** One of {@link HANDOFF_ROLES}. */
export type HandoffRole = (typeof HANDOFF_ROLES)[number];

/**
 * Values of `seamtrace.handoff.kind`: Between what kinds of party the handoff runs.
 *
 * Absent is `agent_to_agent`.
 */
export const HANDOFF_KINDS = [
  /** One agent hands over to another. The default. */
  'agent_to_agent',
  /** An agent escalates to a person. */
  'agent_to_human',
  /** A person hands work to an agent, or answers one. */
  'human_to_agent',
  /** A later session resumes the work of an earlier one. */
  'session_to_session',
] as const;

/** One of {@link HANDOFF_KINDS}. */
export type HandoffKind = (typeof HANDOFF_KINDS)[number];

/**
 * Values of `seamtrace.handoff.mode`: Whether the source keeps the task.
 *
 * Absent is unknown; findings that need the mode are then not made.
 */
export const HANDOFF_MODES = [
  /** The source waits for the result and keeps ownership of the task. */
  'delegation',
  /** Ownership of the task moves to the target. */
  'transfer',
] as const;

/** One of {@link HANDOFF_MODES}. */
export type HandoffMode = (typeof HANDOFF_MODES)[number];

/**
 * Values of `seamtrace.handoff.leg`: Direction of the handoff.
 *
 * Absent is `forward`. A return has an id of its own and `seamtrace.handoff.in_reply_to`, keeps the hop index, is graded only on a declared route, and never counts for hops, loops or ownership.
 */
export const HANDOFF_LEGS = [
  /** Work goes out. The default. */
  'forward',
  /** A result comes back. */
  'return',
] as const;

/** One of {@link HANDOFF_LEGS}. */
export type HandoffLeg = (typeof HANDOFF_LEGS)[number];

/** Values of `seamtrace.handoff.source.role`: Standing of the source in this handoff. */
export const HANDOFF_PARTY_ROLES = [
  /** Directs other agents. */
  'supervisor',
  /** Does the work that a supervisor hands out. */
  'worker',
  /** Neither directs the other party nor is directed by it. */
  'peer',
] as const;

/** One of {@link HANDOFF_PARTY_ROLES}. */
export type HandoffPartyRole = (typeof HANDOFF_PARTY_ROLES)[number];

/**
 * Values of `seamtrace.latency.unmeasurable_reason`: Why a latency could not be measured.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const UNMEASURABLE_REASONS = [
  /** No end of a dispatch span. */
  'dispatch_missing',
  /** No end of ingest. */
  'ingest_missing',
  /** Ingest ended before dispatch by the clocks of two processes. */
  'negative',
] as const;

/** One of {@link UNMEASURABLE_REASONS}. */
export type UnmeasurableReason = (typeof UNMEASURABLE_REASONS)[number];

/**
 * Values of `seamtrace.handoff.replanned`: Whether the consumer began by redoing work.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const REPLANNED = [
  /** One of its first three actions repeats a successful call of a run before it. */
  'true',
  /** None does. */
  'false',
  /** Arguments were not captured. */
  'unknown',
] as const;

/** One of {@link REPLANNED}. */
export type Replanned = (typeof REPLANNED)[number];

/**
 * Values of `seamtrace.task.outcome`: How a task ended.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const TASK_OUTCOMES = [
  /** Its work was done. */
  'completed',
  /** An agent stated that it cannot be done. */
  'cannot',
  /** It ended with a person. */
  'escalated',
  /** It ended in an error. */
  'failed',
  /** It stopped without a word. */
  'silent',
] as const;

/** One of {@link TASK_OUTCOMES}. */
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

/**
 * Values of `seamtrace.escalation.outcome`: What became of an escalation.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const ESCALATION_OUTCOMES = [
  /** It was put before a person. */
  'asked',
  /** The person decided. */
  'answered',
  /** The person approved faster than the question could be read. */
  'rubber_stamped',
  /** Nobody answered in time. */
  'expired',
  /** It was not put: the attention budget was used up, or the question was incomplete. */
  'refused',
] as const;

/** One of {@link ESCALATION_OUTCOMES}. */
export type EscalationOutcome = (typeof ESCALATION_OUTCOMES)[number];

/** Values of `seamtrace.payload.channel`: By what the context travels. */
export const PAYLOAD_CHANNELS = [
  /** A structured object made for this handoff. */
  'envelope',
  /** State that both sides can reach. The payload is that state after the producer's writes, never the delta. */
  'shared_state',
  /** A transcript or prompt. It proves presence only, so its capture is `complete=false`, `unsupported`. */
  'text',
] as const;

/** One of {@link PAYLOAD_CHANNELS}. */
export type PayloadChannel = (typeof PAYLOAD_CHANNELS)[number];

/** Values of `seamtrace.dispatch.outcome`: What became of a dispatch at its producer. */
export const DISPATCH_OUTCOMES = [
  /** It was handed to the framework or transport. */
  'dispatched',
  /** The builder refused it before dispatch. */
  'prevented',
  /** The framework never ran it. */
  'dropped',
] as const;

/** One of {@link DISPATCH_OUTCOMES}. */
export type DispatchOutcome = (typeof DISPATCH_OUTCOMES)[number];

/**
 * Values of `seamtrace.ingest.outcome`: What the consumer did with the envelope of this attempt.
 *
 * One per attempt. A repaired envelope that is taken is attempt 2, `accepted`.
 */
export const INGEST_OUTCOMES = [
  /** The envelope was taken as it came. */
  'accepted',
  /** It was taken, with violations noted. */
  'warned',
  /** It was refused; the span's status is ERROR. */
  'rejected',
  /** It was refused and put before a person. */
  'escalated',
] as const;

/** One of {@link INGEST_OUTCOMES}. */
export type IngestOutcome = (typeof INGEST_OUTCOMES)[number];

/**
 * Values of `seamtrace.analyzer.transport`: Transport of an export request.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const ANALYZER_TRANSPORTS = [
  /** OTLP over HTTP. */
  'http',
  /** OTLP over gRPC. */
  'grpc',
] as const;

/** One of {@link ANALYZER_TRANSPORTS}. */
export type AnalyzerTransport = (typeof ANALYZER_TRANSPORTS)[number];

/**
 * Values of `seamtrace.analyzer.encoding`: Encoding of an export request.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const ANALYZER_ENCODINGS = [
  /** Binary protobuf. */
  'protobuf',
  /** OTLP JSON. */
  'json',
  /** The request did not get as far as naming a supported one. */
  'unknown',
] as const;

/** One of {@link ANALYZER_ENCODINGS}. */
export type AnalyzerEncoding = (typeof ANALYZER_ENCODINGS)[number];

/**
 * Values of `seamtrace.analyzer.span.outcome`: What became of a received span.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const SPAN_OUTCOMES = [
  /** It carried evidence, which was journaled. */
  'accepted',
  /** It carries nothing of ours. Where it stands in its trace may be used all the same. */
  'ignored',
  /** It cannot be used: unparsable, a bad handoff id, or an attempt beyond the 256 that are kept of one id. A partial success names it. */
  'rejected',
  /** The analyzer was full or stopping, or its journal took nothing, and the sender was told to retry. */
  'refused',
  /** The same evidence had been received before. */
  'duplicate',
] as const;

/** One of {@link SPAN_OUTCOMES}. */
export type SpanOutcome = (typeof SPAN_OUTCOMES)[number];

/**
 * Values of `seamtrace.analyzer.malformed.kind`: Kind of malformed input.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const MALFORMED_KINDS = [
  /** The request body cannot be parsed. */
  'body',
  /** A span cannot be parsed while the rest of the request can. */
  'span',
  /** A string is no UTF-8, in JSON the body; what is invalid became U+FFFD and the rest is used. */
  'invalid_utf8',
  /** An attribute of ours has a wrong type; the evidence is read as incomplete. */
  'attribute',
  /** A handoff id breaks the rule for ids. */
  'handoff_id',
  /** A carried header is absent where announced, too long or malformed. */
  'header',
] as const;

/** One of {@link MALFORMED_KINDS}. */
export type MalformedKind = (typeof MALFORMED_KINDS)[number];

/**
 * Values of `seamtrace.analyzer.exit`: Way out of pending.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const PENDING_EXITS = [
  /** The record was whole and settled. */
  'completed',
  /** The deadline passed first. */
  'expired',
  /** Capacity pushed it out before its deadline. */
  'evicted',
  /** It was never admitted: 256 attempts of its handoff id were kept already. */
  'dropped',
] as const;

/** One of {@link PENDING_EXITS}. */
export type PendingExit = (typeof PENDING_EXITS)[number];

/**
 * Values of `seamtrace.analyzer.sink`: Where events are sent.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const EVENT_SINKS = [
  /** OTLP logs to the configured endpoint. */
  'otlp',
  /** JSON lines on standard output. */
  'stdout',
] as const;

/** One of {@link EVENT_SINKS}. */
export type EventSink = (typeof EVENT_SINKS)[number];

/**
 * Values of `seamtrace.analyzer.event.outcome`: What became of an event at a sink.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const EVENT_OUTCOMES = [
  /** The sink took it. */
  'delivered',
  /** The sink refused it for good, or retries ran out. */
  'failed',
  /** The queue before the sink was full, or the analyzer stopped first. */
  'dropped',
] as const;

/** One of {@link EVENT_OUTCOMES}. */
export type EventOutcome = (typeof EVENT_OUTCOMES)[number];

/**
 * Values of `seamtrace.analyzer.listener`: Which listeners credentials are for.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const ANALYZER_LISTENERS = [
  /** The OTLP receivers. */
  'ingest',
  /** Metrics and probes. */
  'admin',
] as const;

/** One of {@link ANALYZER_LISTENERS}. */
export type AnalyzerListener = (typeof ANALYZER_LISTENERS)[number];

/**
 * Values of `seamtrace.analyzer.reload.outcome`: What came of reading credentials again.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const RELOAD_OUTCOMES = [
  /** What the files hold is in force. */
  'renewed',
  /** The files cannot be used; what was before stays in force. */
  'unusable',
] as const;

/** One of {@link RELOAD_OUTCOMES}. */
export type ReloadOutcome = (typeof RELOAD_OUTCOMES)[number];

/**
 * Values of `seamtrace.analyzer.unplaced.reason`: Why a span found no place in its trace, or no run around it.
 *
 * A value set of a metric label; not stamped on spans.
 */
export const UNPLACED_REASONS = [
  /** Something between it and a run never came, or they stand in a circle. */
  'expired',
  /** Its trace was let go for lack of room. */
  'evicted',
  /** Its trace had as many spans as a trace may. */
  'capped',
] as const;

/** One of {@link UNPLACED_REASONS}. */
export type UnplacedReason = (typeof UNPLACED_REASONS)[number];

/** Values of `seamtrace.source.incomplete_reason`: Why the capture at the source is not complete. */
export const INCOMPLETE_REASONS = [
  /** Values look masked, or masking took names out. */
  'redacted',
  /** A limit shortened the capture, in the SDK, the pipeline or our own cap. */
  'truncated',
  /** A sampler dropped part of it, and a flag or reason says so. */
  'sampled',
  /** The carrier cannot be read completely: text, an accessor, a Proxy, a path deeper than the capture went. */
  'unsupported',
  /** The capture itself failed. */
  'error',
] as const;

/** One of {@link INCOMPLETE_REASONS}. */
export type IncompleteReason = (typeof INCOMPLETE_REASONS)[number];

/** Values of `seamtrace.verdict.value`: Verdict on one attempt of one handoff. */
export const VERDICTS = [
  /** Every required key was observed at every stage and the named target took the handoff. */
  'passed',
  /** What was observed proves neither a pass nor a fault; the reason says why. */
  'insufficient_evidence',
  /** Somebody other than the named target took the handoff. */
  'routing_mismatch',
  /** The source never had a required key. */
  'upstream_context_missing',
  /** The source had a required key and did not pack it. */
  'packaging_loss',
  /** The payload held a required key and the destination could not read it. */
  'ingestion_loss',
] as const;

/** One of {@link VERDICTS}. */
export type Verdict = (typeof VERDICTS)[number];

/** Values of `seamtrace.verdict.boundary`: Where the handoff failed, or where evidence ends. */
export const BOUNDARIES = [
  /** No boundary is at fault. */
  'none',
  /** Identity facts contradict under one handoff id and attempt. */
  'identity',
  /** The choice of the receiver, or knowledge of it. */
  'route',
  /** The required keys are not known. */
  'contract',
  /** The sides do not agree on the contract's version or on its required keys. */
  'contract_version',
  /** The capture at the source cannot be relied on. */
  'source_capture',
  /** Before the source; the key was never there. */
  'before_handoff',
  /** The capture of the payload cannot be relied on. */
  'payload_capture',
  /** Between source and payload. */
  'source_to_payload',
  /** The capture at the destination cannot be relied on. */
  'destination_capture',
  /** Between payload and destination. */
  'payload_to_destination',
] as const;

/** One of {@link BOUNDARIES}. */
export type Boundary = (typeof BOUNDARIES)[number];

/**
 * Values of `seamtrace.verdict.reason`: Why evidence is insufficient.
 *
 * Only with `insufficient_evidence`.
 */
export const REASONS = [
  /** No span spoke for the stage, though we have seen spans of ours from that agent. */
  'span_missing',
  /** The capture says `complete=false` and gives no reason. */
  'capture_incomplete',
  /** Names look masked. */
  'redacted',
  /** Something shortened the capture. */
  'truncated',
  /** Sampling dropped evidence, and a flag or reason says so. */
  'sampled',
  /** The carrier cannot be read completely, or the schema version is not known. */
  'unsupported',
  /** The capture itself failed. */
  'error',
  /** Two pieces of evidence for the stage cannot both be true. */
  'contradiction',
  /** Neither spans nor contract file state the required keys. */
  'no_contract',
  /** Different contract versions with no migration, or two sets of required keys for one version. */
  'version_mismatch',
  /** Neither spans nor contract file name a target. */
  'target_unknown',
  /** Two names differ, but one of them is inferred or may have been rewritten on its way; or the destination has no name. */
  'name_unresolved',
  /** Two routes, targets, destinations, tasks or cases stand under one key, or an id was reused. */
  'identity_conflict',
  /** The dispatch was prevented or dropped, so there is nothing to observe at the destination. */
  'not_dispatched',
  /** No span of ours has ever come from that agent. */
  'uninstrumented',
  /** Capacity pushed the handoff out before its deadline. */
  'evicted',
] as const;

/** One of {@link REASONS}. */
export type Reason = (typeof REASONS)[number];

/** Values of `seamtrace.verdict.delivered`: Whether the destination ended up with every required key. */
export const DELIVERED = [
  /** Every required key was at the destination, wherever it came from. */
  'yes',
  /** A required key was not at the destination. */
  'no',
  /** The evidence does not tell. */
  'unknown',
] as const;

/** One of {@link DELIVERED}. */
export type Delivered = (typeof DELIVERED)[number];

/**
 * Values of `seamtrace.verdict.recovery`: Whether a fault was made good, over attempts and retries.
 *
 * A later attempt never rewrites the verdict of an earlier one.
 */
export const RECOVERIES = [
  /** The first attempt passed. */
  'none_needed',
  /** A later attempt or the destination itself made up for the fault. */
  'recovered',
  /** Nothing made up for the fault. */
  'not_recovered',
  /** The evidence does not tell. */
  'unknown',
] as const;

/** One of {@link RECOVERIES}. */
export type Recovery = (typeof RECOVERIES)[number];

/** Values of `seamtrace.verdict.recovery_by`: What made the fault good. */
export const RECOVERY_BY = [
  /** A later attempt by the producer. */
  'retry',
  /** The destination fetched the key itself with a tool. */
  'destination_lookup',
  /** A person supplied it. */
  'person',
] as const;

/** One of {@link RECOVERY_BY}. */
export type RecoveryBy = (typeof RECOVERY_BY)[number];

/**
 * Values of `seamtrace.verdict.run_outcome`: How the destination's run ended.
 *
 * Apart from the verdict. A tool that times out after full ingest leaves the transfer `passed`.
 */
export const RUN_OUTCOMES = [
  /** The run ended without an error. */
  'ok',
  /** A tool call failed in it. */
  'tool_error',
  /** The run itself failed. */
  'run_error',
  /** The run was cancelled. */
  'cancelled',
  /** The evidence does not tell. */
  'unknown',
] as const;

/** One of {@link RUN_OUTCOMES}. */
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** Values of `seamtrace.verdict.evidence`: What the verdict rests on. */
export const EVIDENCE_QUALITIES = [
  /** From our keys or explicit transfer attributes. */
  'declared',
  /** From tool names or span nesting. It never supports an accusation. */
  'inferred',
] as const;

/** One of {@link EVIDENCE_QUALITIES}. */
export type EvidenceQuality = (typeof EVIDENCE_QUALITIES)[number];
