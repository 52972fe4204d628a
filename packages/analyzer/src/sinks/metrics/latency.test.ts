import { type HandoffRecord, extractEvidence, mergeRecords } from '@seamtrace/core';
import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import type { HandoffSpanModel } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { ingestDurationOf, latencyOf } from './latency.js';

const SECOND = 1_000_000_000n;

function record(...spans: Partial<HandoffSpanModel>[]): HandoffRecord {
  return spans
    .map((span) => {
      const result = extractEvidence(decodedSpan(handoffSpan({ role: 'dispatch', handoffId: 'h-1', ...span })));
      if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
      return result.evidence.handoff;
    })
    .reduce(mergeRecords);
}

const at = (start: bigint, end: bigint) => ({ startUnixNano: start * SECOND, endUnixNano: end * SECOND });
const dispatch = (end: bigint, more: Partial<HandoffSpanModel> = {}) => ({ span: at(0n, end), ...more });
const ingest = (start: bigint, end: bigint, outcome?: string, attempt?: number): Partial<HandoffSpanModel> => ({
  role: 'ingest',
  span: at(start, end),
  ...(attempt === undefined ? {} : { attempt }),
  ...(outcome === undefined ? {} : { attributes: { 'seamtrace.ingest.outcome': outcome } }),
});

describe('latencyOf', () => {
  it('runs from the end of dispatch to the end of ingest', () => {
    expect(latencyOf(record(dispatch(10n), ingest(11n, 13n)), [])).toEqual({ seconds: 3 });
    expect(latencyOf(record(dispatch(10n), ingest(8n, 10n, 'warned')), [])).toEqual({ seconds: 0 });
  });

  it('takes the offset that the destination states where there is no ingest span', () => {
    const run = { role: 'destination', span: at(11n, 99n), attributes: { 'seamtrace.ingest.offset': 0.25 } } as const;
    expect(latencyOf(record(dispatch(10n), run), [])).toEqual({ seconds: 1.25 });
    expect(ingestDurationOf(record(run))).toBe(0.25);
  });

  it('says why there is none, and never clamps a negative one', () => {
    expect(latencyOf(record(ingest(11n, 13n)), [])).toEqual({ unmeasurable: 'dispatch_missing' });
    expect(latencyOf(record(dispatch(10n)), [])).toEqual({ unmeasurable: 'ingest_missing' });
    expect(latencyOf(record(dispatch(10n), ingest(7n, 9n)), [])).toEqual({ unmeasurable: 'negative' });
  });

  it('does not speak of what was not taken or never left', () => {
    expect(latencyOf(record(dispatch(10n), ingest(11n, 13n, 'rejected')), [])).toBeUndefined();
    expect(latencyOf(record(dispatch(10n), ingest(11n, 13n, 'escalated')), [])).toBeUndefined();
    const prevented = dispatch(10n, { attributes: { 'seamtrace.dispatch.outcome': 'prevented' } });
    expect(latencyOf(record(prevented), [])).toBeUndefined();
  });

  it('counts a repair from the first dispatch, and no later attempt', () => {
    const first = record(dispatch(10n), ingest(11n, 12n, 'rejected'));
    const repaired = record(dispatch(20n, { attempt: 2 }), ingest(21n, 22n, 'accepted', 2));
    expect(latencyOf(repaired, [first])).toEqual({ seconds: 12 });
    expect(latencyOf(record(dispatch(10n), ingest(11n, 12n)), [repaired])).toEqual({ seconds: 2 });
  });

  it('has no start where the first dispatch was not seen, and passes over what never left', () => {
    const repaired = record(dispatch(20n, { attempt: 2 }), ingest(21n, 22n, 'accepted', 2));
    expect(latencyOf(repaired, [])).toEqual({ unmeasurable: 'dispatch_missing' });
    expect(latencyOf(repaired, [record(ingest(11n, 12n, 'rejected'))])).toEqual({ unmeasurable: 'dispatch_missing' });
    const prevented = record(dispatch(10n, { attributes: { 'seamtrace.dispatch.outcome': 'prevented' } }));
    expect(latencyOf(repaired, [prevented])).toEqual({ seconds: 2 });
  });
});

it('measures how long ingest took from its own span', () => {
  expect(ingestDurationOf(record(ingest(11n, 13n)))).toBe(2);
  expect(ingestDurationOf(record(dispatch(1n)))).toBeUndefined();
});
