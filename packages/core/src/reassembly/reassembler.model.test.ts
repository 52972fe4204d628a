import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord } from '../evidence/types.js';
import type { GradedHandoff } from '../grading/types.js';
import { isWhole } from '../evidence/whole.js';
import { createReassembler } from './reassembler.js';
import { createRecentSet } from './recent.js';
import type { Exit } from './types.js';

const SETTLE = 5;
const DEADLINE = 40;
const RETENTION = 60;
const MAX_ATTEMPTS = 2;

/** Stands in for grading: what was seen of the attempt and of its siblings, so that any change of either shows. */
function fakeGrade(record: HandoffRecord, siblings: readonly HandoffRecord[], evicted: boolean): GradedHandoff {
  const seen = (of: HandoffRecord) => `${recordKey(of)} ${isWhole(of)} ${Object.keys(of.facts).sort().join()}`;
  const all = { own: seen(record), siblings: siblings.map(seen).sort(), evicted };
  return { handoff_id: record.handoffId, attempt: record.attempt, all } as unknown as GradedHandoff;
}

interface Kept {
  record: HandoffRecord;
  receivedAt: number;
  order: number;
  crowds: readonly [task: string | undefined, trace: string | undefined, agent: string | undefined];
  wholeAt: number;
  wholeOrder: number;
  gradedAt: number | undefined;
  gradedOrder: number;
  reviseAt: number | undefined;
  recheckAt: number | undefined;
  verdict: string | undefined;
  revision: number;
}

