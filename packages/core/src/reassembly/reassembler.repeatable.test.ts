import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { Evidence } from '../evidence/types.js';
import { gradeRecord } from '../grading/grade.js';
import { createReassembler } from './reassembler.js';
import type { Due } from './types.js';

const KEYS = ['customer_id', 'invoice_id'];

/** Attempts, retries of one another, tool calls, and spans that only show that an agent is instrumented. */
const piece = fc
  .record({
    id: fc.constantFrom('h-1', 'h-2', 'h-3', 'h-4'),
    attempt: fc.integer({ min: 1, max: 2 }),
    kind: fc.constantFrom('dispatch', 'ingest', 'destination', 'tool'),
    keys: fc.constantFrom(KEYS, ['customer_id']),
    failed: fc.boolean(),
  })
  .map(({ id, attempt, kind, keys, failed }): Evidence => {
    const retries = id === 'h-2' || id === 'h-3' ? { 'seamtrace.handoff.retry_of': 'h-1' } : {};
    const base = { handoffId: id, attempt, source: 'triage', target: 'billing', requiredKeys: KEYS } as const;
    const span = decodedSpan(
      kind === 'dispatch'
        ? handoffSpan({ ...base, role: 'dispatch', sourceStage: KEYS, payloadStage: keys, attributes: retries })
        : handoffSpan({
            ...base,
            role: kind === 'tool' ? 'ingest' : (kind as 'ingest' | 'destination'),
            destination: 'billing',
            ...(kind === 'ingest' ? { destinationStage: keys } : {}),
          }),
    );
    const tool = new Map([
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', 'look_up'],
      ['seamtrace.run.handoff.id', id],
    ]);
    const statusCode = failed ? 2 : 0;
    const result = extractEvidence(
      kind === 'tool' ? { ...span, statusCode, attributes: tool } : { ...span, statusCode },
    );
    if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
    return result.evidence;
  });

it('says the same of the same evidence at the same times, whenever it is asked', { timeout: 120_000 }, () => {
  const waits = fc.constantFrom(0, 1, 4_999, 5_000, 60_000, 599_999, 600_000, 3_600_000);
  const step = fc.record({
    piece,
    wait: waits,
    pops: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  });
  const capacity = fc.integer({ min: 2, max: 12 });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), capacity, (steps, maxRecords) => {
      const run = (asked: boolean): Due[] => {
        const reassembler = createReassembler({
          grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
          deadlineMs: () => 600_000,
          settleMs: 5_000,
          retentionMs: 3_600_000,
          maxRecords,
        });
        const said: Due[] = [];
        let now = 0;
        for (const { piece, wait, pops } of steps) {
          if (asked) for (const part of pops.sort()) said.push(...reassembler.popDue(now + Math.floor(part * wait), 1));
          now += wait;
          reassembler.offer(piece, now);
        }
        for (let next = reassembler.next(); next !== undefined; next = reassembler.next()) {
          now = Math.max(now, next);
          said.push(...reassembler.popDue(now));
        }
        return said;
      };
      expect(run(true)).toEqual(run(false));
    }),
    { numRuns: 100, seed: 20_261_130 },
  );
});

it('grades an attempt that is due without the evidence that comes after', () => {
  const asked = ['before', 'never'].map((when) => {
    const reassembler = createReassembler({
      grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
      deadlineMs: () => 1_000,
      settleMs: 5,
      retentionMs: 10_000,
      maxRecords: 10,
    });
    const evidence = (model: Parameters<typeof handoffSpan>[0]): Evidence => {
      const result = extractEvidence(decodedSpan(handoffSpan(model)));
      if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
      return result.evidence;
    };
    const base = { handoffId: 'h-1', target: 'billing', requiredKeys: KEYS } as const;
    reassembler.offer(evidence({ ...base, role: 'dispatch', sourceStage: KEYS, payloadStage: KEYS }), 0);
    const said = when === 'before' ? reassembler.popDue(1_000) : [];
    reassembler.offer(evidence({ ...base, role: 'ingest', destination: 'billing', destinationStage: KEYS }), 1_000);
    return [...said, ...reassembler.popDue(1_005)].map(({ graded, revision }) => [revision, graded.verdict]);
  });
  expect(asked[0]).toEqual([
    [1, 'insufficient_evidence'],
    [2, 'passed'],
  ]);
  expect(asked[1]).toEqual(asked[0]);
});
