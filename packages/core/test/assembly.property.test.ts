import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Arrivals,
  type Assembly,
  type Evidence,
  createAssembly,
  createLedger,
  gradeRecord,
  recordKey,
  verdictId,
} from '../src/index.js';
import { contracts, task } from './any-task.js';
import { evidenceOf } from './spans.js';

const FAR = 1e12;

function assembly(): Assembly {
  return createAssembly({
    grade: (record, context) => gradeRecord(record, { ...context, contracts }),
    deadlineMs: () => 600_000,
    settleMs: 5_000,
    retentionMs: 10 * FAR,
    silenceMs: 10 * FAR,
    maxRecords: 1000,
    maxTasks: 1000,
    topology: { maxSpans: 1000 },
  });
}

/** Everybody has spoken before, so that what is known of agents does not depend on the order. */
const heard: Evidence = {
  handoff: undefined,
  tool: undefined,
  node: undefined,
  run: undefined,
  speakers: ['a', 'b', 'c'],
};

interface Batch {
  readonly at: number;
  readonly evidence: readonly Evidence[];
}

/** Evidence in any order, in batches at any times, with repetitions. */
const batches = fc
  .tuple(task, fc.infiniteStream(fc.nat()), fc.infiniteStream(fc.constantFrom(0, 0, 1, 2_500, 5_000, 60_000, 600_000)))
  .map(([spans, turns, waits]): Batch[] => {
    const turn = () => turns.next().value as number;
    const pieces = evidenceOf(spans);
    const order = [...pieces, ...pieces.filter(() => turn() % 5 === 0)]
      .map((piece) => [turn(), piece] as const)
      .sort(([a], [b]) => a - b)
      .map(([, piece]) => piece);
    const all: Batch[] = [{ at: 0, evidence: [heard] }];
    let at = 0;
    while (order.length > 0) {
      at += waits.next().value as number;
      all.push({ at, evidence: order.splice(0, 1 + (turn() % 4)) });
    }
    return all;
  });

interface Said {
  readonly key: string;
  readonly revision: number;
  readonly id: string;
}

/** @param ticks Times between batches at which somebody asks what is due, as a running service does. */
function live(all: readonly Batch[], ticks: readonly number[]): Said[] {
  const state = assembly();
  const said: Said[] = [];
  const hear = ({ due }: Arrivals) =>
    said.push(
      ...due.map(({ record, revision, graded }) => ({
        key: recordKey(record),
        revision,
        id: verdictId(graded, undefined),
      })),
    );
  let now = 0;
  for (const { at, evidence } of all) {
    for (const tick of ticks) if (tick > now && tick < at) hear(state.popDue((now = tick), 3));
    hear(state.popDue((now = at)));
    for (const piece of evidence) state.offer(piece, at);
  }
  hear(state.popDue(FAR));
  return said;
}

describe('an assembly', () => {
  it('ends where a file with the same evidence ends, whatever came when', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const ledger = createLedger({ contracts });
        for (const piece of all.flatMap(({ evidence }) => evidence)) ledger.add(piece);
        const last = new Map(live(all, []).map(({ key, id }) => [key, id]));
        const expected = ledger
          .grade()
          .map((graded) => [recordKey({ handoffId: graded.handoff_id, attempt: graded.attempt }), graded] as const);
        expect(new Map([...last].sort())).toEqual(
          new Map(expected.map(([key, graded]) => [key, verdictId(graded, undefined)] as const).sort()),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('says the same when it is asked at other times, as after a restart', () => {
    fc.assert(
      fc.property(batches, fc.array(fc.nat(5_000_000), { maxLength: 30 }), (all, ticks) => {
        const byRevision = (a: Said, b: Said) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.revision - b.revision);
        const running = live(
          all,
          ticks.sort((a, b) => a - b),
        ).sort(byRevision);
        expect(running).toEqual(live(all, []).sort(byRevision));
      }),
      { numRuns: 60 },
    );
  });
});
