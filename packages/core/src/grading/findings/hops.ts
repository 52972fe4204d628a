import { foldName } from '../../evidence/fold-name.js';
import { type TaskHop, hopNumber, isForward, takerOf } from '../../tasks/hop.js';
import { mayDispatch, pathOf } from '../../tasks/path.js';
import { looksRewritten } from '../../evidence/masked.js';
import { type InTask, inTask, isRetry } from './whole-task.js';
import type { FindingPass } from './types.js';

/** The hop counter is not above that of a hop before it: somebody set it back, which disables the hop limit. */
export const hopCounterReset: FindingPass = (input) => {
  const task = inTask(input);
  const index = task === undefined ? undefined : hopNumber(task.hop, 'hopIndex');
  if (task === undefined || index === undefined || isRetry(task.hop)) return undefined;
  const earlier = earlierNotBelow(task, index) ?? cameByHop(task, index);
  if (earlier === undefined) return undefined;
  const detail = { index, earlier_index: hopNumber(earlier, 'hopIndex')!, earlier_handoff_id: earlier.handoffId };
  return { id: 'hop_counter_reset', detail };
};

function earlierNotBelow({ chain }: InTask, index: number): TaskHop | undefined {
  for (const attempts of chain.before) {
    const [first] = attempts;
    if (first !== undefined && attempts.every((hop) => (hopNumber(hop, 'hopIndex') ?? -1) >= index)) return first;
  }
  return undefined;
}

/**
 * A counter that starts again at an agent to whom the task was handed: only the task's first agent dispatches hop 1. Which
 * hop came before need not be known for that, only who the first agent is, and that this is another one.
 */
function cameByHop({ view, hop }: InTask, index: number): TaskHop | undefined {
  const source = hop.facts.source;
  if (index > 1 || source === undefined || looksRewritten(source)) return undefined;
  const name = foldName(source);
  const others = view.hops.filter((other) => other.handoffId !== hop.handoffId && isForward(other));
  const paths = others.map(pathOf).filter((path) => path !== undefined);
  const starts = view.runs.filter((run) => run.handoffId === undefined).map((run) => foldName(run.agent ?? source));
  const first = new Set([...paths.map((path) => path[0]!), ...starts]);
  if (paths.length === 0 || first.size !== 1 || first.has(name)) return undefined;
  // Outside of the run that was handed the task, it may be the first agent of a later turn, whose own run was not seen.
  const into = others.filter(
    (other) => foldName(takerOf(other) ?? '') === name && !other.doubtful && dispatchedWithin(other, hop),
  );
  const below = into.some((other) => (hopNumber(other, 'hopIndex') ?? -1) < index);
  return below ? undefined : into[0];
}

/** The handoff was dispatched by the run that the other one started, as far as their spans tell. */
function dispatchedWithin(other: TaskHop, hop: TaskHop): boolean {
  if (other.runSpan !== undefined) return hop.dispatchSpan !== undefined && mayDispatch(other, hop);
  return other.ingestSpan !== undefined && other.ingestSpan.traceId === hop.dispatchSpan?.traceId;
}

/** Another limit than that of the task's first hop, from which the path leads here. */
export const hopLimitChanged: FindingPass = (input) => {
  const task = inTask(input);
  const limit = task === undefined ? undefined : hopNumber(task.hop, 'hopLimit');
  if (task === undefined || limit === undefined || isRetry(task.hop)) return undefined;
  const first = task.chain.before.at(-1);
  if (first === undefined || first.some((hop) => hopNumber(hop, 'hopIndex') !== 1)) return undefined;
  const limits = new Set(first.map((hop) => hopNumber(hop, 'hopLimit')));
  const [set] = limits;
  if (limits.size !== 1 || set === undefined || set === limit) return undefined;
  return { id: 'hop_limit_changed', detail: { limit, first_limit: set } };
};
