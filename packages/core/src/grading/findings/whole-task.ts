import type { FindingId } from '@seamtrace/semconv';
import type { TaskHop } from '../../tasks/hop.js';
import { type Chain, chainOf } from '../../tasks/path.js';
import type { TaskView } from '../../tasks/view.js';
import { hopKey, isForward } from '../../tasks/hop.js';
import type { Subject } from '../subject.js';
import type { FindingInput } from './types.js';

/** One handoff within its task: what every finding that needs the whole task looks at. */
export interface InTask {
  readonly view: TaskView;
  /** The attempt in question. */
  readonly hop: TaskHop;
  /** What stands before it on its path. */
  readonly chain: Chain;
}

/**
 * The handoff in its task; `undefined` where the task is unknown or not wholly kept, where the attempt's identity is in
 * doubt, and for return legs: there nothing is found that rests on other handoffs.
 */
export function placeInTask({ record, context }: Subject): InTask | undefined {
  const view = context.task;
  if (view?.complete !== true || isAlone(view)) return undefined;
  const key = hopKey(record);
  const hop = view.hops.find((each) => hopKey(each) === key);
  if (hop === undefined || hop.doubtful || !isForward(hop)) return undefined;
  return { view, hop, chain: chainOf(view, hop) };
}

/**
 * One attempt, of whose task nothing else is known: neither another handoff nor what a run did before it, and of its own
 * run one end at most. What is found by the rest of the task has nothing to rest on then, a result that nobody owns apart,
 * so that no path is looked for; most tasks are that small.
 */
export function isAlone({ hops, runs, toolsOf, ended }: TaskView): boolean {
  if (hops.length > 1 || runs.length > 1 || ended === 'completed' || toolsOf(undefined).length > 0) return false;
  const [hop] = hops;
  return runs.every((run) => run.handoffId === hop?.handoffId && !run.dispatchedIds.includes(run.handoffId ?? ''));
}

/** {@link placeInTask} of the handoff that a pass looks at. */
export function inTask(input: FindingInput): InTask | undefined {
  return input.task;
}

/** A further attempt, or a retry under a new id: it keeps index and limit, and may keep what was consumed. */
export function isRetry({ attempt, facts, disputed }: TaskHop): boolean {
  return attempt > 1 || facts.retryOf !== undefined || disputed.includes('retryOf');
}

/**
 * Findings that rest on other handoffs, or on what runs did after theirs was graded: they are often made by a revision
 * only, and counted then.
 */
export const TASK_FINDINGS: ReadonlySet<FindingId> = new Set<FindingId>([
  'hop_counter_reset',
  'hop_limit_changed',
  'loop',
  'budget_reset',
  'budget_underreported',
  'dual_ownership',
  'repeated_effect',
  'envelope_growth',
  'unowned_result',
  'redundant_work',
]);
