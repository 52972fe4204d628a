// The traffic of the benches that measure whole services. It is recorded once, as requests whose every byte depends on
// nothing but this file, and replayed with fresh ids: a service that saw the same trace twice would do other work.
import { createHash } from 'node:crypto';
import { encodeJson, encodeProtobuf, handoffSpan } from '@seamtrace/testkit';
import { chatSpan, httpSpan, KEYS, runSpan, toolSpan } from './workload.mjs';

/** Different requests in the recording. */
const RECORDED = 8;
export const SPANS_PER_REQUEST = 512;
/** Handoffs that begin in each request: four of three spans and four of two, 4% of the spans. */
export const HANDOFFS_PER_REQUEST = 8;
const SPANS_PER_TRACE = 16;
/** Stands in the recording where a replay writes its number, as text in handoff and task ids. */
const THIS = '7e11ca5e';
/** The same for the request before: half of the handoffs arrive one request later than they were sent. */
const BEFORE = '5ca1ab1e';

/**
 * @typedef {{ readonly bytes: Buffer, readonly slots: readonly { at: number, before: boolean, binary: boolean }[] }} Recorded
 */

/** @returns {{ protobuf: readonly Recorded[], json: readonly Recorded[], bytesPerSpan: number }} */
export function record() {
  const requests = Array.from({ length: RECORDED }, (_, number) => requestOf(number));
  const protobuf = requests.map((request) => slotted(Buffer.from(encodeProtobuf(request)), true));
  const json = requests.map((request) => slotted(Buffer.from(encodeJson(request)), false));
  const bytes = protobuf.reduce((sum, each) => sum + each.bytes.length, 0);
  return { protobuf, json, bytesPerSpan: bytes / (RECORDED * SPANS_PER_REQUEST) };
}

/** The bytes of the n-th request of a replay, counted from 1, in a buffer of their own. */
export function replayed(recorded, number) {
  const { bytes, slots } = recorded[number % recorded.length];
  const copy = Buffer.from(bytes);
  const texts = [number, number - 1].map((each) => each.toString(16).padStart(8, '0'));
  for (const { at, before, binary } of slots) {
    if (binary) copy.writeUInt32BE(before ? number - 1 : number, at);
    else copy.write(texts[before ? 1 : 0], at, 'latin1');
  }
  return copy;
}

/** Where a replay has to write. Trace and span ids begin with one of the two marks; in protobuf they are bytes. */
function slotted(bytes, binaryIds) {
  const slots = [];
  for (const [mark, before] of [
    [THIS, false],
    [BEFORE, true],
  ]) {
    for (const binary of binaryIds ? [false, true] : [false]) {
      const sought = binary ? Buffer.from(mark, 'hex') : Buffer.from(mark);
      for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + sought.length)) {
        slots.push({ at, before, binary });
      }
    }
  }
  return { bytes, slots };
}

function requestOf(number) {
  const evidence = evidenceSpans(number);
  const every = Math.floor(SPANS_PER_REQUEST / evidence.length);
  const spans = Array.from({ length: SPANS_PER_REQUEST }, (_, index) => {
    if (index % every === 0 && index / every < evidence.length) return evidence[index / every];
    return plainSpan(number, index);
  });
  const scopes = [{ name: '@opentelemetry/instrumentation-openai', version: '0.14.0', spans }];
  const attributes = { 'service.name': 'support-desk', 'telemetry.sdk.language': 'nodejs', 'host.name': 'agent-1' };
  return { resources: [{ attributes, scopes }] };
}

/** Half are HTTP client spans. Of each eight GenAI spans, five are model calls, two tool calls and one is a run. */
function plainSpan(number, index) {
  const place = base(number, index);
  if (index % 2 === 1) return { ...httpSpan(index), ...place };
  const span = [runSpan, chatSpan, toolSpan, chatSpan, chatSpan, toolSpan, chatSpan, chatSpan][(index >> 1) % 8](index);
  return { ...span, ...place };
}

function base(number, index) {
  const first = index - (index % SPANS_PER_TRACE);
  return {
    traceId: traceId(number, `trace ${first}`),
    spanId: spanId(number, `span ${index}`),
    parentSpanId: index === first ? '' : spanId(number, `span ${first}`),
    startUnixNano: 1_767_225_600_000_000_000n + BigInt(index) * 1_000_003n,
    endUnixNano: 1_767_225_600_000_000_000n + BigInt(index) * 1_000_003n + 250_000_000n,
  };
}

const hexOf = (text, digits) => createHash('sha256').update(text).digest('hex').slice(0, digits);
const traceId = (number, name, mark = THIS) => `${mark}${hexOf(`${number} ${name}`, 24)}`;
const spanId = (number, name, mark = THIS) => `${mark}${hexOf(`${number} ${name}`, 8)}`;

/** What agents that are instrumented send: handoffs of which the later half is received one request after its dispatch. */
function evidenceSpans(number) {
  const slots = Array.from({ length: HANDOFFS_PER_REQUEST }, (_, slot) => slot);
  return slots.flatMap((slot) => {
    const late = slot >= HANDOFFS_PER_REQUEST / 2;
    const mark = late ? BEFORE : THIS;
    const roles = slot % 2 === 0 ? ['ingest', 'destination'] : ['destination'];
    return [
      handoff(number, slot, THIS, 'dispatch'),
      ...roles.map((role) => handoff(late ? number - 1 : number, slot, mark, role)),
    ];
  });
}

function handoff(number, slot, mark, role) {
  const recorded = (number + RECORDED) % RECORDED;
  const name = `handoff ${slot}`;
  const start = 1_767_225_600_000_000_000n + BigInt(slot) * 1_000_003n;
  const shift = role === 'dispatch' ? 0n : 120_000_000n;
  return handoffSpan({
    role,
    handoffId: `h-${mark}-${slot}`,
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    destination: role === 'dispatch' ? undefined : 'billing',
    task: `task-${mark}-${slot}`,
    contractVersion: '1',
    requiredKeys: KEYS.slice(0, 2),
    permittedKeys: KEYS,
    ...(role === 'dispatch' ? { sourceStage: KEYS, payloadStage: slot === 3 ? KEYS.slice(0, 1) : KEYS } : {}),
    ...(role === 'dispatch' ? {} : { destinationStage: slot === 3 ? KEYS.slice(0, 1) : KEYS }),
    attributes:
      role === 'ingest'
        ? { 'seamtrace.ingest.outcome': 'accepted' }
        : { 'seamtrace.hop.index': 1n, 'seamtrace.hop.path': ['triage', 'billing'], 'seamtrace.payload.size': 2048n },
    span: {
      traceId: traceId(recorded, name, mark),
      spanId: spanId(recorded, `${name} ${role}`, mark),
      parentSpanId: spanId(recorded, `${name} parent`, mark),
      startUnixNano: start + shift,
      endUnixNano: start + shift + 90_000_000n,
    },
  });
}
