import { sortUnique } from '@seamtrace/contracts';
import { foldName } from '../../evidence/fold-name.js';
import { looksRewritten } from '../../evidence/masked.js';
import type { RunEvidence, SpanRef } from '../../evidence/types.js';
import { type TaskHop, isForward, isTaken, isUndispatched, takerOf } from '../../tasks/hop.js';
import { goesOnElsewhere } from '../../tasks/outcome.js';
import { ownWork } from '../../tasks/own-work.js';
import { attemptsOf, chainOf, dispatchersOf } from '../../tasks/path.js';
import { beganWithin, compareNanos, encloses } from '../../evidence/spans.js';
import { isTransferTool } from '../../tasks/transfer-tools.js';
import type { TaskView } from '../../tasks/view.js';
import { sameAgent } from '../names.js';
import { type InTask, inTask } from './whole-task.js';
import type { FindingPass } from './types.js';

/**
 * The source went on working on a task that it had handed over: after the dispatch it began another model turn in the same
 * run, and that turn's calls ran, after a transfer or before a delegation returned. Everything is told by the clock of the
 * source's own run; that the target took the handoff is a fact, and not a time.
 */
export const dualOwnership: FindingPass = (input) => {
  const task = inTask(input);
  const dispatch = task?.hop.dispatchSpan;
  if (task === undefined || dispatch === undefined || !isTaken(task.hop)) return undefined;
  const { view, hop } = task;
  const { mode } = hop.facts;
  if (mode === undefined || attemptsOf(view, hop.handoffId).length > 1) return undefined;
  const runs = dispatchersOf(view, hop);
  const [run] = runs;
  if (run === undefined || runs.length > 1 || !beganWithin(dispatch, run.span)) return undefined;
  if (!isAlone(task, run)) return undefined;
  const until = mode === 'delegation' ? returnOf(task, run, dispatch) : backAt(task, run, dispatch);
  if (until === undefined) return undefined;
  const tools = worked(view, hop, run, dispatch, until);
  return tools.length === 0 ? undefined : { id: 'dual_ownership', detail: { mode, tools } };
};

/** The run handed nothing else over: what it does could belong to that. */
function isAlone({ view, hop }: InTask, run: RunEvidence): boolean {
  if (run.dispatchedIds.some((id) => id !== hop.handoffId)) return false;
  return !view.hops.some((other) => {
    if (other.handoffId === hop.handoffId || !isForward(other) || isUndispatched(other)) return false;
    const span = other.dispatchSpan;
    return span !== undefined && beganWithin(span, run.span) && dispatchersOf(view, other).some((each) => each === run);
  });
}

/**
 * When the run had the task again that it had given away, else its end. `undefined` where the task came back, or may have,
 * and no span says when, nor that another run took it.
 */
function backAt(task: InTask, run: RunEvidence, dispatch: SpanRef): string | undefined {
  let at = run.span.endUnixNano;
  for (const other of task.view.hops.filter((hop) => mayComeBack(task, run, hop))) {
    const taken = other.ingestSpan;
    if (taken !== undefined && beganWithin(taken, run.span)) {
      const after = compareNanos(taken.startUnixNano, dispatch.endUnixNano) >= 0;
      if (after && compareNanos(taken.startUnixNano, at) < 0) at = taken.startUnixNano;
    } else if (other.runSpan === undefined || other.runSpan.spanId === run.span.spanId) return undefined;
  }
  const known = new Set(task.view.hops.map((hop) => hop.handoffId));
  const taker = task.view.runs.filter((each) => each.handoffId === task.hop.handoffId);
  return taker.some((each) => each.dispatchedIds.some((id) => !known.has(id))) ? undefined : at;
}

/** A hop, of whatever leg, by which the agent that gave the task away got it: not the one by which it had it before. */
function mayComeBack({ hop }: InTask, run: RunEvidence, other: TaskHop): boolean {
  if (other.handoffId === hop.handoffId || other.handoffId === run.handoffId || isUndispatched(other)) return false;
  const source = run.agent ?? hop.facts.source;
  const to = [takerOf(other), other.facts.target].filter((name) => name !== undefined);
  return source === undefined || to.length === 0 || to.some((name) => foldName(name) === foldName(source));
}

/** When the source had its delegate's result: it took the return leg, or the call that waited for the delegate ended. */
function returnOf({ view, hop }: InTask, run: RunEvidence, dispatch: SpanRef): string | undefined {
  const replies = view.hops.filter((other) => other.facts.inReplyTo === hop.handoffId && !isForward(other));
  const taken = replies.map((reply) => reply.ingestSpan).filter((span) => span !== undefined);
  const waiting = view.toolsOf(run.handoffId).map(({ span }) => span);
  const ends = [
    ...taken.filter((span) => beganWithin(span, run.span)).map((span) => span.startUnixNano),
    ...waiting.filter((span) => encloses(span, dispatch)).map((span) => span.endUnixNano),
  ].sort(compareNanos);
  return ends[0];
}

/** Tools that a model turn begun after the dispatch called, while the task was another's. */
function worked(view: TaskView, hop: TaskHop, run: RunEvidence, dispatch: SpanRef, until: string): readonly string[] {
  const { tools, turns } = ownWork(view, run, dispatch);
  const later = turns.filter((turn) => compareNanos(turn.startUnixNano, dispatch.endUnixNano) >= 0);
  const called = tools.filter(
    ({ taskId, span, tool }) =>
      taskId !== undefined &&
      taskId === hop.facts.task &&
      compareNanos(span.startUnixNano, until) < 0 &&
      later.some((turn) => compareNanos(turn.endUnixNano, span.startUnixNano) <= 0) &&
      !beforeTaken(span, hop) &&
      !isTransferTool(tool),
  );
  return sortUnique(called.map(({ tool }) => tool));
}

/** By the clocks of both sides the call came before the handoff was taken. Clocks may err, but never into an accusation. */
function beforeTaken(span: SpanRef, { ingestSpan, runSpan }: TaskHop): boolean {
  const taken = ingestSpan?.endUnixNano ?? runSpan?.startUnixNano;
  return taken === undefined || compareNanos(span.startUnixNano, taken) < 0;
}

/**
 * The task was completed by an agent that does not own it, and its owner never got it back: by the last hop somebody else
 * is named as the owner than the one who took it, and every hop gave the task away for good.
 */
export const unownedResult: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined || task.view.ended !== 'completed') return undefined;
  const { view, hop, chain } = task;
  const owner = hop.facts.taskOwner;
  const taker = takerOf(hop);
  const { contracts } = input.subject.context;
  if (owner === undefined || taker === undefined || !isTaken(hop)) return undefined;
  if ([owner, taker].some(looksRewritten) || sameAgent(owner, taker, contracts)) return undefined;
  if (!chain.rooted || !isLast(view, hop) || goesOnElsewhere(view)) return undefined;
  const path = [hop, ...chain.before.flat()];
  if (path.some((each) => each.facts.mode !== 'transfer')) return undefined;
  const gotBack = view.hops.some((other) => {
    const to = takerOf(other) ?? other.facts.target;
    return !isForward(other) && (to === undefined || sameAgent(owner, to, contracts));
  });
  return gotBack ? undefined : { id: 'unowned_result', detail: { owner, ended_with: taker } };
};

/** No other forward hop stands beside it at the end of the task: one line of hops leads here. */
function isLast(view: TaskView, hop: TaskHop): boolean {
  const { before } = chainOf(view, hop);
  const onPath = new Set([hop.handoffId, ...before.map((attempts) => attempts[0]?.handoffId)]);
  return view.hops.every((other) => !isForward(other) || onPath.has(other.handoffId));
}
