import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import type { HandoffSpanModel } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { Evidence } from '../evidence/types.js';
import { gradeRecord } from '../grading/grade.js';
import { createLedger } from '../grading/ledger.js';
import type { GradedHandoff } from '../grading/types.js';
import { createReassembler } from './reassembler.js';

const KEYS = ['customer_id', 'invoice_id'];
const KEY_SETS = [KEYS, ['customer_id'], []] as const;

function evidence(model: HandoffSpanModel): Evidence {
  const result = extractEvidence(decodedSpan(handoffSpan(model)));
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

function toolCall(handoffId: string, spanId: string, failed: boolean): Evidence {
  const span = decodedSpan(handoffSpan({ role: 'ingest', handoffId }));
  const attributes = new Map([
    ['gen_ai.operation.name', 'execute_tool'],
    ['gen_ai.tool.name', 'look_up'],
    ['gen_ai.agent.name', 'billing'],
    ['seamtrace.run.handoff.id', handoffId],
  ]);
  const result = extractEvidence({ ...span, spanId, statusCode: failed ? 2 : 0, attributes });
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

const piece = fc
  .record({
    id: fc.constantFrom('h-1', 'h-2', 'h-3'),
    attempt: fc.integer({ min: 1, max: 3 }),
    kind: fc.constantFrom('dispatch', 'ingest', 'destination', 'tool'),
    keys: fc.constantFrom(...KEY_SETS),
    source: fc.constantFrom(...KEY_SETS),
    failed: fc.boolean(),
    destination: fc.constantFrom('billing', 'billing', 'support'),
    outcome: fc.constantFrom('dispatched', 'dispatched', 'prevented'),
  })
  .map(({ id, attempt, kind, keys, source, failed, destination, outcome }) => {
    if (kind === 'tool') return toolCall(id, failed ? 'aaaa' : 'bbbb', failed);
    // h-2 retries h-1, and h-3 retries h-2.
    const retries = { 'h-1': undefined, 'h-2': 'h-1', 'h-3': 'h-2' }[id];
    const attributes = retries === undefined ? {} : { 'seamtrace.handoff.retry_of': retries };
    const base = { handoffId: id, attempt, source: 'triage', target: 'billing', requiredKeys: KEYS } as const;
    if (kind === 'dispatch') {
      const dispatch = { role: 'dispatch', sourceStage: source, payloadStage: keys } as const;
      return evidence({ ...base, ...dispatch, attributes: { ...attributes, 'seamtrace.dispatch.outcome': outcome } });
    }
    const stage = kind === 'ingest' ? { destinationStage: keys } : {};
    const span = { statusCode: failed ? 2 : 0 };
    return evidence({ ...base, role: kind as 'ingest' | 'destination', destination, ...stage, attributes, span });
  });

/** Both agents have spoken before, so that what is known of them does not depend on the order. */
const speakers = ['triage', 'billing', 'support'].map((agent) => ({
  handoff: undefined,
  tool: undefined,
  node: undefined,
  run: undefined,
  speakers: [agent],
}));

it('ends where a file with the same evidence ends, whatever came when', { timeout: 120_000 }, () => {
  const step = fc.record({ piece, wait: fc.constantFrom(0, 1, 5_000, 60_000, 600_000) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const ledger = createLedger({ contracts: undefined });
      const reassembler = createReassembler({
        grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
        deadlineMs: () => 600_000,
        settleMs: 5_000,
        retentionMs: 100_000_000,
        maxRecords: 100,
      });
      const last = new Map<string, GradedHandoff>();
      const revisions = new Map<string, number>();
      let now = 0;
      const pop = () => {
        for (const { graded, revision } of reassembler.popDue(now)) {
          const key = `${graded.handoff_id}~${graded.attempt}`;
          expect(revision).toBe((revisions.get(key) ?? 0) + 1);
          revisions.set(key, revision);
          last.set(key, graded);
        }
      };
      for (const speaker of speakers) {
        ledger.add(speaker);
        reassembler.offer(speaker, now);
      }
      for (const { piece: offered, wait } of steps) {
        now += wait;
        pop();
        ledger.add(offered);
        reassembler.offer(offered, now);
      }
      for (let next = reassembler.next(); next !== undefined && next < 50_000_000; next = reassembler.next()) {
        now = Math.max(now, next);
        pop();
      }
      const graded = ledger.grade();
      expect([...last.values()]).toHaveLength(graded.length);
      for (const final of graded) expect(last.get(`${final.handoff_id}~${final.attempt}`)).toEqual(final);
    }),
    { numRuns: 400, seed: 20_261_130 },
  );
});
