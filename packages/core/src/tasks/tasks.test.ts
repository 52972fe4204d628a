import { decodedSpan, handoffSpan } from '@seamtrace/testkit';
import { expect, it } from 'vitest';
import { extractEvidence } from '../evidence/extract.js';
import type { HandoffRecord } from '../evidence/types.js';
import { createTasks } from './tasks.js';

const HOUR = 3_600_000;

function hop(index: number | undefined, more: Record<string, bigint | string> = {}, task = 'task-1'): HandoffRecord {
  const attributes = { ...(index === undefined ? {} : { 'seamtrace.hop.index': BigInt(index) }), ...more };
  const span = handoffSpan({ role: 'dispatch', handoffId: `h-${index}`, route: `r${index}`, task, attributes });
  const result = extractEvidence(decodedSpan(span));
  if (!result.ok || result.evidence?.handoff === undefined) throw new Error('the span says nothing');
  return result.evidence.handoff;
}

it('observes the largest hop index exactly after an hour of silence, whatever the order', () => {
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 10 });
  for (const index of [2, 3, 1]) tasks.note(hop(index), 0);
  tasks.touch('task-1', 1000);
  expect(tasks.next()).toBe(HOUR + 1000);
  expect(tasks.popDue(HOUR + 999)).toEqual([]);
  expect(tasks.popDue(HOUR + 1000)).toEqual([{ taskId: 'task-1', hops: 3, atHopLimit: false }]);
  expect(tasks.popDue(10 * HOUR)).toEqual([]);
});

it('counts a return leg for nothing, and says so when no hop was stated', () => {
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 10 });
  tasks.note(hop(9, { 'seamtrace.handoff.leg': 'return' }), 0);
  tasks.note(hop(undefined), 0);
  expect(tasks.popDue(HOUR)).toEqual([{ taskId: 'task-1', hops: undefined, atHopLimit: false }]);
});

it('is at its limit when the index reaches it', () => {
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 10 });
  tasks.note(hop(5, { 'seamtrace.hop.limit': 6n }, 'under'), 0);
  tasks.note(hop(6, { 'seamtrace.hop.limit': 6n }, 'at'), 0);
  expect(tasks.popDue(HOUR).map(({ atHopLimit }) => atHopLimit)).toEqual([false, true]);
});

it('reports a task that speaks again once, and does not observe it twice', () => {
  let reopened = 0;
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 10, reopened: () => (reopened += 1) });
  tasks.note(hop(1), 0);
  tasks.popDue(HOUR);
  tasks.touch('task-1', HOUR + 1);
  tasks.note(hop(2), HOUR + 2);
  expect(reopened).toBe(1);
  expect(tasks.popDue(3 * HOUR)).toEqual([]);
});

it('ends the task silent longest when there are too many', () => {
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 2 });
  tasks.note(hop(1, {}, 'a'), 0);
  tasks.note(hop(1, {}, 'b'), 1);
  tasks.touch('a', 2);
  tasks.touch('c', 3);
  expect(tasks.next()).toBeLessThanOrEqual(3);
  expect(tasks.popDue(3).map(({ taskId }) => taskId)).toEqual(['b']);
  expect(tasks.size).toBe(2);
});

it('finds what was spent between neighbouring hops once, in any order, and nothing where a counter fell', () => {
  const tasks = createTasks({ silenceMs: HOUR, maxTasks: 2 });
  const tokens = (amount: number) => ({ 'seamtrace.budget.consumed.tokens': BigInt(amount) });
  expect(tasks.note(hop(3, tokens(500)), 0)).toEqual([]);
  expect(tasks.note(hop(1, tokens(100)), 0)).toEqual([]);
  expect(tasks.note(hop(2, tokens(250)), 0)).toEqual([
    { route: 'r1', counter: 'tokens', amount: 150 },
    { route: 'r2', counter: 'tokens', amount: 250 },
  ]);
  expect(tasks.note(hop(2, tokens(999)), 0)).toEqual([]);
  expect(tasks.note(hop(4, tokens(10)), 0)).toEqual([]);
});
