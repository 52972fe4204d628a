import { createContracts } from '@seamtrace/contracts';
import fc from 'fast-check';
import type { DecodedSpan } from '../src/index.js';
import type { Attributes } from './spans.js';
import { digest, firstRun, hopSpans, modelCall, toolCall } from './task-spans.js';

export const contracts = createContracts({
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

/** The spans of one task that wanders from agent to agent. */
export const task = fc
  .tuple(walk, fc.record({ failed: fc.constantFrom(false, false, true), seen: fc.constantFrom(true, true, false) }))
  .map(([steps, root]) => spansOf(steps, root));
