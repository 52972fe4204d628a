import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CALLER_NAME,
  ATTR_GEN_AI_TRANSFER_MODE,
  ATTR_GEN_AI_TRANSFER_TARGET_NAME,
  ATTR_PREFIX_SEAMTRACE_BUDGET_CONSUMED,
  ATTR_PREFIX_SEAMTRACE_BUDGET_LIMIT,
  ATTR_SEAMTRACE_CASE_ID,
  ATTR_SEAMTRACE_CORRELATION_ID,
  ATTR_SEAMTRACE_DESTINATION_READ_KEYS,
  ATTR_SEAMTRACE_DISPATCH_CRITERIA_DIGEST,
  ATTR_SEAMTRACE_DISPATCH_OUTCOME,
  ATTR_SEAMTRACE_ENVELOPE_DEGRADED,
  ATTR_SEAMTRACE_ENVELOPE_DIALECT,
  ATTR_SEAMTRACE_ENVELOPE_VERSION,
  ATTR_SEAMTRACE_GOAL_DIGEST,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
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
  ATTR_SEAMTRACE_INGEST_CRITERIA_DIGEST,
  ATTR_SEAMTRACE_INGEST_OFFSET,
  ATTR_SEAMTRACE_INGEST_OUTCOME,
  ATTR_SEAMTRACE_PAYLOAD_CHANNEL,
  ATTR_SEAMTRACE_PAYLOAD_REFERENCES,
  ATTR_SEAMTRACE_PAYLOAD_SIZE,
  ATTR_SEAMTRACE_PAYLOAD_SIZE_BY,
  ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE,
  ATTR_SEAMTRACE_STATE_DIGEST,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_TASK_OWNER,
  ATTR_SEAMTRACE_TASK_PARENT_ID,
  BUDGET_COUNTERS,
  DISPATCH_OUTCOMES,
  HANDOFF_KINDS,
  HANDOFF_LEGS,
  HANDOFF_MODES,
  INGEST_OUTCOMES,
  PAYLOAD_CHANNELS,
} from '@seamtrace/semconv';
import type { DecodedSpan } from '../decode/types.js';
import { type Distinct, one } from './distinct.js';
import { readCount, readEnum, readString, readStrings } from './read.js';
import type { Speaker } from './role.js';
import { modeOfTransfer } from './transfer-mode.js';
import type { FactName } from './types.js';

const MAX_HOPS = 256;
const MAX_PATH_TEXT = 8192;

type Read = (span: DecodedSpan) => string | undefined;

const text =
  (key: string): Read =>
  (span) =>
    readString(span, key);
const integer =
  (key: string): Read =>
  (span) =>
    readCount(span, key)?.toString();
const member =
  (key: string, values: readonly string[]): Read =>
  (span) =>
    readEnum(span, key, values);