/** The same rules over one plain map that is searched for everything. */
function createModel(capacity: number, exits: Exit[]) {
  const kept = new Map<string, Kept>();
  const departed = createRecentSet(2 * capacity);
  const refused = createRecentSet(2 * capacity);
  // When each crowd came to its size, since of equal ones the first counts.
  const sizedAt = new Map<string, number>();
  let order = 0;
  let out: string[] = [];

  const siblingsOf = ({ record }: Kept) =>
    [...kept.values()].filter((other) => other.record.handoffId === record.handoffId && other.record !== record);

  function resized({ crowds }: Kept) {
    crowds.forEach((name, kind) => sizedAt.set(`${kind} ${name}`, order++));
  }

  function grade(entry: Kept, evicted = false): boolean {
    const siblings = siblingsOf(entry).map((other) => other.record);
    const verdict = JSON.stringify(fakeGrade(entry.record, siblings, evicted));
    if (entry.verdict === verdict) return false;
    entry.verdict = verdict;
    entry.revision += 1;
    out.push(`${entry.revision} ${verdict}`);
    return true;
  }

  function first(entry: Kept, at: number, exit: Exit): boolean {
    exits.push(exit);
    entry.gradedAt = at;
    entry.gradedOrder = order++;
    resized(entry);
    return grade(entry, exit === 'evicted');
  }

  function recheckSiblings(entry: Kept, at: number) {
    for (const other of siblingsOf(entry)) if (other.gradedAt !== undefined) other.recheckAt ??= at;
  }

  function forget(entry: Kept) {
    if (entry.reviseAt !== undefined) {
      entry.reviseAt = undefined;
      grade(entry);
    }
    kept.delete(recordKey(entry.record));
    departed.add(recordKey(entry.record));
  }

  /** The largest crowd of a kind among what is pending, and its oldest member. */
  function crowd(kind: 0 | 1 | 2): { size: number; oldest: Kept | undefined } {
    const crowds = new Map<string, Kept[]>();
    for (const entry of [...kept.values()].sort((a, b) => a.order - b.order)) {
      const name = entry.crowds[kind];
      if (entry.gradedAt === undefined && name !== undefined) crowds.set(name, [...(crowds.get(name) ?? []), entry]);
    }
    const [largest] = [...crowds].sort(
      ([a, x], [b, y]) => y.length - x.length || sizedAt.get(`${kind} ${a}`)! - sizedAt.get(`${kind} ${b}`)!,
    );
    return { size: largest?.[1].length ?? 0, oldest: largest?.[1][0] };
  }

  function victim(): Kept {
    const all = [...kept.values()];
    const graded = all.filter((entry) => entry.gradedAt !== undefined).sort((a, b) => a.gradedOrder - b.gradedOrder);
    if (graded[0] !== undefined) return graded[0];
    const [task, trace, agent] = [crowd(0), crowd(1), crowd(2)];
    const larger = task.size >= trace.size ? task : trace;
    if (larger.size > Math.max(16, Math.min(256, Math.floor(capacity / 64)))) return larger.oldest!;
    if (agent.size > Math.max(16, all.length / 2)) return agent.oldest!;
    const whole = (entry: Kept) => entry.wholeAt < Infinity;
    return all.sort(
      (a, b) => Number(whole(a)) - Number(whole(b)) || (whole(a) ? a.wholeOrder - b.wholeOrder : a.order - b.order),
    )[0]!;
  }

  function makeRoom(now: number) {
    const entry = victim();
    if (entry.gradedAt === undefined) first(entry, now, 'evicted');
    forget(entry);
  }

  const revisionOf = ({ reviseAt = Infinity, recheckAt = Infinity }: Kept) => Math.min(reviseAt, recheckAt);
  const dueAt = (entry: Kept) => {
    if (entry.gradedAt === undefined) return Math.min(entry.receivedAt + DEADLINE, entry.wholeAt + SETTLE);
    if (revisionOf(entry) < Infinity) return revisionOf(entry);
    return Math.max(...[entry, ...siblingsOf(entry)].map(wantedUntil));
  };
  const wantedUntil = (entry: Kept) => {
    if (entry.gradedAt === undefined) return entry.receivedAt + DEADLINE;
    return revisionOf(entry) < Infinity ? revisionOf(entry) : entry.gradedAt + RETENTION;
  };
  // At one time, forgetting comes last.
  const rank = (entry: Kept) => Number(entry.gradedAt !== undefined && revisionOf(entry) === Infinity);

  function advance(now: number) {
    for (;;) {
      const entry = [...kept.values()].sort((a, b) => dueAt(a) - dueAt(b) || rank(a) - rank(b))[0];
      if (entry === undefined || dueAt(entry) > now) return;
      const at = dueAt(entry);
      const { reviseAt = Infinity } = entry;
      if (entry.gradedAt === undefined) {
        if (first(entry, at, entry.wholeAt + SETTLE <= at ? 'completed' : 'expired')) recheckSiblings(entry, at);
      } else if (revisionOf(entry) < Infinity) {
        if (reviseAt <= at) entry.reviseAt = undefined;
        entry.recheckAt = undefined;
        if (grade(entry) && reviseAt <= at) recheckSiblings(entry, at);
      } else forget(entry);
    }
  }

  return {
    offer(record: HandoffRecord, now: number) {
      advance(now);
      const key = recordKey(record);
      const known = kept.get(key);
      if (known !== undefined) {
        const merged = mergeRecords(known.record, record);
        if (JSON.stringify(merged) === JSON.stringify(known.record)) return;
        known.record = merged;
        if (known.gradedAt !== undefined) known.reviseAt ??= now + SETTLE;
        else if (known.wholeAt === Infinity && isWhole(known.record)) {
          known.wholeAt = now;
          known.wholeOrder = order++;
        }
        return;
      }
      if (departed.has(key) || refused.has(key)) return;
      const attempts = [...kept.values()].filter((other) => other.record.handoffId === record.handoffId).length;
      if (attempts >= MAX_ATTEMPTS) {
        refused.add(key);
        exits.push('dropped');
        return;
      }
      if (kept.size >= capacity) makeRoom(now);
      const { facts, sides } = record;
      const entry: Kept = {
        record,
        receivedAt: now,
        order: order++,
        crowds: [
          facts.task?.values[0],
          (sides.producer.traceIds ?? sides.consumer.traceIds)?.values[0],
          (facts.source ?? facts.destination)?.values[0],
        ],
        wholeAt: isWhole(record) ? now : Infinity,
        wholeOrder: order++,
        gradedAt: undefined,
        gradedOrder: 0,
        reviseAt: undefined,
        recheckAt: undefined,
        verdict: undefined,
        revision: 0,
      };
      kept.set(key, entry);
      resized(entry);
    },
    popDue(now: number): string[] {
      advance(now);
      const result = out;
      out = [];
      return result;
    },
    size: () => kept.size,
  };
}

