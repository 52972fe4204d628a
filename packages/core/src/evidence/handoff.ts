import {
  ATTR_ERROR_TYPE,
  ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_INGEST_VIOLATIONS,
  ATTR_SEAMTRACE_PAYLOAD_CHANNEL,
  STAGE_KEYS,
  type Stage,
} from '@seamtrace/semconv';
import { isContractKey, sortUnique } from '@seamtrace/contracts';
import type { DecodedSpan } from '../decode/types.js';
import { type Distinct, MAX_DISTINCT, byCodeUnit, one } from './distinct.js';
import { readFacts } from './facts.js';
import type { Identity } from './identity.js';
import { memoizeList } from './memo.js';
import { readString, readStrings } from './read.js';
import { type Speaker, speakerOf } from './role.js';
import { readStage } from './stage.js';
import type { CaptureReason, HandoffRecord, Side, SideRecord, SpanRef, StageRecord } from './types.js';

const DIGEST = /^[0-9a-f]{16}$/;
/** Violations kept for one attempt; the rest is known only as "more". */
export const MAX_VIOLATIONS = 64;
/** Paths that a capture is remembered to have looked for; of others nothing is said. */
export const MAX_SEARCHED = 1024;

/** The record of a handoff as one span alone tells it. */
export function recordOf(span: DecodedSpan, identity: Identity): HandoffRecord {
  const speaker = speakerOf(span);
  const required = readStrings(span, ATTR_SEAMTRACE_CONTRACT_REQUIRED_KEYS);
  const permitted = readStrings(span, ATTR_SEAMTRACE_CONTRACT_PERMITTED_KEYS);
  const searched = searchedOf([...(required ?? []), ...(permitted ?? [])]);
  const stage = (name: Stage): StageRecord =>
    readStage(span, name, {
      execution: identity.execution,
      obliged: speaker.obliged.includes(name),
      searched,
      doubt: identity.doubt ?? channelDoubt(span, name),
    });
  const side = (name: Side): SideRecord =>
    speaker.sides.includes(name) ? sideOf(span, required, permitted) : SILENT_SIDE;
  const ref = refOf(span, identity.execution);
  return {
    handoffId: identity.handoffId,
    attempt: identity.attempt,
    facts: readFacts(span, speaker),
    sides: { producer: side('producer'), consumer: side('consumer') },
    stages: { source: stage('source'), payload: stage('payload'), destination: stage('destination') },
    violations: violations(span),
    doubts: identity.doubt === undefined ? [] : [identity.doubt],
    ...refs(speaker, ref),
  };
}

const searchedOf = memoizeList(512, (keys) => sortUnique(keys.filter(isContractKey)).slice(0, MAX_SEARCHED));
// One for each, as both stand on every span and a memo is quickest at what it did last.
const requiredList = memoizeList(512, canonicalList);
const permittedList = memoizeList(512, canonicalList);

function canonicalList(keys: readonly string[]): string {
  return JSON.stringify(sortUnique(keys));
}

/** Text proves presence only, whatever the span claims (wire contract, section 3). */
function channelDoubt(span: DecodedSpan, stage: Stage): CaptureReason | undefined {
  return stage === 'payload' && span.attributes.get(ATTR_SEAMTRACE_PAYLOAD_CHANNEL) === 'text'
    ? 'unsupported'
    : undefined;
}

function refs(speaker: Speaker, ref: SpanRef): Pick<HandoffRecord, 'dispatchSpan' | 'ingestSpan' | 'runSpan'> {
  const dispatches = speaker.role === 'dispatch' || (speaker.role === undefined && speaker.sides.includes('producer'));
  return {
    dispatchSpan: dispatches ? ref : undefined,
    ingestSpan: speaker.role === 'ingest' ? ref : undefined,
    runSpan: speaker.role === 'destination' ? ref : undefined,
  };
}

/** A side no span of which was seen. */
export const SILENT_SIDE: SideRecord = {
  speaks: false,
  version: undefined,
  required: undefined,
  permitted: undefined,
  payloadDigest: undefined,
  traceIds: undefined,
  linkedTraceIds: undefined,
};

function sideOf(
  span: DecodedSpan,
  required: readonly string[] | undefined,
  permitted: readonly string[] | undefined,
): SideRecord {
  const version = readString(span, ATTR_SEAMTRACE_CONTRACT_VERSION);
  const digest = span.attributes.get(STAGE_KEYS.payload.keysDigest);
  return {
    speaks: true,
    version: version === undefined ? undefined : one(version),
    required: required === undefined ? undefined : one(requiredList(required)),
    permitted: permitted === undefined ? undefined : one(permittedList(permitted)),
    payloadDigest: typeof digest === 'string' && DIGEST.test(digest) ? one(digest) : undefined,
    traceIds: one(span.traceId),
    linkedTraceIds: capped(
      span.links.map((link) => link.traceId),
      MAX_DISTINCT,
    ),
  };
}

export function refOf(span: DecodedSpan, execution: number): SpanRef {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    execution,
    startUnixNano: span.startUnixNano.toString(),
    endUnixNano: span.endUnixNano.toString(),
    failed: span.statusCode === 2,
    errorType: readString(span, ATTR_ERROR_TYPE),
  };
}

function violations(span: DecodedSpan): Distinct | undefined {
  const stated = readStrings(span, ATTR_SEAMTRACE_INGEST_VIOLATIONS);
  return stated === undefined ? undefined : capped(stated, MAX_VIOLATIONS);
}

function capped(values: readonly string[], max: number): Distinct | undefined {
  const unique = [...new Set(values)].sort(byCodeUnit);
  return unique.length === 0 ? undefined : { values: unique.slice(0, max), more: unique.length > max };
}
