import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_THRESHOLDS,
  type DecodedSpan,
  type Evidence,
  type GradedHandoff,
  type HandoffRecord,
  TASK_FINDINGS,
  createLedger,
  createTasks,
  gradeRecord,
  hopOf,
  mergeRecords,
  recordKey,
} from '../src/index.js';
import { ALL_PASSES, findAll } from '../src/grading/findings/passes.js';
import { isAlone } from '../src/grading/findings/whole-task.js';
import { rule } from '../src/grading/rows.js';
import { subjectOf } from '../src/grading/subject.js';
import { createTaskBook } from '../src/tasks/book.js';
import { type TaskEntry, decodeEntries, encodeEntry } from '../src/tasks/codec.js';
import { mergeHops } from '../src/tasks/hop.js';
import { packMemory, readMemory } from '../src/tasks/memory.js';
import { chainOf } from '../src/tasks/path.js';
import { viewTask } from '../src/tasks/state.js';
import { contracts, task } from './any-task.js';
import { evidenceOf } from './spans.js';

function byLedger(evidence: readonly Evidence[]): Record<string, GradedHandoff> {
  const ledger = createLedger({ contracts });
  for (const each of evidence) ledger.add(each);
  return Object.fromEntries(ledger.grade().map((grade) => [`${grade.handoff_id}~${grade.attempt}`, grade]));
}

/**
 * A stream in which records are graded at any time: the way in which a reassembler joins with tasks. What is told to be
 * affected is graded again, and nothing else but what evidence came for.
 */
function byStream(evidence: readonly Evidence[], gradeAt: ReadonlySet<number>, restartAt: number) {
  let tasks = createTasks({ silenceMs: 1e9, maxTasks: 100 });
  const records = new Map<string, HandoffRecord>();
  const verdicts: Record<string, GradedHandoff> = {};
  const graded = new Set<string>();
  const due = new Set<string>();
  const calls = evidence.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));

  function gradeDue(now: number): void {
    for (const key of due) {
      due.delete(key);
      const record = records.get(key)!;
      const grade = gradeRecord(record, {
        contracts,
        isInstrumented: () => true,
        tools: calls.filter(({ runHandoffId }) => runHandoffId === record.handoffId),
        siblings: [...records.values()].filter((other) => other !== record),
        task: tasks.viewOf(record),
      });
      if (grade !== undefined) verdicts[key] = grade;
      graded.add(key);
      again(tasks.noteGraded(record, now).affected);
    }
  }
  const again = (affected: readonly { readonly handoffId: string; readonly attempt: number }[]) => {
    for (const each of affected) if (graded.has(recordKey(each))) due.add(recordKey(each));
  };
  for (const [now, each] of evidence.entries()) {
    if (now === restartAt) {
      const kept = tasks.takeChanges();
      tasks = createTasks({ silenceMs: 1e9, maxTasks: 100 });
      tasks.restore(kept, Infinity);
    }
    again(tasks.offer(each, now));
    if (each.handoff !== undefined) {
      const key = recordKey(each.handoff);
      const known = records.get(key);
      records.set(key, known === undefined ? each.handoff : mergeRecords(known, each.handoff));
      due.add(key);
    }
    if (gradeAt.has(now)) gradeDue(now);
  }
  gradeDue(evidence.length);
  again(tasks.popDue(evidence.length + 20_000).affected);
  gradeDue(evidence.length + 20_000);
  return verdicts;
}

/** Findings that rest on the task, of every attempt. */
function taskFindings(grades: Record<string, GradedHandoff>) {
  const all = Object.entries(grades).map(
    ([key, { findings }]) =>
      [key, findings.filter(({ id }) => TASK_FINDINGS.has(id) || id === 'goal_changed')] as const,
  );
  return Object.fromEntries(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sameFindings(parameters: fc.Parameters<unknown>): ReadonlySet<string> {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      task,
      fc.infiniteStream(fc.nat()),
      fc.array(fc.nat(60)),
      fc.nat(60),
      (spans, turns, gradeAt, restartAt) => {
        const order = evidenceOf(spans)
          .map((each) => [turns.next().value as number, each] as const)
          .sort(([a], [b]) => a - b)
          .map(([, each]) => each);
        const ledger = taskFindings(byLedger(order));
        for (const { id } of Object.values(ledger).flat()) seen.add(id);
        expect(taskFindings(byStream(order, new Set(gradeAt), restartAt))).toEqual(ledger);
      },
    ),
    parameters as fc.Parameters<[DecodedSpan[], fc.Stream<number>, number[], number]>,
  );
  return seen;
}

