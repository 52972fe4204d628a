// Generated from packages/semconv/registry by `npm run generate`. Change the registry, not this file.

/** Value of `seamtrace.schema.version` that this package describes. */
export const SCHEMA_VERSION = '1';

/** Agents in the order in which they held the task, the target last. */
export const ATTR_SEAMTRACE_HOP_PATH = 'seamtrace.hop.path';

/**
 * Length of the hop path minus one, so that the first handoff is 1.
 *
 * Attempts and retries under a new id keep it, as do return legs.
 */
export const ATTR_SEAMTRACE_HOP_INDEX = 'seamtrace.hop.index';

/**
 * Hop index at which the limit of the task is reached.
 *
 * Set once, at the task's first dispatch, by that route's contract or the app, and carried from there.
 */
export const ATTR_SEAMTRACE_HOP_LIMIT = 'seamtrace.hop.limit';

/**
 * Keyed digest of the goal that travels with the chain.
 *
 * `hmac-sha256:<key id>:<hex>` with the deployment's secret; without a secret there is none. Compared only under equal prefixes.
 */
export const ATTR_SEAMTRACE_GOAL_DIGEST = 'seamtrace.goal.digest';

/**
 * Keyed digest of goal and committed decisions, the signature that tells a loop.
 *
 * Same form and same comparison as the goal digest.
 */
export const ATTR_SEAMTRACE_STATE_DIGEST = 'seamtrace.state.digest';

/**
 * Budget of the task, one attribute per counter.
 *
 * The last part of the key is a value of `seamtrace.budget.counter`.
 */
export const ATTR_PREFIX_SEAMTRACE_BUDGET_LIMIT = 'seamtrace.budget.limit.';

/**
 * What the task had used of its budget when it was handed over, one attribute per counter.
 *
 * The last part of the key is a value of `seamtrace.budget.counter`.
 */
export const ATTR_PREFIX_SEAMTRACE_BUDGET_CONSUMED = 'seamtrace.budget.consumed.';

/** Version of the route's contract that this side works by. */
export const ATTR_SEAMTRACE_CONTRACT_VERSION = 'seamtrace.contract.version';

/**
 * Key paths that the contract requires at every stage.
 *
 * May be empty; absent means that this side does not state them.
 */
export const ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS = 'seamtrace.contract.required_keys';

/**
 * Key paths that may cross the route.
 *
 * Absent means that no list is written. Together with the required keys it says which paths a capture searched.
 */
export const ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS = 'seamtrace.contract.permitted_keys';

/**
 * Version of the wire contract that the span follows.
 *
 * Every span of ours carries it. Absent reads as `1`; any other version reads as unsupported evidence.
 */
export const ATTR_SEAMTRACE_SCHEMA_VERSION = 'seamtrace.schema.version';

/**
 * What a span says about a handoff.
 *
 * Spans stamped by hand may leave it out. An `invoke_agent` span is then a destination; any other span speaks for the stages whose attributes it carries.
 */
export const ATTR_SEAMTRACE_HANDOFF_ROLE = 'seamtrace.handoff.role';

/**
 * Opaque id of one dispatch to one target.
 *
 * Derived from the framework's call id and run or thread id where they exist, so that a node executed again has the same id; a UUIDv7 otherwise. It matches `^[A-Za-z0-9][A-Za-z0-9._:-]{2,127}$`; a span with another value is counted and skipped.
 */
export const ATTR_SEAMTRACE_HANDOFF_ID = 'seamtrace.handoff.id';

/**
 * How many times the producer has built the envelope of this handoff, this one included.
 *
 * Absent is 1. Only a retry or a repair by the producer raises it; redelivery and re-execution keep it.
 */
export const ATTR_SEAMTRACE_HANDOFF_ATTEMPT = 'seamtrace.handoff.attempt';

/**
 * How many times the same attempt has been executed, this execution included.
 *
 * Absent is 1. A resume or a redelivery raises it.
 */
export const ATTR_SEAMTRACE_HANDOFF_EXECUTION = 'seamtrace.handoff.execution';

/** Id of the handoff that this one retries under a new id. */
export const ATTR_SEAMTRACE_HANDOFF_RETRY_OF = 'seamtrace.handoff.retry_of';

