import { EMPTY_KEYS_DIGEST, type KeyCapture, keysDigest } from '@seamtrace/contracts';
import {
  ATTR_SEAMTRACE_CASE_ID,
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_CORRELATION_ID,
  ATTR_SEAMTRACE_GOAL_DIGEST,
  ATTR_SEAMTRACE_HANDOFF_ATTEMPT,
  ATTR_SEAMTRACE_HANDOFF_EXECUTION,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO,
  ATTR_SEAMTRACE_HANDOFF_KIND,
  ATTR_SEAMTRACE_HANDOFF_LEG,
  ATTR_SEAMTRACE_HANDOFF_MODE,
  ATTR_SEAMTRACE_HANDOFF_RETRY_OF,
  ATTR_SEAMTRACE_HANDOFF_ROUTE,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE,
  ATTR_SEAMTRACE_HANDOFF_TARGET_NAME,
  ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE,
  ATTR_SEAMTRACE_HOP_INDEX,
  ATTR_SEAMTRACE_HOP_LIMIT,
  ATTR_SEAMTRACE_HOP_PATH,
  ATTR_SEAMTRACE_PAYLOAD_CHANNEL,
  ATTR_SEAMTRACE_PAYLOAD_REFERENCES,
  ATTR_SEAMTRACE_PAYLOAD_SIZE,
  ATTR_SEAMTRACE_PAYLOAD_SIZE_BY,
  ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE,
  ATTR_SEAMTRACE_SCHEMA_VERSION,
  ATTR_SEAMTRACE_STATE_DIGEST,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_TASK_OWNER,
  ATTR_SEAMTRACE_TASK_PARENT_ID,
  HANDOFF_KINDS,
  HANDOFF_LEGS,
  HANDOFF_MODES,
  INCOMPLETE_REASONS,
  PAYLOAD_CHANNELS,
  SCHEMA_VERSION,
  STAGE_KEYS,
  type Stage,
} from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import { HANDOFF_ID_PATTERN } from '../handoff/id.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import { createTerms } from '../handoff/terms.js';
import { type FieldReader, Malformed, readFields } from './fields.js';
import { NULLABLE_KEYS } from './encode.js';
import { readTraceParent, TRACE_PARENT } from './trace-parent.js';

/**
 * The handoff that a carried object describes, or `undefined` when it is malformed: not an object, no valid handoff id,
 * another schema version, or a known member of another type. Half of a damaged object is not used, since nobody could
 * say which half is true. Unknown members are ignored, and so is a damaged `traceparent`: it says nothing of the handoff.
 */
export function decodeHandoff(carried: unknown): HandoffState | undefined {
  const fields = readFields(carried);
  if (fields === undefined) return undefined;
  try {
    return decode(fields);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

function decode(fields: FieldReader): HandoffState {
  const { text, whole, texts, oneOf } = fields;
  if ((text(ATTR_SEAMTRACE_SCHEMA_VERSION) ?? SCHEMA_VERSION) !== SCHEMA_VERSION) throw new Malformed();
  const id = text(ATTR_SEAMTRACE_HANDOFF_ID);
  if (id === undefined || !HANDOFF_ID_PATTERN.test(id)) throw new Malformed();
  const taskId = text(ATTR_SEAMTRACE_TASK_ID);
  const index = whole(ATTR_SEAMTRACE_HOP_INDEX, 0);
  return {
    id,
    attempt: whole(ATTR_SEAMTRACE_HANDOFF_ATTEMPT, 1) ?? 1,
    execution: whole(ATTR_SEAMTRACE_HANDOFF_EXECUTION, 1) ?? 1,
    retryOf: text(ATTR_SEAMTRACE_HANDOFF_RETRY_OF),
    kind: oneOf(ATTR_SEAMTRACE_HANDOFF_KIND, HANDOFF_KINDS),
    mode: oneOf(ATTR_SEAMTRACE_HANDOFF_MODE, HANDOFF_MODES),
    leg: oneOf(ATTR_SEAMTRACE_HANDOFF_LEG, HANDOFF_LEGS),
    inReplyTo: text(ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO),
    route: text(ATTR_SEAMTRACE_HANDOFF_ROUTE),
    source: { name: text(ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME), role: text(ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE) },
    target: { name: text(ATTR_SEAMTRACE_HANDOFF_TARGET_NAME), role: text(ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE) },
    task:
      taskId === undefined
        ? undefined
        : { id: taskId, parentId: text(ATTR_SEAMTRACE_TASK_PARENT_ID), owner: text(ATTR_SEAMTRACE_TASK_OWNER) },
    correlationId: text(ATTR_SEAMTRACE_CORRELATION_ID),
    caseId: text(ATTR_SEAMTRACE_CASE_ID),
    hop:
      index === undefined
        ? undefined
        : { index, path: texts(ATTR_SEAMTRACE_HOP_PATH), limit: whole(ATTR_SEAMTRACE_HOP_LIMIT, 0) },
    contract: decodeTerms(fields),
    sourceCapture: decodeStage('source', fields),
    payloadCapture: decodeStage('payload', fields),
    payload: {
      channel: oneOf(ATTR_SEAMTRACE_PAYLOAD_CHANNEL, PAYLOAD_CHANNELS),
      size: whole(ATTR_SEAMTRACE_PAYLOAD_SIZE, 0),
      sizeBy: text(ATTR_SEAMTRACE_PAYLOAD_SIZE_BY),
      textSize: whole(ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE, 0),
      references: whole(ATTR_SEAMTRACE_PAYLOAD_REFERENCES, 0),
    },
    goalDigest: text(ATTR_SEAMTRACE_GOAL_DIGEST),
    stateDigest: text(ATTR_SEAMTRACE_STATE_DIGEST),
    dispatchSpan: readTraceParent(fields.any(TRACE_PARENT)),
  };
}

function decodeTerms({ text, texts }: FieldReader): ContractTerms | undefined {
  const version = text(ATTR_SEAMTRACE_CONTRACT_VERSION);
  const required = texts(ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS);
  // A version without its keys is nothing that a capture could search by.
  if (required === undefined) return undefined;
  const permitted = texts(ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS);
  return createTerms({ version, required, permitted, nullable: texts(NULLABLE_KEYS) ?? [], integrity: [] });
}

function decodeStage(stage: Stage, { text, whole, texts, flag, oneOf }: FieldReader): StageCapture | undefined {
  const names = STAGE_KEYS[stage];
  const complete = flag(names.complete);
  const keyCount = whole(names.keyCount, 0);
  if (complete === undefined && keyCount === undefined) return undefined;
  const listed = texts(names.keys);
  const keys = listed ?? [];
  const digest = text(names.keysDigest);
  const seen = { keys, keyCount: keyCount ?? keys.length, keysDigest: digest ?? EMPTY_KEYS_DIGEST };
  // What the sender calls complete is restated as such only when names, count and digest agree.
  const holds = complete === true && keyCount === keys.length && digest === keysDigest(keys);
  const reason = oneOf(names.incompleteReason, INCOMPLETE_REASONS) ?? 'truncated';
  const capture: KeyCapture = holds
    ? { ...seen, complete: true }
    : { ...seen, complete: false, incompleteReason: reason };
  return { keys: capture, stateRef: text(names.stateRef), valueDigests: texts(names.valueDigests) };
}
