import fc from 'fast-check';
import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { CorruptEvidenceError } from './codec-tokens.js';
import { packEvidence, packRecord, packTool, unpackEvidence, unpackRecord, unpackTool } from './codec.js';
import { extractEvidence } from './extract.js';
import { mergeRecords } from './merge.js';
import type { Evidence, FactName, HandoffRecord } from './types.js';

/** Texts of every form that the bytes treat apart: ids, terms, half surrogate pairs, names of object members. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 300 }),
  fc.constantFrom(
    '',
    'true',
    'dispatched',
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    'a\udfff\ud800',
  ),
  fc.constantFrom('01', 'é'.repeat(40), '\u{1f600}', 'k'.repeat(300)),
  hexOf(16),
  hexOf(32),
  hexOf(64),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
);
const rec = <T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(members, { noNullPrototype: true });
const opt = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const list = fc.array(text, { maxLength: 5 });
const count = fc.oneof(fc.nat(300), fc.maxSafeNat());
const distinct = rec({ values: fc.array(text, { maxLength: 4 }), more: fc.boolean() });
const nanos = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.constantFrom(0n, 5n, 999_999_999n, 1_000_000_000n, 1_767_225_600_000_000_007n, 2n ** 64n - 1n),
);
const time = fc.oneof(nanos.map(String), fc.constantFrom('-5', '007', '', 'noon', '1e9'));
const ref = rec({
  traceId: fc.oneof(hexOf(32), text),
  spanId: fc.oneof(hexOf(16), text),
  execution: count,
  startUnixNano: time,
  endUnixNano: time,
  failed: fc.boolean(),
  errorType: opt(text),
});
const reasons = fc.subarray(['redacted', 'truncated', 'capture_incomplete'] as const);
const execution = fc
  .record({
    execution: count,
    complete: fc.array(rec({ keys: list, searched: list }), { maxLength: 3 }),
    moreComplete: fc.boolean(),
    names: list,
    asCaptured: fc.boolean(),
    moreNames: fc.boolean(),
    reasons,
    stateRef: opt(distinct),
    valueDigests: opt(distinct),
  })
  .map(({ asCaptured, ...rest }) => (asCaptured ? { ...rest, names: rest.complete[0]?.keys ?? [] } : rest));
const stage = rec({ executions: fc.array(execution, { maxLength: 3 }), moreExecutions: fc.boolean() });
const side = rec({
  speaks: fc.boolean(),
  version: opt(distinct),
  required: opt(distinct),
  permitted: opt(distinct),
  payloadDigest: opt(distinct),
  traceIds: opt(distinct),
  linkedTraceIds: opt(distinct),
});
const factName = fc.oneof(
  fc.constantFrom<FactName>('route', 'hopPath', 'budget.limit.tokens', 'budget.consumed.escalations', 'source'),
  text.map((counter) => `budget.limit.${counter}` as FactName),
);
const record: fc.Arbitrary<HandoffRecord> = rec({
  handoffId: text,
  attempt: count,
  facts: fc.dictionary(factName, distinct, { maxKeys: 6, noNullPrototype: true }) as fc.Arbitrary<
    HandoffRecord['facts']
  >,
  sides: rec({ producer: side, consumer: side }),
  stages: rec({ source: stage, payload: stage, destination: stage }),
  violations: opt(distinct),
  doubts: reasons,
  dispatchSpan: opt(ref),
  ingestSpan: opt(ref),
  runSpan: opt(ref),
});
const tool = rec({
  runHandoffId: opt(text),
  taskId: opt(text),
  tool: text,
  agent: opt(text),
  argumentsDigest: opt(text),
  span: ref,
});
const node = rec({
  traceId: text,
  spanId: text,
  parentSpanId: opt(text),
  op: fc.constantFrom('run', 'tool', 'model', 'dispatch', 'ingest', 'other'),
  agent: opt(text),
  tool: opt(text),
  argumentsDigest: opt(text),
  taskId: opt(text),
  handoffId: opt(text),
  attempt: opt(count),
  ownerHandoffId: opt(text),
  span: ref,
});
const run = rec({
  taskId: text,
  handoffId: opt(text),
  agent: opt(text),
  dispatchedIds: list,
  root: fc.boolean(),
  span: ref,
  inputTokens: opt(count),
  outputTokens: opt(count),
});
const evidence: fc.Arbitrary<Evidence> = rec({
  handoff: opt(record),
  tool: opt(tool),
  node: opt(node),
  run: opt(run),
  speakers: list,
}) as fc.Arbitrary<Evidence>;

function hexOf(length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
}

describe('packed evidence', () => {
  it('comes back as it was, undefined members included', () => {
    fc.assert(
      fc.property(evidence, (piece) => {
        expect(unpackEvidence(packEvidence(piece))).toStrictEqual(piece);
      }),
      { numRuns: 400, seed: 20_261_130 },
    );
  });

  it('is the same bytes for the same evidence, whoever built the objects in whatever order', () => {
    fc.assert(
      fc.property(record, (one) => {
        const facts = Object.fromEntries(Object.entries(one.facts).reverse());
        const packed = packRecord(one);
        expect(Buffer.compare(packRecord({ ...one, facts }), packed)).toBe(0);
        expect(Buffer.compare(packRecord(unpackRecord(packed)), packed)).toBe(0);
      }),
      { numRuns: 300, seed: 20_261_130 },
    );
  });

  it('is other bytes for other evidence', () => {
    fc.assert(
      fc.property(tool, tool, (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(Buffer.compare(packTool(a), packTool(b)) === 0).toBe(same);
        expect(unpackTool(packTool(a))).toStrictEqual(a);
      }),
    );
  });

  it('keeps more ids than its header can count', () => {
    const dispatchedIds = Array.from({ length: 9_000 }, (_, at) => at.toString(16).padStart(32, '0'));
    const end = { ...fc.sample(run, { numRuns: 1, seed: 1 })[0]!, dispatchedIds };
    const piece: Evidence = { handoff: undefined, tool: undefined, node: undefined, run: end, speakers: [] };
    expect(unpackEvidence(packEvidence(piece))).toStrictEqual(piece);
  });
});

/** A dispatch as an instrumented agent stamps it: five keys a stage, a route, ids of 36 characters, a hop path. */
const dispatch = handoff('dispatch', { sourceStage: KEYS(), payloadStage: KEYS() });
const destination = handoff('destination', { destination: 'billing', payloadStage: KEYS(), destinationStage: KEYS() });