describe('a task', () => {
  it('gives the same findings in a file as in a stream, in any order, graded at any time, with a restart between', () => {
    sameFindings({ numRuns: 60 });
    // A test of equality in which nothing is found would show nothing.
    const seen = sameFindings({ numRuns: 140, seed: 20_261_130 });
    for (const id of TASK_FINDINGS) expect(seen).toContain(id);
  }, 120_000);

  it('remembers of an attempt the same whether its spans came together or not', () => {
    fc.assert(
      fc.property(task, (spans) => {
        const records = evidenceOf(spans).flatMap(({ handoff }) => (handoff === undefined ? [] : [handoff]));
        for (const a of records) {
          for (const b of records) {
            if (recordKey(a) !== recordKey(b)) continue;
            expect(hopOf(mergeRecords(a, b))).toEqual(mergeHops(hopOf(a), hopOf(b)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('shows nothing in a lone handoff whose path is not looked for', () => {
    let alone = 0;
    fc.assert(
      fc.property(task, (spans) => {
        const evidence = evidenceOf(spans);
        const [first] = evidence.flatMap(({ handoff }) => (handoff === undefined ? [] : [handoff]));
        fc.pre(first !== undefined);
        const record = evidence
          .flatMap(({ handoff }) => handoff ?? [])
          .filter((other) => recordKey(other) === recordKey(first))
          .reduce(mergeRecords);
        const book = createTaskBook();
        book.addRecord(record);
        const own = evidence.filter(({ tool, run }) => (tool?.runHandoffId ?? run?.handoffId) === record.handoffId);
        for (const each of own) book.add(each);
        const view = book.viewOf(record);
        if (view === undefined || !isAlone(view)) return;
        alone += 1;
        const context = { contracts, isInstrumented: () => true, tools: [], siblings: [], task: view };
        const subject = subjectOf(record, context);
        const [hop] = view.hops;
        const input = {
          subject,
          ruling: rule(subject),
          thresholds: DEFAULT_THRESHOLDS,
          task: { view, hop: hop!, chain: chainOf(view, hop!) },
        };
        const found = ALL_PASSES.map((pass) => pass(input)?.id).filter((id) => id !== undefined);
        expect(found.sort()).toEqual(findAll(input).map(({ id }) => id));
      }),
      { numRuns: 500 },
    );
    expect(alone).toBeGreaterThan(50);
  });

  it('reads the same from its text in any order, with repetitions, and packed anew', () => {
    fc.assert(
      fc.property(task, fc.infiniteStream(fc.nat()), (spans, turns) => {
        const entries = evidenceOf(spans).flatMap(({ handoff, tool, run }) => [
          ...(handoff === undefined ? [] : [{ hop: hopOf(handoff) }]),
          ...(tool === undefined ? [] : [{ tool }]),
          ...(run === undefined ? [] : [{ run }]),
        ]);
        const encode = (entry: TaskEntry) => encodeEntry(entry, 'task-1');
        expect(decodeEntries(entries.map(encode).join(), 'task-1')).toEqual(entries);
        const view = (text: string) => {
          const { state } = readMemory('task-1', text);
          const { hops, runs, complete, toolsOf, modelCallsOf } = viewTask(state, undefined, undefined);
          const ids = [undefined, ...hops.map(({ handoffId }) => handoffId)];
          return { hops, runs, complete, tools: ids.map(toolsOf), turns: ids.map(modelCallsOf) };
        };
        const first = entries.map(encode).join();
        const shuffled = [...entries, ...entries]
          .map((entry) => [turns.next().value as number, encode(entry)] as const)
          .sort(([a], [b]) => a - b);
        const second = shuffled.map(([, text]) => text).join();
        expect(view(second)).toEqual(view(first));
        expect(view(packMemory(readMemory('task-1', second)))).toEqual(view(first));
      }),
      { numRuns: 100 },
    );
  });
});
