import { BUDGET_COUNTERS, type BudgetCounter } from '@seamtrace/semconv';
import { CONSUMED, LIMIT, type TaskHop, consumedBy, limitOf } from '../../tasks/hop.js';
import { ownWork } from '../../tasks/own-work.js';
import { attemptsOf, dispatchersOf } from '../../tasks/path.js';
import { beganWithin, compareNanos } from '../../evidence/spans.js';
import { isTransferTool } from '../../tasks/transfer-tools.js';
import type { TaskView } from '../../tasks/view.js';
import type { HandoffRecord, RunEvidence, SpanRef } from '../../evidence/types.js';
import { numericFact } from '../subject.js';
import { type InTask, inTask } from './whole-task.js';
import type { FindingPass } from './types.js';

/** A budget counter stands at or over its limit. */
export const budgetExhausted: FindingPass = ({ subject: { record } }) => {
  if (!statesBudget(record)) return undefined;
  const counters = BUDGET_COUNTERS.filter((counter) => {
    const consumed = numericFact(record, CONSUMED[counter]);
    const limit = numericFact(record, LIMIT[counter]);
    return consumed !== undefined && limit !== undefined && consumed >= limit;
  });
  return counters.length === 0 ? undefined : { id: 'budget_exhausted', detail: { counters: [...counters].sort() } };
};

/** Most handoffs state none, and asking for each counter costs more than to see that. */
function statesBudget({ facts }: HandoffRecord): boolean {
  for (const name in facts) if (name.startsWith('budget.')) return true;
  return false;
}

/**
 * Less is stated as consumed than on the hop before. Not where the limit is another, or only one of them states one: a
 * delegate may get a slice of its own.
 */
export const budgetReset: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined) return undefined;
  const counters = BUDGET_COUNTERS.filter((counter) => fellBelow(task, counter));
  return counters.length === 0 ? undefined : { id: 'budget_reset', detail: { counters: [...counters].sort() } };
};

function fellBelow({ hop, chain }: InTask, counter: BudgetCounter): boolean {
  const stated = consumedBy(hop, counter);
  const earlier = chain.before.find((attempts) => attempts.every((each) => consumedBy(each, counter) !== undefined));
  if (stated === undefined || earlier === undefined) return false;
  return earlier.every((each) => {
    const [before, now] = [limitOf(each, counter), limitOf(hop, counter)];
    return before === now && consumedBy(each, counter)! > stated;
  });
}

/**
 * Less is stated than the runs before it on the path are seen to have used up. What is observed is a lower bound: only
 * what surely was over when the handoff was dispatched, by the clock of the run that did it.
 */
export const budgetUnderreported: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined || task.hop.attempt > 1) return undefined;
  const stretches = stretchesOf(task);
  const share = 1 - input.thresholds.budgetToleranceShare;
  const observed: Partial<Record<BudgetCounter, number>> = {
    tool_calls: sum(stretches, (stretch) => callsIn(task, stretch)),
    tokens: sum(stretches, tokensIn),
    wall_clock_ms: sum(stretches, (stretch) => millisecondsIn(task, stretch)),
  };
  const counters = Object.entries(observed).flatMap(([name, amount]) => {
    const counter = name as BudgetCounter;
    const stated = consumedBy(task.hop, counter);
    const least = counter === 'tool_calls' ? amount : amount * share;
    if (stated === undefined || stated >= least || sliced(task, counter)) return [];
    return [{ counter, stated, observed: Math.floor(amount) }];
  });
  return counters.length === 0 ? undefined : { id: 'budget_underreported', detail: { counters } };
};

/** One run before the handoff, up to the moment when it dispatched the next hop of the path. */
interface Stretch {
  readonly run: RunEvidence;
  readonly next: TaskHop;
}

/** Runs on the path that are known to have dispatched the next hop, in the one attempt that there was of it. */
function stretchesOf({ view, hop, chain }: InTask): readonly Stretch[] {
  return [[hop], ...chain.before].flatMap((attempts) => {
    const [next] = attempts;
    if (next === undefined || attemptsOf(view, next.handoffId).length > 1) return [];
    const runs = dispatchersOf(view, next);
    const [run] = runs;
    return run === undefined || runs.length > 1 ? [] : [{ run, next }];
  });
}

/** Successful calls that were over at the dispatch. A failed one may be counted as a retry, a transfer as none at all. */
function callsIn({ view, hop }: InTask, { run, next: { dispatchSpan } }: Stretch): number {
  if (dispatchSpan === undefined) return 0;
  const from = firstTouch(view, run)?.startUnixNano ?? run.span.startUnixNano;
  return ownWork(view, run, undefined).tools.filter(
    ({ tool, taskId, span }) =>
      (taskId ?? hop.facts.task) === hop.facts.task &&
      span.traceId === dispatchSpan.traceId &&
      compareNanos(span.startUnixNano, from) >= 0 &&
      compareNanos(span.endUnixNano, dispatchSpan.startUnixNano) <= 0 &&
      !span.failed &&
      !isTransferTool(tool),
  ).length;
}

/**
 * Tokens of a run that had ended when the next one was still at work, and that gave the task away: of any other run, some
 * may have been used after the dispatch, or be those of runs nested within it.
 */
function tokensIn({ run, next }: Stretch): number {
  const { runSpan, facts } = next;
  if (facts.mode !== 'transfer' || runSpan === undefined || run.dispatchedIds.length > 1) return 0;
  const after = compareNanos(run.span.endUnixNano, runSpan.endUnixNano) >= 0;
  return after ? 0 : (run.inputTokens ?? 0) + (run.outputTokens ?? 0);
}

/** From the start of a run, or of its ingest where it had waited for that, to its dispatch, by its own clock. */
function millisecondsIn({ view }: InTask, stretch: Stretch): number {
  const { run, next } = stretch;
  const { dispatchSpan } = next;
  if (dispatchSpan === undefined || !beganWithin(dispatchSpan, run.span)) return 0;
  const from = firstTouch(view, run)?.startUnixNano ?? run.span.startUnixNano;
  const nanos = BigInt(dispatchSpan.startUnixNano) - BigInt(from);
  return nanos > 0n ? Number(nanos) / 1e6 : 0;
}

/** The ingest within a run of the handoff that it worked on: a worker's run may have begun long before. */
function firstTouch(view: TaskView, run: RunEvidence): SpanRef | undefined {
  const attempts = run.handoffId === undefined ? [] : attemptsOf(view, run.handoffId);
  const touches = attempts.map(({ ingestSpan }) => ingestSpan).filter((span) => span !== undefined);
  return touches.find((span) => beganWithin(span, run.span));
}

/** The handoff states another limit than a hop before it: its counter may be that of a slice. */
function sliced({ hop, chain }: InTask, counter: BudgetCounter): boolean {
  const limit = limitOf(hop, counter);
  return chain.before.flat().some((each) => {
    const before = limitOf(each, counter);
    return before !== limit && (before !== undefined || consumedBy(each, counter) !== undefined);
  });
}

function sum<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((total, item) => total + amount(item), 0);
}