/**
 * Between what kinds of party the handoff runs.
 *
 * Absent is `agent_to_agent`.
 */
export const ATTR_SEAMTRACE_HANDOFF_KIND = 'seamtrace.handoff.kind';

/**
 * Whether the source keeps the task.
 *
 * Absent is unknown; findings that need the mode are then not made.
 */
export const ATTR_SEAMTRACE_HANDOFF_MODE = 'seamtrace.handoff.mode';

/**
 * Direction of the handoff.
 *
 * Absent is `forward`. A return has an id of its own and `seamtrace.handoff.in_reply_to`, keeps the hop index, is graded only on a declared route, and never counts for hops, loops or ownership.
 */
export const ATTR_SEAMTRACE_HANDOFF_LEG = 'seamtrace.handoff.leg';

/** On a return leg, the id of the forward handoff that it answers. */
export const ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO = 'seamtrace.handoff.in_reply_to';

/**
 * Name of a declared route.
 *
 * Never a name that was derived from the two parties; a handoff outside the contract file carries none.
 */
export const ATTR_SEAMTRACE_HANDOFF_ROUTE = 'seamtrace.handoff.route';

/**
 * Who hands over.
 *
 * An agent, a router, a queue, or the role of a person.
 */
export const ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME = 'seamtrace.handoff.source.name';

/** Standing of the source in this handoff. */
export const ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE = 'seamtrace.handoff.source.role';

/** Whom the route decision names as the receiver. */
export const ATTR_SEAMTRACE_HANDOFF_TARGET_NAME = 'seamtrace.handoff.target.name';

/** Standing of the target in this handoff. */
export const ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE = 'seamtrace.handoff.target.role';

/**
 * Who took the handoff.
 *
 * Where it is absent, the span's `gen_ai.agent.name` says it.
 */
export const ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME = 'seamtrace.handoff.destination.name';

/**
 * On an `invoke_agent` span, ids of the handoffs that this run dispatched itself.
 *
 * The evidence of those handoffs is on their own `dispatch` spans.
 */
export const ATTR_SEAMTRACE_HANDOFF_DISPATCHED_IDS = 'seamtrace.handoff.dispatched_ids';

/**
 * On an `execute_tool` span, id of the handoff that started the run which called the tool.
 *
 * Absent for the first agent of a task. It gives a tool call its owner without the span tree.
 */
export const ATTR_SEAMTRACE_RUN_HANDOFF_ID = 'seamtrace.run.handoff.id';

/**
 * The task that the handoff or tool call serves.
 *
 * Parallel subtasks have ids of their own and name their parent.
 */
export const ATTR_SEAMTRACE_TASK_ID = 'seamtrace.task.id';

/** The task of which this one is a part. */
export const ATTR_SEAMTRACE_TASK_PARENT_ID = 'seamtrace.task.parent.id';

/** Who answers for the task at this point. */
export const ATTR_SEAMTRACE_TASK_OWNER = 'seamtrace.task.owner';

/** Id that stays the same over a whole chain of handoffs, subtasks included. */
export const ATTR_SEAMTRACE_CORRELATION_ID = 'seamtrace.correlation.id';

/**
 * Test case that a fixture stands for.
 *
 * Fixtures only; live traffic carries none.
 */
export const ATTR_SEAMTRACE_CASE_ID = 'seamtrace.case.id';

/** By what the context travels. */
export const ATTR_SEAMTRACE_PAYLOAD_CHANNEL = 'seamtrace.payload.channel';

/**
 * UTF-8 bytes of the payload as the sender serialized it.
 *
 * Where the sender says none, as received, with `seamtrace.payload.size_by` = `destination`.
 */
export const ATTR_SEAMTRACE_PAYLOAD_SIZE = 'seamtrace.payload.size';

/**
 * Which side measured `seamtrace.payload.size`.
 *
 * `destination` where the receiver measured it; absent where the sender did.
 */
export const ATTR_SEAMTRACE_PAYLOAD_SIZE_BY = 'seamtrace.payload.size_by';

/** How many of the payload's bytes are transcript. */
export const ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE = 'seamtrace.payload.text_size';

