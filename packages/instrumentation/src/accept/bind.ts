import { type RunRecord, agentName } from '../processor/run.js';
import { runtime } from '../runtime/state.js';
import { attemptKey } from '../handoff/state.js';
import type { Task } from '../handoff/task.js';
import { identifyDestination } from '../stamp/destination.js';
import { signature, taskAttributes } from '../stamp/identity.js';
import { writeAbsent } from '../stamp/write.js';
import type { AcceptFrame } from './frame.js';

/** Who took the handoff: the application's word, else the run's `gen_ai.agent.name`, else the agent of the process. */
export function destinationName(frame: AcceptFrame): string | undefined {
  const { agent, run, candidates, hostAgent } = frame;
  return agent ?? agentName(run ?? candidates.inside ?? candidates.around) ?? hostAgent;
}

/**
 * Considers the run around an `accept` as the destination. It may only lend its name when it dispatched the handoff
 * itself, was started by another one, or waits for this one to return.
 */
export function considerAround(frame: AcceptFrame, run: RunRecord | undefined): void {
  if (run === undefined || dispatched(frame, run)) return;
  frame.candidates.around = run;
  if (!mayStart(frame, run)) return;
  run.waiting.push(frame);
  if (isTarget(frame, run)) bindRun(frame, run);
}

/**
 * Considers a run that began inside an `accept`. A run that bears the target's name is the destination at once; of
 * others the outermost is, if none with the name begins before the decision is due.
 */
export function considerInside(frame: AcceptFrame, run: RunRecord): void {
  if (frame.run !== undefined || frame.dispatched) return;
  if (frame.candidates.inside === undefined) {
    frame.candidates.inside = run;
    run.waiting.push(frame);
  }
  if (isTarget(frame, run)) bindRun(frame, run);
}

/** Decides for a run. With joined frames the run was started by several handoffs, and its span names none of them. */
export function bindRun(frame: AcceptFrame, run: RunRecord): void {
  const frames = [...frame.joined, frame];
  for (const each of frames) {
    each.run = run;
    forgetCandidates(each);
    run.startedBy.push(each);
  }
  run.task = commonTask(frames);
  if (run.startedBy.length === 1) identifyDestination(run, frame);
  else writeAbsent(run.span, { ...taskAttributes(run.task.identity, run.task.correlationId), ...signature() });
}

/** The task of a join: the one that all handoffs serve, else the parent of their subtasks, else the last one's. */
function commonTask(frames: readonly AcceptFrame[]): Task {
  const deepest = frames.reduce((a, b) => ((b.task.hop?.index ?? 0) > (a.task.hop?.index ?? 0) ? b : a)).task;
  const only = (values: readonly (string | undefined)[]) => (new Set(values).size === 1 ? values[0] : undefined);
  const id = only(frames.map(({ task }) => task.identity.id)) ?? only(frames.map(({ task }) => task.identity.parentId));
  return id === undefined || id === deepest.identity.id ? deepest : { ...deepest, identity: { id } };
}

/** Candidates are held while there is something to decide, and no longer. */
export function forgetCandidates(frame: AcceptFrame): void {
  frame.candidates.around = undefined;
  frame.candidates.inside = undefined;
}

/** Decides, now that it is due: for the run in which it was asked for, else the best candidate. */
export function decide(frame: AcceptFrame, current?: RunRecord): void {
  if (frame.run !== undefined) return;
  const { inside, around } = frame.candidates;
  const fallback = inside ?? (around !== undefined && mayStart(frame, around) ? around : undefined);
  const chosen = current !== undefined && begunInside(frame, current) ? current : fallback;
  if (chosen !== undefined) bindRun(frame, chosen);
}

/** A run's end is the last moment to write on its span: what waits for it is decided. */
export function decideWaiting(run: RunRecord): void {
  for (const frame of run.waiting) {
    const best = frame.candidates.inside ?? frame.candidates.around;
    if (frame.run === undefined && best === run) bindRun(frame, run);
  }
  run.waiting.length = 0;
}

function begunInside(frame: AcceptFrame, run: RunRecord): boolean {
  return runtime().spans.get(run.span)?.frame === frame;
}

function mayStart(frame: AcceptFrame, run: RunRecord): boolean {
  return (
    frame.state.leg !== 'return' && run.startedBy.length === 0 && run.dispatchedIds.length === 0 && !run.identified
  );
}

function isTarget(frame: AcceptFrame, run: RunRecord): boolean {
  const name = agentName(run);
  return name !== undefined && [...frame.joined, frame].some((each) => each.targetNames.includes(name));
}

/** Whether the run, or for a forward leg one begun inside it, dispatched this handoff. */
function dispatched(frame: AcceptFrame, run: RunRecord): boolean {
  const { known, spans } = runtime();
  let at = known.get(attemptKey(frame.state.id, frame.state.attempt))?.dispatchedBy?.deref();
  if (frame.state.leg === 'return') return at === run.span;
  for (; at !== undefined; at = spans.get(at)?.parent) if (at === run.span) return true;
  return false;
}
