import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import type { HandoffSpanModel } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { Evidence } from '../evidence/types.js';
import { gradeRecord } from '../grading/grade.js';
import { createReassembler } from './reassembler.js';
import type { Exit, ReassemblerOptions } from './types.js';

const KEYS = ['customer_id', 'invoice_id'];

function evidence(model: HandoffSpanModel): Evidence {
  const result = extractEvidence(decodedSpan(handoffSpan(model)));
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

const contract = { route: 'r', source: 'triage', target: 'billing', contractVersion: '2', requiredKeys: KEYS } as const;

function dispatch(handoffId: string, more: Partial<HandoffSpanModel> = {}): Evidence {
  return evidence({ role: 'dispatch', handoffId, ...contract, sourceStage: KEYS, payloadStage: KEYS, ...more });
}

function destination(handoffId: string, more: Partial<HandoffSpanModel> = {}): Evidence {
  return evidence({
    role: 'destination',
    handoffId,
    ...contract,
    destination: 'billing',
    destinationStage: KEYS,
    ...more,
  });
}

function toolCall(handoffId: string, spanId: string, failed = false): Evidence {
  const result = extractEvidence({
    ...decodedSpan(handoffSpan({ role: 'ingest', handoffId })),
    spanId,
    statusCode: failed ? 2 : 0,
    attributes: new Map([
      ['gen_ai.operation.name', 'execute_tool'],
      ['gen_ai.tool.name', 'look_up'],
      ['seamtrace.run.handoff.id', handoffId],
    ]),
  });
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

function setUp(options: Partial<ReassemblerOptions> = {}) {
  const exits: Exit[] = [];
  const late: (number | undefined)[] = [];
  const reassembler = createReassembler({
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 600_000,
    settleMs: 5_000,
    retentionMs: 3_600_000,
    maxRecords: 100,
    observer: { exit: (exit) => exits.push(exit), late: (age) => late.push(age) },
    ...options,
  });
  return { reassembler, exits, late };
}

describe('when a handoff is graded', () => {
  it('settles exactly five seconds after it is whole', () => {
    const { reassembler, exits } = setUp();
    reassembler.offer(dispatch('h-1'), 1000);
    reassembler.offer(destination('h-1'), 3000);
    expect(reassembler.next()).toBe(8000);
    expect(reassembler.popDue(7999)).toEqual([]);
    const [due] = reassembler.popDue(8000);
    expect(due).toMatchObject({ revision: 1, previous: undefined, graded: { verdict: 'passed', handoff_id: 'h-1' } });
    expect(exits).toEqual(['completed']);
  });

  it('does not start settling again for a span that comes meanwhile', () => {
    const { reassembler } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.offer(destination('h-1'), 0);
    reassembler.offer(destination('h-1', { execution: 2 }), 4999);
    expect(reassembler.popDue(5000)).toHaveLength(1);
  });

  it('waits for an incomplete one exactly until its deadline, counted from the first receipt', () => {
    const { reassembler, exits } = setUp();
    reassembler.offer(dispatch('h-1'), 1000);
    reassembler.offer(dispatch('h-1', { execution: 2 }), 500_000);
    expect(reassembler.popDue(600_999)).toEqual([]);
    const [due] = reassembler.popDue(601_000);
    expect(due?.graded).toMatchObject({ verdict: 'insufficient_evidence', boundary: 'destination_capture' });
    expect(exits).toEqual(['expired']);
  });

  it('takes the deadline of the route as soon as a span names it', () => {
    const { reassembler } = setUp({
      deadlineMs: ({ facts }) => (facts.route === undefined ? 600_000 : 2_000),
    });
    reassembler.offer(evidence({ role: 'ingest', handoffId: 'h-1', destination: 'billing' }), 0);
    expect(reassembler.next()).toBe(600_000);
    reassembler.offer(dispatch('h-1'), 1000);
    expect(reassembler.next()).toBe(2000);
  });

  it('never settles beyond the deadline', () => {
    const { reassembler, exits } = setUp({ deadlineMs: () => 6_000 });
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.offer(destination('h-1'), 4000);
    expect(reassembler.next()).toBe(6000);
    expect(reassembler.popDue(6000)).toHaveLength(1);
    expect(exits).toEqual(['expired']);
  });
});

describe('late evidence', () => {
  it('makes a second revision with another verdict', () => {
    const { reassembler, late } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    const [first] = reassembler.popDue(600_000);
    reassembler.offer(destination('h-1'), 700_000);
    expect(late).toEqual([100_000]);
    expect(reassembler.popDue(704_999)).toEqual([]);
    const [second] = reassembler.popDue(705_000);
    expect(second).toMatchObject({ revision: 2, graded: { verdict: 'passed' } });
    expect(second?.previous).toStrictEqual({ graded: first?.graded, record: first?.record });
  });

  it('is graded five seconds after the first of it, whatever follows', () => {
    const { reassembler } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.popDue(600_000);
    reassembler.offer(destination('h-1'), 700_000);
    reassembler.offer(destination('h-1', { execution: 2 }), 704_999);
    expect(reassembler.popDue(705_000)).toHaveLength(1);
  });

  it('makes no revision when it changes nothing', () => {
    const { reassembler, late } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.offer(destination('h-1'), 0);
    reassembler.popDue(5000);
    expect(reassembler.offer(destination('h-1'), 6000)).toBe('duplicate');
    expect(reassembler.offer(destination('h-1', { execution: 2 }), 6000)).toBe('admitted');
    expect(late).toHaveLength(2);
    expect(reassembler.popDue(100_000)).toEqual([]);
  });

  it('is only counted once the retention is over, and begins no second record', () => {
    const { reassembler, late, exits } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.popDue(600_000);
    expect(reassembler.popDue(4_199_999)).toEqual([]);
    expect(reassembler.sizes().retained).toBe(1);
    reassembler.popDue(4_200_000);
    expect(reassembler.sizes().retained).toBe(0);
    expect(reassembler.offer(destination('h-1'), 4_300_000)).toBe('dropped');
    expect(late).toEqual([undefined]);
    expect(exits).toEqual(['expired']);
    expect(reassembler.next()).toBeUndefined();
  });

  it('of a tool call joins its handoff', () => {
    const { reassembler } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.offer(destination('h-1'), 0);
    const [first] = reassembler.popDue(5000);
    expect(first?.graded.run_outcome).toBe('ok');
    expect(reassembler.offer(toolCall('h-1', 'aa', true), 6000)).toBe('admitted');
    const [second] = reassembler.popDue(11_000);
    expect(second).toMatchObject({ revision: 2, graded: { run_outcome: 'tool_error', verdict: 'passed' } });
  });
});

describe('what stands beside the records', () => {
  it('tells silence of an instrumented agent from that of one that never spoke', () => {
    const { reassembler } = setUp();
    reassembler.offer(dispatch('h-1'), 0);
    const [first] = reassembler.popDue(600_000);
    expect(first?.graded.reason).toBe('uninstrumented');
    reassembler.offer(destination('h-2', { destination: 'BILLING' }), 600_000);
    reassembler.offer(dispatch('h-3'), 600_000);
    const reasons = reassembler.popDue(1_200_000).map(({ graded }) => [graded.handoff_id, graded.reason]);
    expect(reasons).toContainEqual(['h-3', 'span_missing']);
  });

  it('lets tool calls go with the last attempt of their handoff', () => {
    const { reassembler } = setUp({ retentionMs: 10_000 });
    reassembler.offer(toolCall('h-1', 'aa'), 0);
    reassembler.offer(dispatch('h-1'), 0);
    reassembler.offer(destination('h-1'), 0);
    reassembler.popDue(5_000);
    expect(reassembler.sizes().tools).toBe(1);
    reassembler.popDue(15_000);
    expect(reassembler.sizes().tools).toBe(0);
  });
});

describe('attempts and retries', () => {
  it('revise what they make good, once they are graded themselves', () => {
    const { reassembler } = setUp();
    reassembler.offer(dispatch('h-1', { payloadStage: ['customer_id'] }), 0);
    reassembler.offer(destination('h-1', { destinationStage: ['customer_id'] }), 0);
    const [first] = reassembler.popDue(5000);
    expect(first?.graded).toMatchObject({ verdict: 'packaging_loss', recovery: 'not_recovered' });
    reassembler.offer(dispatch('h-2', { attributes: { 'seamtrace.handoff.retry_of': 'h-1' } }), 10_000);
    reassembler.offer(destination('h-2'), 10_000);
    const due = reassembler.popDue(15_000);
    expect(due.map(({ graded, revision }) => [graded.handoff_id, revision, graded.verdict, graded.recovery])).toEqual([
      ['h-2', 1, 'passed', 'none_needed'],
      ['h-1', 2, 'packaging_loss', 'recovered'],
    ]);
    expect(reassembler.popDue(100_000)).toEqual([]);
  });

  it('keep a retry as long as what it retried, so that a late span cannot take a recovery back', () => {
    const { reassembler } = setUp({ retentionMs: 10_000, deadlineMs: () => 100_000 });
    const lost = { payloadStage: ['customer_id'] };
    reassembler.offer(dispatch('h-1', lost), 0);
    reassembler.offer(dispatch('h-1', { attempt: 2 }), 0);
    reassembler.offer(destination('h-1', { attempt: 2 }), 0);
    reassembler.popDue(99_999);
    expect(reassembler.sizes()).toMatchObject({ pending: 1, retained: 1 });
    const [first] = reassembler.popDue(100_000);
    expect(first?.graded).toMatchObject({ attempt: 1, recovery: 'recovered' });
    reassembler.popDue(110_000);
    expect(reassembler.sizes()).toMatchObject({ pending: 0, retained: 0 });
  });

  it('are kept up to 256 of one id', () => {
    const { reassembler, exits } = setUp({ maxRecords: 1_000 });
    const offered = Array.from({ length: 257 }, (_, index) => dispatch('h-1', { attempt: index + 1 })).map((evidence) =>
      reassembler.offer(evidence, 0),
    );
    expect(offered.filter((outcome) => outcome === 'admitted')).toHaveLength(256);
    expect(offered.at(-1)).toBe('over_limit');
    expect(exits).toEqual(['dropped']);
  });

  it('are dropped beyond a number, counted once each, and others go on', () => {
    const { reassembler, exits } = setUp({ maxRecords: 10, maxAttempts: 3 });
    reassembler.offer(dispatch('quiet'), 0);
    for (let attempt = 1; attempt <= 1000; attempt += 1) {
      reassembler.offer(dispatch('flood', { attempt: (attempt % 20) + 1 }), 0);
    }
    expect(reassembler.offer(dispatch('flood', { attempt: 19 }), 0)).toBe('over_limit');
    expect(reassembler.offer(dispatch('flood', { attempt: 999 }), 0)).toBe('over_limit');
    expect(exits.every((exit) => exit === 'dropped')).toBe(true);
    expect(exits.length).toBeGreaterThanOrEqual(17);
    expect(reassembler.sizes().pending).toBe(4);
    reassembler.offer(destination('quiet'), 0);
    expect(reassembler.popDue(5000).map(({ graded }) => graded.handoff_id)).toEqual(['quiet']);
  });
});

describe('capacity', () => {
  it('pushes out graded ones first, then the one incomplete longest, then one that settles', () => {
    const { reassembler, exits } = setUp({ maxRecords: 3 });
    reassembler.offer(dispatch('graded'), 0);
    reassembler.offer(destination('graded'), 0);
    reassembler.popDue(5000);
    reassembler.offer(dispatch('old'), 5001);
    reassembler.offer(dispatch('whole'), 5002);
    reassembler.offer(destination('whole'), 5002);
    reassembler.offer(dispatch('young'), 5003);
    expect(reassembler.next()).toBe(10_002);
    expect(exits).toEqual(['completed']);
    reassembler.offer(dispatch('younger'), 5004);
    expect(reassembler.next()).toBe(5004);
    const [evicted] = reassembler.popDue(5004);
    expect(evicted?.graded).toMatchObject({ handoff_id: 'old', verdict: 'insufficient_evidence', reason: 'evicted' });
    expect(exits).toEqual(['completed', 'evicted']);
    reassembler.offer(destination('young'), 5005);
    reassembler.offer(destination('younger'), 5005);
    reassembler.offer(dispatch('last'), 5006);
    expect(reassembler.popDue(5006)[0]?.graded).toMatchObject({ handoff_id: 'whole', verdict: 'passed' });
  });

  it('never keeps more than it may, and accounts for every attempt', () => {
    const { reassembler, exits } = setUp({ maxRecords: 50 });
    let verdicts = 0;
    for (let turn = 0; turn < 1500; turn += 1) {
      reassembler.offer(dispatch(`h-${turn}`), turn);
      reassembler.offer(toolCall(`t-${turn}`, 'aa'), turn);
      verdicts += reassembler.popDue(turn).length;
      const { pending, retained, ready, tools } = reassembler.sizes();
      expect(pending + retained).toBeLessThanOrEqual(50);
      expect(ready).toBe(0);
      expect(tools).toBeLessThanOrEqual(4 * 50 + 256);
    }
    expect(exits.length + reassembler.sizes().pending).toBe(1500);
    expect(verdicts).toBe(exits.length);
  });
});

describe('drain', () => {
  it('grades what is whole and what late evidence waits for, and lists the rest', () => {
    const { reassembler, exits } = setUp();
    reassembler.offer(dispatch('late'), 0);
    reassembler.popDue(600_000);
    reassembler.offer(destination('late'), 600_001);
    reassembler.offer(dispatch('whole'), 600_001);
    reassembler.offer(destination('whole'), 600_001);
    reassembler.offer(dispatch('half'), 600_001);
    const { due, undecided } = reassembler.drain(600_002);
    expect(due.map(({ graded, revision }) => [graded.handoff_id, revision])).toEqual([
      ['whole', 1],
      ['late', 2],
    ]);
    expect(undecided).toEqual([{ handoffId: 'half', attempt: 1, silent: ['destination'], destinationKnown: false }]);
    expect(exits).toEqual(['expired', 'completed']);
  });
});

it('tells how old the evidence is that it still needs', () => {
  const { reassembler } = setUp({ retentionMs: 10_000 });
  expect(reassembler.oldestReceipt()).toBeUndefined();
  reassembler.offer(dispatch('h-1'), 10);
  reassembler.offer(dispatch('h-2'), 20);
  reassembler.offer(destination('h-1'), 30);
  expect(reassembler.oldestReceipt()).toBe(10);
  reassembler.popDue(5030);
  reassembler.popDue(15_030);
  expect(reassembler.oldestReceipt()).toBe(20);
});

it('hands out only so many steps at a time', () => {
  const { reassembler } = setUp();
  for (let turn = 0; turn < 10; turn += 1) reassembler.offer(dispatch(`h-${turn}`), 0);
  expect(reassembler.popDue(600_000, 4)).toHaveLength(4);
  expect(reassembler.next()).toBe(600_000);
  expect(reassembler.popDue(600_000)).toHaveLength(6);
});