/** How many artefact references the payload holds. */
export const ATTR_SEAMTRACE_PAYLOAD_REFERENCES = 'seamtrace.payload.references';

/** What became of a dispatch at its producer. */
export const ATTR_SEAMTRACE_DISPATCH_OUTCOME = 'seamtrace.dispatch.outcome';

/** Keyed digest of the acceptance criteria as the producer sent them. */
export const ATTR_SEAMTRACE_DISPATCH_CRITERIA_DIGEST = 'seamtrace.dispatch.criteria.digest';

/** Keyed digest of the acceptance criteria as the receiver read them back before its first model or tool call. */
export const ATTR_SEAMTRACE_INGEST_CRITERIA_DIGEST = 'seamtrace.ingest.criteria.digest';

/**
 * Seconds from the start of the destination span to the end of ingest.
 *
 * An `ingest` span says the same by its own end.
 */
export const ATTR_SEAMTRACE_INGEST_OFFSET = 'seamtrace.ingest.offset';

/**
 * What the consumer did with the envelope of this attempt.
 *
 * One per attempt. A repaired envelope that is taken is attempt 2, `accepted`.
 */
export const ATTR_SEAMTRACE_INGEST_OUTCOME = 'seamtrace.ingest.outcome';

/**
 * All violations that ingest found, as `<JSON pointer> <code>` each.
 *
 * List indices become `*`; names outside the schema become `_unknown`.
 */
export const ATTR_SEAMTRACE_INGEST_VIOLATIONS = 'seamtrace.ingest.violations';

/** On a rejection at ingest, the JSON pointers of the fields that were refused. */
export const ATTR_SEAMTRACE_INGEST_REJECTED_FIELDS = 'seamtrace.ingest.rejected_fields';

/** Which envelope dialect the payload follows. */
export const ATTR_SEAMTRACE_ENVELOPE_DIALECT = 'seamtrace.envelope.dialect';

/** Version of that dialect. */
export const ATTR_SEAMTRACE_ENVELOPE_VERSION = 'seamtrace.envelope.version';

/**
 * Whether the envelope is a backstop made without its producer's full input.
 *
 * A degraded envelope never counts as acknowledged.
 */
export const ATTR_SEAMTRACE_ENVELOPE_DEGRADED = 'seamtrace.envelope.degraded';

/** On an `execute_tool` span, keyed digest of the arguments where content capture is off. */
export const ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST = 'seamtrace.tool.arguments.digest';

/**
 * Key names observed at the source: what the producer can read when it hands over.
 *
 * Names, never values. Unique and sorted by UTF-8 bytes, at most 256 of at most 128 bytes; absent only with `seamtrace.source.key_count` 0 and `keys_digest` `e3b0c44298fc1c14`, the digest of no names.
 */
export const ATTR_SEAMTRACE_SOURCE_KEYS = 'seamtrace.source.keys';

/**
 * Whether the capture at the source saw everything there was.
 *
 * True counts only where the same span holds `seamtrace.source.keys` as strings and a `key_count` and `keys_digest` that match them.
 */
export const ATTR_SEAMTRACE_SOURCE_COMPLETE = 'seamtrace.source.complete';

/** Why the capture at the source is not complete. */
export const ATTR_SEAMTRACE_SOURCE_INCOMPLETE_REASON = 'seamtrace.source.incomplete_reason';

/** How many key names there were at the source before any cap. */
export const ATTR_SEAMTRACE_SOURCE_KEY_COUNT = 'seamtrace.source.key_count';

/**
 * First 16 hex digits of SHA-256 over the key names at the source, joined by U+000A.
 *
 * Taken before any cap, over the masked, unique, sorted names.
 */
export const ATTR_SEAMTRACE_SOURCE_KEYS_DIGEST = 'seamtrace.source.keys_digest';

/**
 * Keyed digest of the id of the state record that was read or written at the source.
 *
 * Two different digests on one handoff tell a lookup under the wrong id.
 */
export const ATTR_SEAMTRACE_SOURCE_STATE_REF = 'seamtrace.source.state_ref';

