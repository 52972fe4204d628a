import { BUDGET_COUNTERS, type BudgetCounter } from '@seamtrace/semconv';
import type { HandoffRecord } from '../evidence/types.js';
import { fact, numericFact } from '../grading/subject.js';
import { type Place, createQueue } from '../reassembly/queue.js';
import { createRecentSet } from '../reassembly/recent.js';

/** A task that has been silent long enough to count as ended. */
export interface TaskEnd {
  readonly taskId: string;
  /** Largest hop index over its forward legs; `undefined` when no handoff of it stated one. */
  readonly hops: number | undefined;
  readonly atHopLimit: boolean;
}

/** What one task consumed between two hops that follow each other. */
export interface BudgetSpent {
  /** The route of the earlier hop: the run that it started spent this. */
  readonly route: string | undefined;
  readonly counter: BudgetCounter;
  readonly amount: number;
}

/** Facts that cross the handoffs of one task. `now` is milliseconds, never decreasing. */
export interface Tasks {
  /** A span of the task was received. */
  touch(taskId: string, now: number): void;
  /** A handoff got its first verdict. Returns what its budget counters show together with its neighbours'. */
  note(record: HandoffRecord, now: number): readonly BudgetSpent[];
  /** Tasks silent since `silenceMs` or longer, each once; one that speaks again is reported to `reopened` instead. */
  popDue(now: number): readonly TaskEnd[];
  next(): number | undefined;
  readonly size: number;
}

export interface TasksOptions {
  readonly silenceMs: number;
  /** Tasks in memory; beyond it the one silent longest counts as ended early. */
  readonly maxTasks: number;
  /** Called once when a task speaks after it counted as ended. */
  readonly reopened?: () => void;
}

/** Hops whose budget counters are kept for one task. */
const MAX_HOPS = 64;

interface Hop {
  readonly route: string | undefined;
  readonly consumed: ReadonlyMap<BudgetCounter, number>;
}

interface Task {
  readonly id: string;
  readonly again: boolean;
  readonly byIndex: Map<number, Hop>;
  hops: number | undefined;
  atHopLimit: boolean;
  spokeAt: number;
  place: Place<Task>;
}

export function createTasks({ silenceMs, maxTasks, reopened }: TasksOptions): Tasks {
  const open = new Map<string, Task>();
  // Every task waits equally long, so the queue by last word is the queue by deadline.
  const bySilence = createQueue<Task>();
  const ended = createRecentSet(2 * maxTasks);
  let early: TaskEnd[] = [];

  function speak(id: string, now: number): Task {
    const known = open.get(id);
    if (known !== undefined) {
      bySilence.remove(known.place);
      known.spokeAt = now;
      known.place = bySilence.push(known);
      return known;
    }
    if (open.size >= maxTasks) early.push(...end(bySilence.first()!));
    const again = ended.has(id);
    if (again) reopened?.();
    const task = { id, again, byIndex: new Map(), hops: undefined, atHopLimit: false, spokeAt: now } as unknown as Task;
    task.place = bySilence.push(task);
    open.set(id, task);
    return task;
  }

  function end(task: Task): TaskEnd[] {
    bySilence.remove(task.place);
    open.delete(task.id);
    ended.add(task.id);
    return task.again ? [] : [{ taskId: task.id, hops: task.hops, atHopLimit: task.atHopLimit }];
  }

  return {
    touch: (taskId, now) => void speak(taskId, now),
    note(record, now) {
      const taskId = fact(record, 'task');
      if (taskId === undefined) return [];
      const task = speak(taskId, now);
      const index = numericFact(record, 'hopIndex');
      if (fact(record, 'leg') === 'return' || index === undefined) return [];
      const limit = numericFact(record, 'hopLimit');
      task.hops = Math.max(task.hops ?? 0, index);
      if (limit !== undefined && index >= limit) task.atHopLimit = true;
      // Attempts and parallel hops share an index; only one of them can be a neighbour's neighbour.
      if (task.byIndex.has(index) || task.byIndex.size >= MAX_HOPS) return [];
      const hop = { route: fact(record, 'route'), consumed: consumedOf(record) };
      task.byIndex.set(index, hop);
      return [...between(task.byIndex.get(index - 1), hop), ...between(hop, task.byIndex.get(index + 1))];
    },
    popDue(now) {
      const ends = early;
      early = [];
      for (let task = bySilence.first(); task !== undefined; task = bySilence.first()) {
        if (task.spokeAt + silenceMs > now) break;
        ends.push(...end(task));
      }
      return ends;
    },
    next() {
      const task = bySilence.first();
      return task === undefined ? undefined : task.spokeAt + (early.length > 0 ? 0 : silenceMs);
    },
    get size() {
      return open.size;
    },
  };
}

function consumedOf(record: HandoffRecord): ReadonlyMap<BudgetCounter, number> {
  const consumed = new Map<BudgetCounter, number>();
  for (const counter of BUDGET_COUNTERS) {
    const amount = numericFact(record, `budget.consumed.${counter}`);
    if (amount !== undefined) consumed.set(counter, amount);
  }
  return consumed;
}

/** Nothing where a counter fell: that is a finding about the counter, and no spending. */
function between(earlier: Hop | undefined, later: Hop | undefined): BudgetSpent[] {
  if (earlier === undefined || later === undefined) return [];
  return [...later.consumed].flatMap(([counter, amount]) => {
    const before = earlier.consumed.get(counter);
    const spent = before === undefined ? 0 : amount - before;
    return spent > 0 ? [{ route: earlier.route, counter, amount: spent }] : [];
  });
}