interface Step {
  readonly wait: number;
  readonly pop: boolean;
  readonly piece: Evidence;
}

/** Does the same to the reassembler and to the model, and compares all that can be seen of them. */
function compare(capacity: number, steps: readonly Step[]): void {
  const exits: Exit[] = [];
  const modelExits: Exit[] = [];
  const model = createModel(capacity, modelExits);
  const reassembler = createReassembler({
    grade: (record, { siblings, evicted }) => fakeGrade(record, siblings, evicted === true),
    deadlineMs: () => DEADLINE,
    settleMs: SETTLE,
    retentionMs: RETENTION,
    maxRecords: capacity,
    maxAttempts: MAX_ATTEMPTS,
    observer: { exit: (exit) => exits.push(exit) },
  });
  let now = 0;
  for (const { wait, piece, pop } of steps) {
    now += wait;
    reassembler.offer(piece, now);
    model.offer(piece.handoff!, now);
    if (pop) {
      const due = reassembler.popDue(now).map(({ revision, graded }) => `${revision} ${JSON.stringify(graded)}`);
      expect(due.sort()).toEqual(model.popDue(now).sort());
    }
    expect([...exits].sort()).toEqual([...modelExits].sort());
    const { pending, retained } = reassembler.sizes();
    expect(pending + retained).toBe(model.size());
    expect(pending + retained).toBeLessThanOrEqual(capacity);
  }
}

/** Evidence of one part of a handoff: its dispatch, its ingest, or its run. */
function evidence(id: number, attempt: number, part: number, crowd: Crowd = {}): Evidence {
  const key = JSON.stringify([id, attempt, part, crowd]);
  const piece = pieces.get(key) ?? build(id, attempt, part, crowd);
  pieces.set(key, piece);
  return piece;
}

const pieces = new Map<string, Evidence>();

function build(id: number, attempt: number, part: number, crowd: Crowd): Evidence {
  const keys = ['k'];
  const handoffId = `handoff-${id}`;
  const { source, task, trace } = crowd;
  const span = trace === undefined ? {} : { span: { traceId: trace.repeat(32) } };
  const shared = { handoffId, attempt, ...(source && { source }), ...(task && { task }), ...span };
  const model = [
    handoffSpan({ role: 'dispatch', ...shared, target: 'b', sourceStage: keys, payloadStage: keys }),
    handoffSpan({ role: 'ingest', ...shared, destination: 'b', destinationStage: keys }),
    handoffSpan({ role: 'destination', ...shared, task: task ?? 't', destination: 'b' }),
  ][part]!;
  const result = extractEvidence(decodedSpan(model));
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

interface Crowd {
  readonly source?: string;
  readonly task?: string;
  readonly trace?: string;
}

const wait = fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(0, SETTLE, DEADLINE - 1, DEADLINE, RETENTION));
const attempt = fc.integer({ min: 1, max: 3 });
const part = fc.integer({ min: 0, max: 2 });
const pop = fc.boolean();

it('equals a plain map that is searched, over any order of evidence and time', { timeout: 120_000 }, () => {
  const step = fc
    .record({ wait, id: fc.integer({ min: 0, max: 5 }), attempt, part, pop })
    .map(({ id, attempt, part, ...rest }) => ({ ...rest, piece: evidence(id, attempt, part) }));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => compare(4, steps)),
    { numRuns: 200, seed: 20_261_130 },
  );
});

it('equals it in whom it pushes out, among crowds of tasks, traces and agents', { timeout: 120_000 }, () => {
  const crowd = fc.record({
    source: fc.constantFrom('a', 'b', 'c'),
    task: fc.constantFrom('', 'u', 'v'),
    trace: fc.constantFrom('1', '2', '3', '4'),
  });
  const step = fc
    .record({ wait: fc.constantFrom(0, 0, 0, 1), id: fc.nat(300), attempt: fc.constant(1), part, pop, crowd })
    .map(({ id, attempt, part, crowd, ...rest }) => ({ ...rest, piece: evidence(id, attempt, part, crowd) }));
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 30, maxLength: 200 }),
      fc.integer({ min: 20, max: 45 }),
      (steps, capacity) => compare(capacity, steps),
    ),
    { numRuns: 40, seed: 20_261_130 },
  );
});