/**
 * Keyed digests of the values at the source, as `<key>=<digest>`, for the keys that the contract lists under `integrity`.
 *
 * Opt-in. Without it a changed value passes unseen.
 */
export const ATTR_SEAMTRACE_SOURCE_VALUE_DIGESTS = 'seamtrace.source.value_digests';

/**
 * Key names observed in the payload: all that the target can receive by this dispatch, after every filter on the handoff and before the target's own input schema.
 *
 * Names, never values. Unique and sorted by UTF-8 bytes, at most 256 of at most 128 bytes; absent only with `seamtrace.payload.key_count` 0 and `keys_digest` `e3b0c44298fc1c14`, the digest of no names.
 */
export const ATTR_SEAMTRACE_PAYLOAD_KEYS = 'seamtrace.payload.keys';

/**
 * Whether the capture of the payload saw everything there was.
 *
 * True counts only where the same span holds `seamtrace.payload.keys` as strings and a `key_count` and `keys_digest` that match them.
 */
export const ATTR_SEAMTRACE_PAYLOAD_COMPLETE = 'seamtrace.payload.complete';

/** Why the capture of the payload is not complete. */
export const ATTR_SEAMTRACE_PAYLOAD_INCOMPLETE_REASON = 'seamtrace.payload.incomplete_reason';

/** How many key names there were in the payload before any cap. */
export const ATTR_SEAMTRACE_PAYLOAD_KEY_COUNT = 'seamtrace.payload.key_count';

/**
 * First 16 hex digits of SHA-256 over the key names in the payload, joined by U+000A.
 *
 * Taken before any cap, over the masked, unique, sorted names.
 */
export const ATTR_SEAMTRACE_PAYLOAD_KEYS_DIGEST = 'seamtrace.payload.keys_digest';

/**
 * Keyed digest of the id of the state record that carries the payload.
 *
 * Two different digests on one handoff tell a lookup under the wrong id.
 */
export const ATTR_SEAMTRACE_PAYLOAD_STATE_REF = 'seamtrace.payload.state_ref';

/**
 * Keyed digests of the values in the payload, as `<key>=<digest>`, for the keys that the contract lists under `integrity`.
 *
 * Opt-in. Without it a changed value passes unseen.
 */
export const ATTR_SEAMTRACE_PAYLOAD_VALUE_DIGESTS = 'seamtrace.payload.value_digests';

/**
 * Key names observed at the destination: what is readable at the consumer's first model or tool call, before its own writes.
 *
 * Names, never values. Unique and sorted by UTF-8 bytes, at most 256 of at most 128 bytes; absent only with `seamtrace.destination.key_count` 0 and `keys_digest` `e3b0c44298fc1c14`, the digest of no names.
 */
export const ATTR_SEAMTRACE_DESTINATION_KEYS = 'seamtrace.destination.keys';

/**
 * Whether the capture at the destination saw everything there was.
 *
 * True counts only where the same span holds `seamtrace.destination.keys` as strings and a `key_count` and `keys_digest` that match them.
 */
export const ATTR_SEAMTRACE_DESTINATION_COMPLETE = 'seamtrace.destination.complete';

/** Why the capture at the destination is not complete. */
export const ATTR_SEAMTRACE_DESTINATION_INCOMPLETE_REASON = 'seamtrace.destination.incomplete_reason';

/** How many key names there were at the destination before any cap. */
export const ATTR_SEAMTRACE_DESTINATION_KEY_COUNT = 'seamtrace.destination.key_count';

/**
 * First 16 hex digits of SHA-256 over the key names at the destination, joined by U+000A.
 *
 * Taken before any cap, over the masked, unique, sorted names.
 */
export const ATTR_SEAMTRACE_DESTINATION_KEYS_DIGEST = 'seamtrace.destination.keys_digest';

/**
 * Keyed digest of the id of the state record that was read at the destination.
 *
 * Two different digests on one handoff tell a lookup under the wrong id.
 */
export const ATTR_SEAMTRACE_DESTINATION_STATE_REF = 'seamtrace.destination.state_ref';

/**
 * Keyed digests of the values at the destination, as `<key>=<digest>`, for the keys that the contract lists under `integrity`.
 *
 * Opt-in. Without it a changed value passes unseen.
 */
