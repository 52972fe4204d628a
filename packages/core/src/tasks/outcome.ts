import type { TaskOutcome } from '@seamtrace/semconv';
import type { RunEvidence, SpanRef } from '../evidence/types.js';
import { type TaskHop, hopNumber, isForward, isTaken, isUndispatched, kindOf } from './hop.js';
import { attemptsOf, dispatchersOf, firstRuns, originOf } from './path.js';
import { laterSpan } from '../evidence/spans.js';
import type { TaskView } from './view.js';

/**
 * The end of the run that the whole task hangs on: of its first agent, the latest where it ran several times; of a
 * subtask the run of the handoff that began it. One that was interrupted to ask a person has not ended: the run that the
 * answer started stands for it. `undefined` while none ended, and where it cannot be told.
 */
export function rootRunOf(view: TaskView): RunEvidence | undefined {
  const roots = firstRuns(view);
  const root = last(roots.length > 0 ? roots : subtaskRuns(view));
  return root !== undefined && isPaused(root.span) ? last(answeredRuns(view)) : root;
}

/**
 * How a task ended, by what its spans say: `escalated` when it was left with a person, else `failed` when its root run, or the
 * last run to which that had given it away, ended in an error, else `completed`; `silent` where the end of the root run, or of
 * one that took the task over, was not seen. `cannot` is never claimed: nothing on the wire states it.
 */
export function outcomeOf(view: TaskView): TaskOutcome {
  if (view.hops.some((hop) => leftWithPerson(view, hop))) return 'escalated';
  const root = rootRunOf(view);
  if (root === undefined) return 'silent';
  if (root.span.failed || endOf(view, root).failed) return 'failed';
  return transfersUnderWay(view) ? 'silent' : 'completed';
}

/** A run gave the task away, or may have, and the end of the run that took it was not seen: the task goes on there. */
export function goesOnElsewhere(view: TaskView): boolean {
  const ids = new Set(view.hops.map((hop) => hop.handoffId));
  return transfersUnderWay(view) || view.runs.some((run) => run.dispatchedIds.some((id) => !ids.has(id)));
}

function transfersUnderWay(view: TaskView): boolean {
  const ids = new Set(view.hops.map((hop) => hop.handoffId));
  return [...ids].some((id) => isUnderWay(attemptsOf(view, id)));
}

function isUnderWay(attempts: readonly TaskHop[]): boolean {
  const left = attempts.filter((hop) => isForward(hop) && !isUndispatched(hop) && hop.facts.mode === 'transfer');
  const refused = ({ facts }: TaskHop) => facts.ingestOutcome === 'rejected' || facts.ingestOutcome === 'escalated';
  return left.some((hop) => !refused(hop)) && left.every((hop) => hop.runSpan === undefined);
}

/** The run with which the task ended: from the root run along transfers, each time the one that ended last. */
function endOf(view: TaskView, root: RunEvidence): SpanRef {
  let end = root.span;
  let at: string | undefined = root.handoffId;
  const seen = new Set<string | undefined>();
  while (!seen.has(at)) {
    seen.add(at);
    const from: string | undefined = at;
    const given = view.hops.filter(
      (hop) =>
        isForward(hop) &&
        hop.facts.mode === 'transfer' &&
        hop.runSpan !== undefined &&
        dispatchersOf(view, hop).some((run) => run.handoffId === from),
    );
    for (const hop of given) {
      if (at !== from && laterSpan(end, hop.runSpan) !== hop.runSpan) continue;
      end = hop.runSpan!;
      at = hop.handoffId;
    }
  }
  return end;
}

function last(runs: readonly RunEvidence[]): RunEvidence | undefined {
  let latest: RunEvidence | undefined;
  for (const run of runs) {
    if (
      latest === undefined ||
      laterSpan({ ...latest.span, execution: 1 }, { ...run.span, execution: 1 })?.spanId === run.span.spanId
    )
      latest = run;
  }
  return latest;
}

/** How frameworks end a run that waits for a person and is resumed by another. */
const PAUSED = /^(?:graph|node)[-_. ]?interrupt$/i;

function isPaused({ failed, errorType }: SpanRef): boolean {
  return failed && PAUSED.test((errorType ?? '').split('.').at(-1)!);
}

/** Runs that a person's handoff started, such as the answer to a question. */
function answeredRuns(view: TaskView): readonly RunEvidence[] {
  const answers = view.hops.filter((hop) => kindOf(hop) === 'human_to_agent' && isForward(hop) && !hop.doubtful);
  const ids = new Set<string | undefined>(answers.map((hop) => hop.handoffId));
  return view.runs.filter((run) => run.handoffId !== undefined && ids.has(run.handoffId) && !isPaused(run.span));
}

/** A subtask's first agent runs in the parent task, so the run that its first handoff started stands for it. */
function subtaskRuns(view: TaskView): readonly RunEvidence[] {
  const forward = view.hops.filter((hop) => isForward(hop) && hopNumber(hop, 'hopIndex') !== undefined);
  if (!view.complete || !forward.some((hop) => hop.facts.taskParent !== undefined)) return [];
  const lowest = Math.min(...forward.map((hop) => hopNumber(hop, 'hopIndex')!));
  const first = new Set(forward.filter((hop) => hopNumber(hop, 'hopIndex') === lowest).map((hop) => hop.handoffId));
  return first.size === 1 ? view.runs.filter((run) => run.handoffId !== undefined && first.has(run.handoffId)) : [];
}

/** It was put before a person who has not answered, or its ingest gave up to one, and nothing went on from there. */
function leftWithPerson(view: TaskView, hop: TaskHop): boolean {
  if (!isForward(hop) || isUndispatched(hop) || hop.doubtful) return false;
  const toPerson = kindOf(hop) === 'agent_to_human' && hop.dispatchSpan !== undefined;
  if (!toPerson && hop.facts.ingestOutcome !== 'escalated') return false;
  const attempts = attemptsOf(view, hop.handoffId);
  if (attempts.some((other) => other.attempt > hop.attempt && isTaken(other))) return false;
  return !view.hops.some((other) => goesOn(view, hop, other));
}

/** The other handoff answers this one, retries it, or was dispatched by the run that it started. */
function goesOn(view: TaskView, hop: TaskHop, other: TaskHop): boolean {
  const { retryOf, inReplyTo } = other.facts;
  if (inReplyTo === hop.handoffId || (retryOf === hop.handoffId && isTaken(other))) return true;
  if (kindOf(other) === 'human_to_agent' && kindOf(hop) === 'agent_to_human') return true;
  const origin = isForward(other) && other.handoffId !== hop.handoffId ? originOf(view, other) : undefined;
  return origin?.first === false && origin.handoffId === hop.handoffId;
}
