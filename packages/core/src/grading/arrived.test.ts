import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import type { HandoffSpanModel } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import { mergeRecords } from '../evidence/merge.js';
import { keyArrivalOf } from './arrived.js';

const context = { contracts: undefined, isInstrumented: () => true, tools: [], siblings: [] };
const base = { handoffId: 'h-1', contractVersion: '1', requiredKeys: ['a', 'b.c'], permittedKeys: ['a', 'b.c'] };

function record(...spans: Partial<HandoffSpanModel>[]) {
  return spans
    .map((span) => {
      const result = extractEvidence(decodedSpan(handoffSpan({ role: 'destination', ...base, ...span })));
      if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
      return result.evidence.handoff;
    })
    .reduce(mergeRecords);
}

describe('keyArrivalOf', () => {
  it('counts what a complete capture shows', () => {
    expect(keyArrivalOf(record({ destinationStage: ['a', 'b', 'b.c'] }), context)).toEqual({ required: 2, arrived: 2 });
    expect(keyArrivalOf(record({ destinationStage: ['a'] }), context)).toEqual({ required: 2, arrived: 1 });
  });

  it('says nothing about a destination that was not observed or only in part', () => {
    expect(keyArrivalOf(record({}), context)).toBeUndefined();
    expect(
      keyArrivalOf(record({ destinationStage: { keys: ['a'], incomplete: 'truncated' } }), context),
    ).toBeUndefined();
  });

  it('counts nothing as arrived of a dispatch that was prevented', () => {
    const prevented = record({ role: 'dispatch', attributes: { 'seamtrace.dispatch.outcome': 'prevented' } });
    expect(keyArrivalOf(prevented, context)).toEqual({ required: 2, arrived: 0 });
  });
});