export const ATTR_SEAMTRACE_DESTINATION_VALUE_DIGESTS = 'seamtrace.destination.value_digests';

/** Who made the captures on this span, as `name@version`. */
export const ATTR_SEAMTRACE_CAPTURE_BY = 'seamtrace.capture.by';

/**
 * Key names that the destination is known to read, by its declared input or by its own word.
 *
 * Names, never values; sorted and unique, at most 256. Absent where nobody knows. What could be read stands in `seamtrace.destination.keys`.
 */
export const ATTR_SEAMTRACE_DESTINATION_READ_KEYS = 'seamtrace.destination.read_keys';

/** Verdict on one attempt of one handoff. */
export const ATTR_SEAMTRACE_VERDICT_VALUE = 'seamtrace.verdict.value';

/** Where the handoff failed, or where evidence ends. */
export const ATTR_SEAMTRACE_VERDICT_BOUNDARY = 'seamtrace.verdict.boundary';

/**
 * Why evidence is insufficient.
 *
 * Only with `insufficient_evidence`.
 */
export const ATTR_SEAMTRACE_VERDICT_REASON = 'seamtrace.verdict.reason';

/**
 * Required keys that are absent at the stage that failed, sorted by UTF-8 bytes.
 *
 * Empty except for `upstream_context_missing`, `packaging_loss` and `ingestion_loss`.
 */
export const ATTR_SEAMTRACE_VERDICT_MISSING_KEYS = 'seamtrace.verdict.missing_keys';

/** Whether the destination ended up with every required key. */
export const ATTR_SEAMTRACE_VERDICT_DELIVERED = 'seamtrace.verdict.delivered';

/**
 * Whether a fault was made good, over attempts and retries.
 *
 * A later attempt never rewrites the verdict of an earlier one.
 */
export const ATTR_SEAMTRACE_VERDICT_RECOVERY = 'seamtrace.verdict.recovery';

/** What made the fault good. */
export const ATTR_SEAMTRACE_VERDICT_RECOVERY_BY = 'seamtrace.verdict.recovery_by';

/** The tool with which the destination made a fault good, where `seamtrace.verdict.recovery_by` is `destination_lookup`. */
export const ATTR_SEAMTRACE_VERDICT_RECOVERY_TOOL = 'seamtrace.verdict.recovery_tool';

/**
 * How the destination's run ended.
 *
 * Apart from the verdict. A tool that times out after full ingest leaves the transfer `passed`.
 */
export const ATTR_SEAMTRACE_VERDICT_RUN_OUTCOME = 'seamtrace.verdict.run_outcome';

/** What the verdict rests on. */
export const ATTR_SEAMTRACE_VERDICT_EVIDENCE = 'seamtrace.verdict.evidence';

/** Team that the contract file names for this verdict on this route. */
export const ATTR_SEAMTRACE_VERDICT_OWNER = 'seamtrace.verdict.owner';

/**
 * Ids of the findings on this handoff, sorted.
 *
 * Each is a value of `seamtrace.finding.id`.
 */
export const ATTR_SEAMTRACE_VERDICT_FINDINGS = 'seamtrace.verdict.findings';

/** The findings as a JSON list of `{id, detail}`, sorted by id. */
export const ATTR_SEAMTRACE_VERDICT_FINDING_DETAILS = 'seamtrace.verdict.finding_details';

/** The declared route onto which a mismatched handoff went. */
export const ATTR_SEAMTRACE_VERDICT_SECONDARY_ROUTE = 'seamtrace.verdict.secondary.route';

/**
 * Verdict against that route's contract.
 *
 * A value of `seamtrace.verdict.value`.
 */
export const ATTR_SEAMTRACE_VERDICT_SECONDARY_VERDICT = 'seamtrace.verdict.secondary.verdict';

/**
 * Boundary against that route's contract.
 *
 * A value of `seamtrace.verdict.boundary`.
 */
export const ATTR_SEAMTRACE_VERDICT_SECONDARY_BOUNDARY = 'seamtrace.verdict.secondary.boundary';

/** Missing keys against that route's contract. */
export const ATTR_SEAMTRACE_VERDICT_SECONDARY_MISSING_KEYS = 'seamtrace.verdict.secondary.missing_keys';

