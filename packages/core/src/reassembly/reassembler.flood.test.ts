import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import type { HandoffSpanModel } from '@seamtrace/testkit';
import { describe, expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import { gradeRecord } from '../grading/grade.js';
import { createReassembler } from './reassembler.js';
import type { Due, Exit, ReassemblerOptions } from './types.js';

const KEYS = ['customer_id', 'invoice_id'];
const CAPACITY = 300;
const FLOOD = 5_000;
/** One handoff in earnest for so many of the flood. */
const EVERY = 50;
/** An ordinary handoff is open while so many of the flood come: eight times of what there is room for. */
const OPEN_FOR = 2_400;

interface Facts {
  readonly source?: string;
  readonly task?: string;
  readonly trace?: string;
  readonly attempt?: number;
}

/** Spans of one kind are read once; each piece then gets its own ids. */
function maker(role: 'dispatch' | 'destination', more: Partial<HandoffSpanModel> = {}) {
  const stages = role === 'dispatch' ? { sourceStage: KEYS, payloadStage: KEYS } : { destinationStage: KEYS };
  const base = { route: 'r', target: 'billing', requiredKeys: KEYS, contractVersion: '1' } as const;
  const destination = role === 'dispatch' ? {} : { destination: 'billing' };
  const span = handoffSpan({ role, handoffId: 'h-1', ...base, ...destination, ...stages, ...more });
  const result = extractEvidence(decodedSpan(span));
  if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
  const { handoff, ...rest } = result.evidence;
  const side = role === 'dispatch' ? 'producer' : 'consumer';
  const one = (value: string) => ({ values: [value], more: false });
  return (handoffId: string, { source = 'triage', task, trace, attempt = 1 }: Facts): Evidence => {
    const facts = { ...handoff.facts, source: one(source), ...(task === undefined ? {} : { task: one(task) }) };
    const traceIds = one(trace ?? handoffId);
    const sides = { ...handoff.sides, [side]: { ...handoff.sides[side], traceIds } } as HandoffRecord['sides'];
    return { ...rest, handoff: { ...handoff, handoffId, attempt, facts, sides } };
  };
}

const dispatch = maker('dispatch');
const destination = maker('destination');

function setUp(options: Partial<ReassemblerOptions> = {}) {
  const exits = new Map<Exit, number>();
  const reassembler = createReassembler({
    grade: (record, context) => gradeRecord(record, { ...context, contracts: undefined }),
    deadlineMs: () => 600_000,
    settleMs: 5_000,
    retentionMs: 3_600_000,
    maxRecords: CAPACITY,
    observer: { exit: (exit) => void exits.set(exit, (exits.get(exit) ?? 0) + 1) },
    ...options,
  });
  return { reassembler, exits };
}

/** A flood with a slow stream of ordinary handoffs beside it, and all verdicts on either. */
function flood(evidence: (number: number) => Evidence, openFor = OPEN_FOR, options: Partial<ReassemblerOptions> = {}) {
  const { reassembler, exits } = setUp(options);
  const ordinary: Due[] = [];
  const flooding: Due[] = [];
  const outcomes = new Set<string>();
  let now = 0;
  const take = () => {
    for (const due of reassembler.popDue(now)) {
      (due.graded.handoff_id.startsWith('ordinary') ? ordinary : flooding).push(due);
    }
  };
  for (let number = 0; number < FLOOD + openFor; number += 1) {
    now += 2;
    take();
    if (number < FLOOD) outcomes.add(reassembler.offer(evidence(number), now));
    if (number % EVERY !== 0) continue;
    const facts = (name: number) => ({ task: `task ${Math.floor(name / (4 * EVERY))}` });
    if (number < FLOOD) outcomes.add(reassembler.offer(dispatch(`ordinary-${number}`, facts(number)), now));
    const opened = number - openFor;
    if (opened >= 0) outcomes.add(reassembler.offer(destination(`ordinary-${opened}`, facts(opened)), now));
    const { pending, retained } = reassembler.sizes();
    expect(pending + retained).toBeLessThanOrEqual(CAPACITY);
  }
  now += 600_000;
  take();
  return { ordinary, flooding, exits, outcomes };
}

const FLOODS: readonly [string, (number: number) => Evidence][] = [
  ['one task, from the agent of the ordinary ones', (number) => dispatch(`flood-${number}`, { task: 'flood' })],
  [
    'one trace, each with a task of its own',
    (number) => dispatch(`flood-${number}`, { trace: 'f', task: `f ${number}` }),
  ],
  [
    'one agent, each with a task and a trace of its own',
    (number) => dispatch(`flood-${number}`, { source: 'noisy', task: `f ${number}` }),
  ],
];

describe('a flood of handoffs that never complete', { timeout: 120_000 }, () => {
  it.each(FLOODS)('from %s, pushes out itself and nobody else', (_, evidence) => {
    const { ordinary, flooding, exits, outcomes } = flood(evidence);
    const graded = ordinary.filter(({ revision }) => revision === 1);
    expect(graded).toHaveLength(FLOOD / EVERY);
    expect(new Set(graded.map(({ graded }) => graded.verdict))).toEqual(new Set(['passed']));
    expect(ordinary).toHaveLength(graded.length);
    // Nothing goes silently: each of the flood has its verdict, and says why it was not waited for.
    expect(flooding).toHaveLength(FLOOD);
    const evicted = flooding.filter(({ graded }) => graded.reason === 'evicted');
    expect(new Set(evicted.map(({ graded }) => graded.verdict))).toEqual(new Set(['insufficient_evidence']));
    expect(evicted).toHaveLength(exits.get('evicted')!);
    expect(evicted.length).toBeGreaterThan(FLOOD - CAPACITY);
    expect(outcomes).toEqual(new Set(['admitted']));
  });

  it('under one id is kept out after so many attempts', () => {
    const { ordinary, flooding, exits, outcomes } = flood(
      (number) => dispatch('flood', { attempt: number + 1 }),
      OPEN_FOR,
      {
        maxAttempts: 64,
      },
    );
    expect(ordinary.map(({ graded }) => graded.verdict)).toEqual(Array(FLOOD / EVERY).fill('passed'));
    expect(new Set(flooding.map(({ graded }) => graded.attempt)).size).toBe(64);
    expect(outcomes).toEqual(new Set(['admitted', 'over_limit']));
    expect(exits.get('evicted')).toBeUndefined();
  });

  it('from strangers who have nothing in common, leaves alone what completes before its turn', () => {
    const stranger = (number: number) => dispatch(`flood-${number}`, { source: `a ${number}`, task: `f ${number}` });
    const { ordinary, flooding } = flood(stranger, CAPACITY - 100);
    expect(ordinary.map(({ graded }) => graded.verdict)).toEqual(Array(FLOOD / EVERY).fill('passed'));
    expect(flooding).toHaveLength(FLOOD);
  });

  it('of whole ones, which only settle, pushes out nobody who still waits', () => {
    const whole = (number: number) => {
      const [sent, taken] = [dispatch, destination].map((make) => make(`flood-${number}`, { source: 'noisy' }));
      return { ...sent!, handoff: { ...taken!.handoff!, ...mergedStages(sent!, taken!) } };
    };
    const { ordinary, flooding } = flood(whole);
    expect(ordinary.map(({ graded }) => graded.verdict)).toEqual(Array(FLOOD / EVERY).fill('passed'));
    expect(new Set(flooding.map(({ graded }) => graded.verdict))).toEqual(new Set(['passed']));
    expect(flooding).toHaveLength(FLOOD);
  });
});

function mergedStages(sent: Evidence, taken: Evidence) {
  const { source, payload } = sent.handoff!.stages;
  return { stages: { source, payload, destination: taken.handoff!.stages.destination } };
}

describe('bytes', () => {
  const large = maker('dispatch', {
    payloadStage: Array.from({ length: 200 }, (_, at) => `a_key_of_some_length_number_${at}`),
  });

  it('are bounded as well as attempts, whichever comes first', () => {
    const maxBytes = 500_000;
    const { reassembler, exits } = setUp({ maxBytes });
    let verdicts = 0;
    for (let number = 0; number < 500; number += 1) {
      reassembler.offer(large(`h-${number}`, {}), number);
      verdicts += reassembler.popDue(number).length;
      expect(reassembler.sizes().bytes).toBeLessThanOrEqual(maxBytes);
    }
    const { pending } = reassembler.sizes();
    expect(pending).toBeGreaterThan(20);
    expect(pending).toBeLessThan(200);
    expect(exits.get('evicted')).toBe(500 - pending);
    expect(verdicts).toBe(500 - pending);
  });

  it('keep one attempt, however large it is', () => {
    const { reassembler } = setUp({ maxBytes: 1 });
    reassembler.offer(large('h-1', {}), 0);
    reassembler.offer(large('h-2', {}), 1);
    expect(reassembler.popDue(1).map(({ graded }) => graded.handoff_id)).toEqual(['h-1']);
    expect(reassembler.sizes().pending).toBe(1);
  });

  it('go with the attempts that held them', () => {
    const { reassembler } = setUp();
    for (let number = 0; number < 100; number += 1) reassembler.offer(dispatch(`h-${number}`, {}), 0);
    expect(reassembler.sizes().bytes).toBeGreaterThan(50_000);
    reassembler.popDue(600_000);
    reassembler.popDue(4_200_000);
    expect(reassembler.sizes()).toMatchObject({ pending: 0, retained: 0, bytes: 0 });
  });
});
