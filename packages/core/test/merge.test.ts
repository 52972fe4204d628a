import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HandoffRecord, mergeRecords, packRecord, unpackRecord } from '../src/index.js';
import { type Attributes, evidenceOf, span, stage } from './spans.js';

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const keys = fc.subarray(['k1', 'k2', 'k3', '*', 'a.b']);

/** Spans that contradict each other as often as not. */
const record: fc.Arbitrary<HandoffRecord> = fc
  .record({
    role: fc.constantFrom('dispatch', 'ingest', 'destination', 'none'),
    execution: fc.integer({ min: 1, max: 7 }),
    target: name,
    destination: name,
    version: fc.constantFrom('1', '2', '3'),
    required: keys,
    source: fc.option(keys),
    payload: fc.option(keys),
    destinationKeys: fc.option(keys),
    complete: fc.boolean(),
    trace: fc.constantFrom('a'.repeat(32), 'b'.repeat(32)),
    end: fc.bigInt({ min: 1n, max: 5n }),
    violations: fc.array(name),
  })
  .map((given) => {
    const attributes: Attributes = {
      'seamtrace.handoff.id': 'h-1',
      'seamtrace.handoff.execution': BigInt(given.execution),
      'seamtrace.handoff.target.name': given.target,
      'seamtrace.handoff.destination.name': given.destination,
      'seamtrace.contract.version': given.version,
      'seamtrace.contract.required_keys': given.required,
      'seamtrace.ingest.violations': given.violations,
      ...(given.role === 'none' ? {} : { 'seamtrace.handoff.role': given.role }),
      ...(given.source === null ? {} : stage('source', given.source, given.complete)),
      ...(given.payload === null ? {} : stage('payload', given.payload, true)),
      ...(given.destinationKeys === null ? {} : stage('destination', given.destinationKeys, given.complete)),
    };
    const [evidence] = evidenceOf([span(attributes, { traceId: given.trace, endUnixNano: given.end })]);
    return evidence?.handoff as HandoffRecord;
  });

describe('mergeRecords', () => {
  it('is commutative', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        expect(mergeRecords(a, b)).toEqual(mergeRecords(b, a));
      }),
    );
  });

  it('is associative', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 3, maxLength: 12 }), fc.nat(), (records, seed) => {
        const left = records.reduce(mergeRecords);
        const right = records.reduceRight(mergeRecords);
        const middle = 1 + (seed % (records.length - 1));
        const split = mergeRecords(
          records.slice(0, middle).reduce(mergeRecords),
          records.slice(middle).reduce(mergeRecords),
        );
        expect(right).toEqual(left);
        expect(split).toEqual(left);
      }),
    );
  });

  it('gives the first record itself where the second adds nothing, and only then', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const merged = mergeRecords(a, b);
        const same = Buffer.compare(packRecord(merged), packRecord(a)) === 0;
        expect(merged === a).toBe(same);
        expect(mergeRecords(merged, a)).toBe(merged);
        expect(mergeRecords(merged, b)).toBe(merged);
        const read = unpackRecord(packRecord(merged));
        expect(mergeRecords(read, b)).toBe(read);
      }),
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const merged = mergeRecords(a, b);
        expect(mergeRecords(merged, merged)).toEqual(merged);
        expect(mergeRecords(merged, a)).toEqual(merged);
      }),
    );
  });

  it('does not notice that a record went through JSON', () => {
    fc.assert(
      fc.property(record, record, (a, b) => {
        const stored = JSON.parse(JSON.stringify(a)) as HandoffRecord;
        expect(mergeRecords(stored, b)).toEqual(mergeRecords(a, b));
      }),
    );
  });

  it('refuses to merge different attempts', () => {
    const [first] = evidenceOf([span({ 'seamtrace.handoff.id': 'h-1' })]);
    const [second] = evidenceOf([span({ 'seamtrace.handoff.id': 'h-1', 'seamtrace.handoff.attempt': 2n })]);
    expect(() => mergeRecords(first?.handoff as HandoffRecord, second?.handoff as HandoffRecord)).toThrow('h-1~1');
  });
});