describe('size', () => {
  it('of ordinary evidence stays under a quarter of its JSON', () => {
    for (const piece of [dispatch, destination]) {
      const packed = packEvidence(piece).length;
      expect(packed).toBeLessThan(JSON.stringify(piece).length / 4);
      expect(packed).toBeLessThan(512);
    }
  });

  it('of a record of both sides is little more than that of one', () => {
    const both = mergeRecords(dispatch.handoff!, destination.handoff!);
    expect(packRecord(both).length).toBeLessThan(1.3 * packRecord(dispatch.handoff!).length);
  });
});

describe('bytes that are none of ours', () => {
  it('are refused by name: empty, of another format, cut, grown', () => {
    const packed = packEvidence(dispatch);
    expect(() => unpackEvidence(new Uint8Array())).toThrow(CorruptEvidenceError);
    expect(() => unpackEvidence(Buffer.concat([Buffer.of(9), packed.subarray(1)]))).toThrow(
      'packed evidence has format 9; this version reads format 1',
    );
    for (let length = 0; length < packed.length; length += 1) {
      expect(() => unpackEvidence(packed.subarray(0, length))).toThrow(CorruptEvidenceError);
    }
    expect(() => unpackEvidence(Buffer.concat([packed, Buffer.of(0)]))).toThrow(CorruptEvidenceError);
  });

  it('either read as some evidence or are refused by name, whatever was changed', () => {
    const packed = packEvidence(dispatch);
    const change = rec({ at: fc.nat(packed.length - 1), to: fc.nat(255) });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const damaged = Uint8Array.from(packed);
        for (const { at, to } of changes) damaged[at] = to;
        onlyRefuses(damaged);
      }),
      { numRuns: 2_000, seed: 20_261_130 },
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => onlyRefuses(Uint8Array.from([1, 0, 0, ...noise]))),
      { numRuns: 2_000, seed: 20_261_130 },
    );
  });
});

function onlyRefuses(bytes: Uint8Array): void {
  try {
    unpackEvidence(bytes);
  } catch (error) {
    if (!(error instanceof CorruptEvidenceError)) throw error;
  }
}

function KEYS(): string[] {
  return ['customer_id', 'invoice_id', 'locale', 'order_total', 'plan'];
}

function handoff(role: 'dispatch' | 'destination', stages: object): Evidence {
  const span = handoffSpan({
    role,
    handoffId: '0197a1b2-c3d4-7e5f-8a6b-1c2d3e4f5a6b',
    route: 'triage_to_billing',
    source: 'triage',
    target: 'billing',
    task: '0197a1b2-0000-7e5f-8a6b-1c2d3e4f5a6b',
    contractVersion: '2',
    requiredKeys: KEYS().slice(0, 3),
    permittedKeys: KEYS(),
    ...stages,
    attributes: {
      'seamtrace.hop.path': ['triage', 'router', 'billing'],
      'seamtrace.hop.index': 2n,
      'seamtrace.goal.digest': `hmac-sha256:k1:${'0f'.repeat(32)}`,
    },
  });
  const result = extractEvidence(decodedSpan(span));
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}
