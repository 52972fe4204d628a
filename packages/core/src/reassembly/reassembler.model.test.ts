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
const CAPACITY = 4;
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
  wholeAt: number;
  gradedAt: number | undefined;
  gradedOrder: number;
  reviseAt: number | undefined;
  verdict: string | undefined;
  revision: number;
}

/** The same rules over one plain map that is searched for everything. */
function createModel(exits: Exit[]) {
  const kept = new Map<string, Kept>();
  const departed = createRecentSet(2 * CAPACITY);
  const refused = createRecentSet(2 * CAPACITY);
  let order = 0;
  let out: string[] = [];

  const siblingsOf = ({ record }: Kept) =>
    [...kept.values()].filter((other) => other.record.handoffId === record.handoffId && other.record !== record);

  function grade(entry: Kept, evicted = false): boolean {
    const siblings = siblingsOf(entry).map((other) => other.record);
    const verdict = JSON.stringify(fakeGrade(entry.record, siblings, evicted));
    if (entry.verdict === verdict) return false;
    entry.verdict = verdict;
    entry.revision += 1;
    out.push(`${entry.revision} ${verdict}`);
    return true;
  }

  function first(entry: Kept, now: number, exit: Exit): boolean {
    exits.push(exit);
    entry.gradedAt = now;
    entry.gradedOrder = order++;
    return grade(entry, exit === 'evicted');
  }

  function siblingsRevised(graded: readonly Kept[]) {
    for (const entry of new Set(graded.flatMap(siblingsOf))) {
      if (entry.gradedAt !== undefined && !graded.includes(entry)) grade(entry);
    }
  }

  function forget(entry: Kept) {
    if (entry.reviseAt !== undefined) {
      entry.reviseAt = undefined;
      grade(entry);
    }
    kept.delete(recordKey(entry.record));
    departed.add(recordKey(entry.record));
  }

  function makeRoom(now: number) {
    const all = [...kept.values()];
    const graded = all.filter((entry) => entry.gradedAt !== undefined).sort((a, b) => a.gradedOrder - b.gradedOrder);
    if (graded[0] !== undefined) return forget(graded[0]);
    const waiting = all.sort(
      (a, b) => Number(a.wholeAt < Infinity) - Number(b.wholeAt < Infinity) || order0(a) - order0(b),
    );
    const entry = waiting[0]!;
    if (first(entry, now, 'evicted')) siblingsRevised([entry]);
    forget(entry);
  }
  // Settling ones queue by when they became whole, incomplete ones by when they came.
  const order0 = (entry: Kept) => (entry.wholeAt < Infinity ? entry.wholeAt * 1e6 + entry.gradedOrder : entry.order);

  const dueAt = (entry: Kept) => {
    if (entry.gradedAt === undefined) return Math.min(entry.receivedAt + DEADLINE, entry.wholeAt + SETTLE);
    return entry.reviseAt ?? Math.max(...[entry, ...siblingsOf(entry)].map(wantedUntil));
  };
  const wantedUntil = (entry: Kept) =>
    entry.reviseAt ?? (entry.gradedAt === undefined ? entry.receivedAt + DEADLINE : entry.gradedAt + RETENTION);
  // At one time, forgetting comes last.
  const rank = (entry: Kept) => Number(entry.gradedAt !== undefined && entry.reviseAt === undefined);

  return {
    offer(record: HandoffRecord, now: number) {
      const key = recordKey(record);
      const known = kept.get(key);
      if (known !== undefined) {
        const merged = mergeRecords(known.record, record);
        if (JSON.stringify(merged) === JSON.stringify(known.record)) return;
        known.record = merged;
        if (known.gradedAt !== undefined) known.reviseAt ??= now + SETTLE;
        else if (known.wholeAt === Infinity && isWhole(known.record)) {
          known.wholeAt = now;
          known.gradedOrder = order++;
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
      if (kept.size >= CAPACITY) makeRoom(now);
      kept.set(key, {
        record,
        receivedAt: now,
        order: order++,
        wholeAt: isWhole(record) ? now : Infinity,
        gradedAt: undefined,
        gradedOrder: order++,
        reviseAt: undefined,
        verdict: undefined,
        revision: 0,
      });
    },
    popDue(now: number): string[] {
      const graded: Kept[] = [];
      for (;;) {
        const entry = [...kept.values()].sort((a, b) => dueAt(a) - dueAt(b) || rank(a) - rank(b))[0];
        if (entry === undefined || dueAt(entry) > now) break;
        if (entry.gradedAt === undefined) {
          if (first(entry, now, entry.wholeAt + SETTLE <= now ? 'completed' : 'expired')) graded.push(entry);
        } else if (entry.reviseAt !== undefined) {
          entry.reviseAt = undefined;
          if (grade(entry)) graded.push(entry);
        } else forget(entry);
      }
      siblingsRevised(graded);
      const result = out;
      out = [];
      return result;
    },
    size: () => kept.size,
  };
}

function evidence(id: number, attempt: number, part: number): Evidence {
  const keys = ['k'];
  const handoffId = `handoff-${id}`;
  const span = [
    handoffSpan({ role: 'dispatch', handoffId, attempt, target: 'b', sourceStage: keys, payloadStage: keys }),
    handoffSpan({ role: 'ingest', handoffId, attempt, destination: 'b', destinationStage: keys }),
    handoffSpan({ role: 'destination', handoffId, attempt, task: 't', destination: 'b' }),
  ][part]!;
  const result = extractEvidence(decodedSpan(span));
  if (!result.ok || result.evidence === undefined) throw new Error('the span says nothing');
  return result.evidence;
}

it('equals a plain map that is searched, over any order of evidence and time', () => {
  const step = fc.record({
    wait: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constantFrom(0, SETTLE, DEADLINE - 1, DEADLINE, RETENTION)),
    id: fc.integer({ min: 0, max: 5 }),
    attempt: fc.integer({ min: 1, max: 3 }),
    part: fc.integer({ min: 0, max: 2 }),
    pop: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const exits: Exit[] = [];
      const modelExits: Exit[] = [];
      const model = createModel(modelExits);
      const reassembler = createReassembler({
        grade: (record, { siblings, evicted }) => fakeGrade(record, siblings, evicted === true),
        deadlineMs: () => DEADLINE,
        settleMs: SETTLE,
        retentionMs: RETENTION,
        maxRecords: CAPACITY,
        maxAttempts: MAX_ATTEMPTS,
        observer: { exit: (exit) => exits.push(exit) },
      });
      let now = 0;
      for (const { wait, id, attempt, part, pop } of steps) {
        now += wait;
        const offered = evidence(id, attempt, part);
        reassembler.offer(offered, now);
        model.offer(offered.handoff!, now);
        if (pop) {
          const due = reassembler.popDue(now).map(({ revision, graded }) => `${revision} ${JSON.stringify(graded)}`);
          expect(due.sort()).toEqual(model.popDue(now).sort());
        }
        expect([...exits].sort()).toEqual([...modelExits].sort());
        const { pending, retained } = reassembler.sizes();
        expect(pending + retained).toBe(model.size());
        expect(pending + retained).toBeLessThanOrEqual(CAPACITY);
      }
    }),
    { numRuns: 300, seed: 20_261_130 },
  );
});