/** How each fact is read. A value of another type or outside its enum is not stated at all. */
const FACTS: readonly (readonly [FactName, Read])[] = [
  ['route', text(ATTR_SEAMTRACE_HANDOFF_ROUTE)],
  [
    'target',
    (span) =>
      readString(span, ATTR_SEAMTRACE_HANDOFF_TARGET_NAME) ?? readString(span, ATTR_GEN_AI_TRANSFER_TARGET_NAME),
  ],
  ['destination', text(ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME)],
  [
    'source',
    (span) => readString(span, ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME) ?? readString(span, ATTR_GEN_AI_CALLER_NAME),
  ],
  ['task', text(ATTR_SEAMTRACE_TASK_ID)],
  ['taskParent', text(ATTR_SEAMTRACE_TASK_PARENT_ID)],
  ['taskOwner', text(ATTR_SEAMTRACE_TASK_OWNER)],
  ['case', text(ATTR_SEAMTRACE_CASE_ID)],
  ['correlation', text(ATTR_SEAMTRACE_CORRELATION_ID)],
  ['kind', member(ATTR_SEAMTRACE_HANDOFF_KIND, HANDOFF_KINDS)],
  [
    'mode',
    (span) =>
      readEnum(span, ATTR_SEAMTRACE_HANDOFF_MODE, HANDOFF_MODES) ??
      modeOfTransfer(span.attributes.get(ATTR_GEN_AI_TRANSFER_MODE)),
  ],
  ['leg', member(ATTR_SEAMTRACE_HANDOFF_LEG, HANDOFF_LEGS)],
  ['inReplyTo', text(ATTR_SEAMTRACE_HANDOFF_IN_REPLY_TO)],
  ['retryOf', text(ATTR_SEAMTRACE_HANDOFF_RETRY_OF)],
  ['sourceRole', text(ATTR_SEAMTRACE_HANDOFF_SOURCE_ROLE)],
  ['targetRole', text(ATTR_SEAMTRACE_HANDOFF_TARGET_ROLE)],
  ['hopIndex', integer(ATTR_SEAMTRACE_HOP_INDEX)],
  ['hopLimit', integer(ATTR_SEAMTRACE_HOP_LIMIT)],
  ['hopPath', (span) => jsonList(readStrings(span, ATTR_SEAMTRACE_HOP_PATH))],
  ['destinationReads', (span) => jsonList(readStrings(span, ATTR_SEAMTRACE_DESTINATION_READ_KEYS))],
  ['payloadTextSize', integer(ATTR_SEAMTRACE_PAYLOAD_TEXT_SIZE)],
  ['payloadReferences', integer(ATTR_SEAMTRACE_PAYLOAD_REFERENCES)],
  ['payloadChannel', member(ATTR_SEAMTRACE_PAYLOAD_CHANNEL, PAYLOAD_CHANNELS)],
  ['dispatchOutcome', member(ATTR_SEAMTRACE_DISPATCH_OUTCOME, DISPATCH_OUTCOMES)],
  ['ingestOutcome', member(ATTR_SEAMTRACE_INGEST_OUTCOME, INGEST_OUTCOMES)],
  ['ingestOffset', seconds],
  ['dispatchCriteria', text(ATTR_SEAMTRACE_DISPATCH_CRITERIA_DIGEST)],
  ['ingestCriteria', text(ATTR_SEAMTRACE_INGEST_CRITERIA_DIGEST)],
  ['goalDigest', text(ATTR_SEAMTRACE_GOAL_DIGEST)],
  ['stateDigest', text(ATTR_SEAMTRACE_STATE_DIGEST)],
  ['envelopeDialect', text(ATTR_SEAMTRACE_ENVELOPE_DIALECT)],
  ['envelopeVersion', text(ATTR_SEAMTRACE_ENVELOPE_VERSION)],
  ['envelopeDegraded', (span) => boolean(span, ATTR_SEAMTRACE_ENVELOPE_DEGRADED)],
  ...BUDGET_COUNTERS.flatMap((counter): (readonly [FactName, Read])[] => [
    [`budget.limit.${counter}`, integer(`${ATTR_PREFIX_SEAMTRACE_BUDGET_LIMIT}${counter}`)],
    [`budget.consumed.${counter}`, integer(`${ATTR_PREFIX_SEAMTRACE_BUDGET_CONSUMED}${counter}`)],
  ]),
];

/** Every scalar fact that the span states about its handoff. */
export function readFacts(span: DecodedSpan, speaker: Speaker): Partial<Record<FactName, Distinct>> {
  const facts: Partial<Record<FactName, Distinct>> = {};
  for (const [name, read] of FACTS) {
    const value = read(span);
    if (value !== undefined) facts[name] = one(value);
  }
  const size = readCount(span, ATTR_SEAMTRACE_PAYLOAD_SIZE)?.toString();
  const sizeBy = readString(span, ATTR_SEAMTRACE_PAYLOAD_SIZE_BY);
  if (size !== undefined) facts[sizeBy === 'destination' ? 'payloadSizeByDestination' : 'payloadSize'] = one(size);
  const consumes = speaker.sides.every((side) => side === 'consumer');
  const agent = consumes ? readString(span, ATTR_GEN_AI_AGENT_NAME) : undefined;
  if (agent !== undefined) facts.destinationAgent = one(agent);
  if (consumes && span.parentSpanId === '') facts.consumerRootTrace = one(span.traceId);
  return facts;
}

/** JavaScript has one number type, so its exporters write a whole double as an int. */
function seconds(span: DecodedSpan): string | undefined {
  const value = readCount(span, ATTR_SEAMTRACE_INGEST_OFFSET) ?? span.attributes.get(ATTR_SEAMTRACE_INGEST_OFFSET);
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? String(value) : undefined;
}

function boolean(span: DecodedSpan, key: string): string | undefined {
  const value = span.attributes.get(key);
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** A path of more hops or characters than any task has is not kept. */
function jsonList(list: readonly string[] | undefined): string | undefined {
  if (list === undefined || list.length > MAX_HOPS) return undefined;
  const json = JSON.stringify(list);
  return json.length <= MAX_PATH_TEXT ? json : undefined;
}