/** Digest of the contract file that the verdict was reached under. */
export const ATTR_SEAMTRACE_VERDICT_CONTRACT_DIGEST = 'seamtrace.verdict.contract_digest';

/** Version of the grading rules. */
export const ATTR_SEAMTRACE_VERDICT_GRADER_VERSION = 'seamtrace.verdict.grader_version';

/**
 * Hash over the whole event except revision, timestamps and exemplar ids.
 *
 * A second delivery has the same id and is the same event.
 */
export const ATTR_SEAMTRACE_VERDICT_ID = 'seamtrace.verdict.id';

/**
 * Counts the verdicts on one attempt of one handoff, from 1.
 *
 * Late evidence makes a new revision.
 */
export const ATTR_SEAMTRACE_VERDICT_REVISION = 'seamtrace.verdict.revision';

/**
 * What the span does.
 *
 * We read `invoke_agent`, `execute_tool` and the values by which dialects mark a handoff.
 */
export const ATTR_GEN_AI_OPERATION_NAME = 'gen_ai.operation.name';

/** Name of the agent. */
export const ATTR_GEN_AI_AGENT_NAME = 'gen_ai.agent.name';

/** Id of the agent. */
export const ATTR_GEN_AI_AGENT_ID = 'gen_ai.agent.id';

/** Version of the agent. */
export const ATTR_GEN_AI_AGENT_VERSION = 'gen_ai.agent.version';

/** Id of the conversation, session or thread. */
export const ATTR_GEN_AI_CONVERSATION_ID = 'gen_ai.conversation.id';

/** Name of the tool. */
export const ATTR_GEN_AI_TOOL_NAME = 'gen_ai.tool.name';

/** Id of the tool call. */
export const ATTR_GEN_AI_TOOL_CALL_ID = 'gen_ai.tool.call.id';

/**
 * Arguments of the tool call.
 *
 * Never written by us and never stored. Where it is present it may be compared with other calls of the same task.
 */
export const ATTR_GEN_AI_TOOL_CALL_ARGUMENTS = 'gen_ai.tool.call.arguments';

/**
 * Tokens of the input of a model call, or of all calls of a run.
 *
 * Read where it stands, to compare a stated budget with; never written by us.
 */
export const ATTR_GEN_AI_USAGE_INPUT_TOKENS = 'gen_ai.usage.input_tokens';

/**
 * Tokens of the output of a model call, or of all calls of a run.
 *
 * Read where it stands, to compare a stated budget with; never written by us.
 */
export const ATTR_GEN_AI_USAGE_OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';

/**
 * Whether control comes back after a transfer tool.
 *
 * Not in the pinned commit; proposed in open-telemetry/semantic-conventions-genai pull request 447. Always read, written only on opt-in.
 */
export const ATTR_GEN_AI_TRANSFER_MODE = 'gen_ai.transfer.mode';

/**
 * Agent that a transfer tool names.
 *
 * Not in the pinned commit; proposed in open-telemetry/semantic-conventions-genai pull request 447. Always read, written only on opt-in.
 */
export const ATTR_GEN_AI_TRANSFER_TARGET_NAME = 'gen_ai.transfer.target.name';

/**
 * Kind of party that invoked the agent.
 *
 * Not in the pinned commit; proposed in open-telemetry/semantic-conventions-genai pull request 447. Always read, written only on opt-in.
 */
export const ATTR_GEN_AI_CALLER_TYPE = 'gen_ai.caller.type';

/**
 * Name of the party that invoked the agent.
 *
 * Not in the pinned commit; proposed in open-telemetry/semantic-conventions-genai pull request 447. Always read, written only on opt-in.
 */
export const ATTR_GEN_AI_CALLER_NAME = 'gen_ai.caller.name';

/**
 * Id of the A2A task.
 *
 * Not in the pinned commit; proposed in open-telemetry/semantic-conventions-genai pull request 195.
 */
export const ATTR_A2A_TASK_ID = 'a2a.task.id';

/** Class of the error that ended the operation. */
export const ATTR_ERROR_TYPE = 'error.type';
