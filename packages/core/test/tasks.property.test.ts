import { createContracts } from '@seamtrace/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
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
import { type TaskEntry, decodeEntries, encodeEntry } from '../src/tasks/codec.js';
import { mergeHops } from '../src/tasks/hop.js';
import { packMemory, readMemory } from '../src/tasks/memory.js';
import { viewTask } from '../src/tasks/state.js';
import { type Attributes, evidenceOf } from './spans.js';
import { digest, firstRun, hopSpans, modelCall, toolCall } from './task-spans.js';

const contracts = createContracts({
  version: 1,
  agents: { a: {}, b: {}, c: {} },
  routes: {
    a_to_b: { from: 'a', to: 'b', version: '1', required: ['key'], idempotent: ['read'], read_back: true },
    b_to_c: { from: 'b', to: 'c', version: '1', required: ['key'] },
  },
});

const letter = fc.constantFrom('1', '2');
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 4 });

/** One step of a walk of agents: who takes it next, what the hop says, and what the run that it starts does. */
const step = fc.record({
  to: fc.constantFrom('a', 'b', 'c'),
  from: fc.nat(8),
  index: rarely(fc.nat(3)),
  limit: rarely(fc.constantFrom(5, 6)),
  mode: often(fc.constantFrom('transfer', 'delegation')),
  state: often(letter),
  goal: rarely(letter),
  tokens: rarely(fc.nat(3)),
  size: fc.constantFrom(undefined, 1000, 2000, 4000, 8000),
  attempt: fc.constantFrom(1, 1, 1, 2),
  execution: fc.constantFrom(1, 1, 2),
  owner: rarely(fc.constantFrom('a', 'c')),
  retries: fc.constantFrom(false, false, false, true),
  seen: fc.record({ dispatch: fc.boolean(), ingest: fc.boolean(), run: fc.constantFrom(true, true, false) }),
  path: fc.constantFrom(true, true, false),
  tools: fc.array(fc.tuple(fc.constantFrom('read', 'send'), often(letter), fc.boolean()), { maxLength: 3 }),
  after: fc.boolean(),
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The spans of a task in which each step is dispatched by the run of an earlier one. */
function spansOf(steps: readonly Step[], root: { readonly failed: boolean; readonly seen: boolean }): DecodedSpan[] {
  const paths: string[][] = [['a']];
  const dispatched: string[][] = [[]];
  const parents: number[] = [-1];
  for (const [number, { to, from }] of steps.entries()) {
    const parent = from % (number + 1);
    paths.push([...paths[parent]!, to]);
    dispatched.push([]);
    dispatched[parent]!.push(`h-${number + 1}`);
    parents.push(parent);
  }
  const spans = steps.flatMap((one, place) => spansOfStep(one, place + 1, paths, dispatched, parents));
  const all = { agent: 'a', times: [0, 999] as const, dispatched: dispatched[0]!, failed: root.failed };
  return root.seen ? [firstRun(all), ...spans] : spans;
}

function spansOfStep(
  one: Step,
  number: number,
  paths: readonly string[][],
  dispatched: readonly string[][],
  parents: readonly number[],
): DecodedSpan[] {
  const at = number * 10;
  const id = `h-${number}`;
  const more: Attributes = {
    'seamtrace.handoff.route': 'a_to_b',
    'seamtrace.handoff.execution': BigInt(one.execution),
    ...(one.mode === undefined ? {} : { 'seamtrace.handoff.mode': one.mode }),
    ...(one.state === undefined ? {} : { 'seamtrace.state.digest': digest(one.state) }),
    ...(one.goal === undefined ? {} : { 'seamtrace.goal.digest': digest(one.goal) }),
    ...(one.tokens === undefined ? {} : { 'seamtrace.budget.consumed.tool_calls': BigInt(one.tokens) }),
    ...(one.size === undefined ? {} : { 'seamtrace.payload.size': BigInt(one.size) }),
    ...(one.owner === undefined ? {} : { 'seamtrace.task.owner': one.owner }),
    ...(one.retries && number > 1 ? { 'seamtrace.handoff.retry_of': `h-${number - 1}` } : {}),
  };
  const run = { run: id };
  const parent = parents[number]!;
  const caller = parent === 0 ? {} : { run: `h-${parent}` };
  return [
    ...hopSpans({
      id,
      path: paths[number]!,
      index: one.index ?? paths[number]!.length - 1,
      ...(one.limit === undefined ? {} : { limit: one.limit }),
      statePath: one.path,
      attempt: one.attempt,
      ...(one.seen.dispatch ? { dispatch: [at, at + 1] as const } : {}),
      ...(one.seen.ingest ? { ingest: [at + 2, at + 3] as const } : {}),
      ...(one.seen.run ? { run: [at + 2, at + 200] as const } : {}),
      dispatched: dispatched[number]!,
      more,
    }),
    ...one.tools.map(([tool, args, failed], index) =>
      toolCall(tool, args === undefined ? undefined : digest(args), {
        ...run,
        times: [at + 4 + index, at + 4.5 + index],
        failed,
      }),
    ),
    ...(one.execution === 2
      ? [
          ...hopSpans({
            id,
            path: paths[number]!,
            run: [at + 300, at + 310],
            more: { ...more, 'seamtrace.handoff.execution': 1n },
          }),
          ...[at + 9, at + 301].map((second) =>
            toolCall('send', digest('2'), { ...run, times: [second, second + 0.5] }),
          ),
        ]
      : []),
    ...(one.after
      ? [
          modelCall({ ...caller, times: [at + 4, at + 5] }),
          toolCall('send', digest('1'), { ...caller, times: [at + 6, at + 7] }),
        ]
      : []),
  ];
}

/** All walks, and among them lines of transfers under one owner, which are rare by chance. */
const walk = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 7 }), fc.constantFrom(false, false, false, true))
  .map(([steps, inLine]) =>
    inLine
      ? steps.map((one, number): Step => ({ ...one, from: number, mode: 'transfer', owner: 'c', attempt: 1 }))
      : steps,
  );

const task = fc
  .tuple(walk, fc.record({ failed: fc.constantFrom(false, false, true), seen: fc.constantFrom(true, true, false) }))
  .map(([steps, root]) => spansOf(steps, root));

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
