import { BUDGET_COUNTERS, type BudgetCounter, type EscalationOutcome, type Replanned } from '@seamtrace/semconv';
import type { Counted } from './codec.js';
import { type TaskHop, consumedBy, hopKey, hopNumber, isForward, isUndispatched, kindOf } from './hop.js';
import { type RedundantCalls, replanOf } from './replan.js';
import type { TaskView } from './view.js';

/** What one task consumed between two hops that follow each other. */
export interface BudgetSpent {
  /** The route of the earlier hop: the run that it started spent this. */
  readonly route: string | undefined;
  readonly counter: BudgetCounter;
  readonly amount: number;
}

/** Whether the consumer of one handoff began by redoing work; told once for each. */
export interface ReplanDecided {
  readonly route: string | undefined;
  readonly replanned: Replanned;
}

/** Calls of one consumer that repeated what was done before; told once, when no more of them are expected. */
export interface RedundantDone extends RedundantCalls {
  readonly route: string | undefined;
}

/** Facts to be counted, each told exactly once. */
export interface TaskFacts {
  readonly spent: readonly BudgetSpent[];
  readonly replans: readonly ReplanDecided[];
  readonly redundant: readonly RedundantDone[];
  readonly escalations: readonly EscalationOutcome[];
}

const REPLAN = 1;
const REDUNDANT = 2;
const ASKED = 4;
const REFUSED = 8;
const ANSWERED = 16;
/** Its decision is waited for; a restart leaves it to the end of the task. */
export const WAITED = 32;

/** Facts, and the marks that keep them from being told again. `open`: something of this hop is still to be decided. */
export interface Tally {
  readonly facts: TaskFacts;
  readonly marks: readonly Counted[];
  readonly open: boolean;
}

/**
 * What a hop, with its task as it is known now, adds to the metrics beside what is counted already.
 *
 * @param final Nothing more is waited for: what is undecided is decided by what there is.
 */
export function tallyHop(
  view: TaskView,
  hop: TaskHop,
  counted: ReadonlyMap<string, number>,
  ignoredTools: (route: string | undefined) => readonly string[],
  final: boolean,
): Tally {
  const work = tallyWork(view, hop, counted, ignoredTools, final);
  const spent = tallySpent(view, hop, counted);
  const people = tallyEscalation(view, hop, counted);
  return {
    facts: { ...work.facts, spent: spent.facts, escalations: people.facts },
    marks: [...work.marks, ...spent.marks, ...people.marks],
    open: work.open,
  };
}

function tallyWork(
  view: TaskView,
  hop: TaskHop,
  counted: ReadonlyMap<string, number>,
  ignoredTools: (route: string | undefined) => readonly string[],
  final: boolean,
): { facts: Pick<TaskFacts, 'replans' | 'redundant'>; marks: Counted[]; open: boolean } {
  const bits = counted.get(hopKey(hop)) ?? 0;
  const { route } = hop.facts;
  const replan = bits & REPLAN && bits & REDUNDANT ? undefined : replanOf(view, hop, ignoredTools(route), final);
  if (replan === undefined) return { facts: { replans: [], redundant: [] }, marks: [], open: false };
  const decided = !(bits & REPLAN) && replan.replanned !== undefined;
  const done = !(bits & REDUNDANT) && (replan.runEnded || final);
  const mark = (decided ? REPLAN : 0) | (done ? REDUNDANT : 0);
  return {
    facts: {
      replans: decided ? [{ route, replanned: replan.replanned! }] : [],
      redundant: done ? replan.redundant.map((calls) => ({ ...calls, route })) : [],
    },
    marks: mark === 0 ? [] : [{ of: hopKey(hop), mark }],
    open: ((bits | mark) & (REPLAN | REDUNDANT)) !== (REPLAN | REDUNDANT),
  };
}

/**
 * Between the hops of one index and the next: what the furthest of the later ones consumed more than the furthest of the
 * earlier ones. Counters are of the whole task, so parallel hops of one index have spent what lies below them together.
 * Nothing where a counter fell: that is a finding about the counter, and no spending.
 */
function tallySpent(
  view: TaskView,
  hop: TaskHop,
  counted: ReadonlyMap<string, number>,
): { facts: BudgetSpent[]; marks: Counted[] } {
  const index = hopNumber(hop, 'hopIndex');
  const facts: BudgetSpent[] = [];
  const marks: Counted[] = [];
  if (index === undefined || !isForward(hop) || hop.doubtful) return { facts, marks };
  for (const counter of BUDGET_COUNTERS) {
    if (consumedBy(hop, counter) === undefined) continue;
    for (const level of [index - 1, index]) {
      const earlier = furthest(view, level, counter);
      const later = furthest(view, level + 1, counter);
      if (earlier === undefined || later === undefined) continue;
      const of = `${level}/${counter}`;
      const amount = consumedBy(later, counter)! - consumedBy(earlier, counter)!;
      const known = counted.get(of) ?? 0;
      if (amount <= known) continue;
      facts.push({ route: earlier.facts.route, counter, amount: amount - known });
      marks.push({ of, mark: amount });
    }
  }
  return { facts, marks };
}

function furthest(view: TaskView, index: number, counter: BudgetCounter): TaskHop | undefined {
  let most: TaskHop | undefined;
  for (const hop of view.hops) {
    const consumed = consumedBy(hop, counter);
    if (!isForward(hop) || hop.doubtful || hopNumber(hop, 'hopIndex') !== index || consumed === undefined) continue;
    if (most === undefined || consumed > consumedBy(most, counter)!) most = hop;
  }
  return most;
}

/**
 * An escalation was put before a person (`asked`), or its builder did not let it out (`refused`); an answer to it came
 * (`answered`). That nobody answered in time, or that the person did not read, no span states.
 */
function tallyEscalation(
  view: TaskView,
  hop: TaskHop,
  counted: ReadonlyMap<string, number>,
): { facts: EscalationOutcome[]; marks: Counted[] } {
  const asked = view.hops.filter((other) => kindOf(other) === 'agent_to_human' && isForward(other) && !other.doubtful);
  const facts: EscalationOutcome[] = [];
  const marks: Counted[] = [];
  for (const id of new Set(asked.map((other) => other.handoffId))) {
    if (id !== hop.handoffId && id !== hop.facts.inReplyTo) continue;
    const of = `${id}~`;
    const bits = counted.get(of) ?? 0;
    const attempts = asked.filter((other) => other.handoffId === id);
    const left = attempts.some((other) => !isUndispatched(other) && other.dispatchSpan !== undefined);
    const refused = attempts.some((other) => other.facts.dispatchOutcome === 'prevented');
    const answered = left && view.hops.some((other) => other.facts.inReplyTo === id);
    const outcomes = [
      [ASKED, 'asked', left],
      [REFUSED, 'refused', refused],
      [ANSWERED, 'answered', answered],
    ] as const;
    for (const [bit, outcome, happened] of outcomes) {
      if (!happened || (bits & bit) !== 0) continue;
      facts.push(outcome);
      marks.push({ of, mark: bit });
    }
  }
  return { facts, marks };
}
