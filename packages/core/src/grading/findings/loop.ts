import { foldName } from '../../evidence/fold-name.js';
import type { ToolEvidence } from '../../evidence/types.js';
import { type TaskHop, isUndispatched, takerOf } from '../../tasks/hop.js';
import { compareNanos, encloses } from '../../evidence/spans.js';
import { isTransferTool } from '../../tasks/transfer-tools.js';
import type { TaskView } from '../../tasks/view.js';
import type { Finding } from '../types.js';
import { digestsEqual, wholeDigest } from './keys.js';
import { type InTask, inTask } from './whole-task.js';
import type { FindingPass } from './types.js';

/** Error types of runs that were cut off from outside; wide, since it only keeps hops from counting. */
const CUT_OFF = /interrupt|abort|cancel/i;

/**
 * The task came back to where it was: the same state on the path before, or, where no hop states its state, the same
 * routes walked again with no new tool call between. Hops that were interrupted, cancelled or never run do not count.
 */
export const loop: FindingPass = (input) => {
  const task = inTask(input);
  if (task === undefined || !wentThrough(task.hop)) return undefined;
  if (task.hop.facts.evidence !== undefined) return byRepeatedRoute(task);
  if (task.hop.facts.stateDigest !== undefined) return byState(task);
  return task.hop.disputed.includes('stateDigest') ? undefined : byRoutes(task, input.thresholds.loopRounds);
};

function byState({ hop, chain }: InTask): Finding | undefined {
  for (const [index, attempts] of chain.before.entries()) {
    const same = attempts.find((earlier) => digestsEqual(earlier.facts.stateDigest, hop.facts.stateDigest));
    if (same === undefined || !wentThrough(same)) continue;
    return { id: 'loop', detail: { by: 'state', hops: index + 1, earlier_handoff_id: same.handoffId } };
  }
  return undefined;
}

/** The hops up to and with this one, nearest first, end in the same round of routes `rounds` times over. */
function byRoutes({ view, hop, chain }: InTask, rounds: number): Finding | undefined {
  const walked = [hop, ...chain.before.map((attempts) => attempts.at(-1)!)];
  const steps = walked.map(stepOf);
  for (let length = 2; length * rounds <= walked.length; length += 1) {
    const within = steps.slice(0, length * rounds);
    const round = within.slice(0, length);
    const repeats = within.every((step, index) => step !== undefined && step === round[index % length]);
    const closed = closes(walked[length - 1]!, hop);
    if (!repeats || !closed) continue;
    const hops = walked.slice(0, length * rounds);
    if (!hops.every((each) => wentThrough(each) && each.facts.stateDigest === undefined)) return undefined;
    // The work that could make a round worth walking again was done in the runs that its hops started.
    if (addsWork(view, hops, walked.slice(length * rounds))) return undefined;
    return { id: 'loop', detail: { by: 'route', hops: length, rounds } };
  }
  return undefined;
}

/**
 * Where nothing of ours is on the spans there are no states to compare, and a round shows by its beginning: a route that the
 * task had walked before, on a way that led back to its source, walked again by a run that called no tool anew. A request
 * that was not taken up counts too, where it is all that its run asked for.
 */
function byRepeatedRoute({ view, hop, chain }: InTask): Finding | undefined {
  const walked = [hop, ...chain.before.map((attempts) => attempts.at(-1)!)];
  const step = askedOf(hop, view);
  const length = walked.findIndex((each, index) => index > 1 && step !== undefined && stepOf(each) === step);
  const [, back] = walked;
  if (length < 0 || back === undefined || back.runSpan === undefined) return undefined;
  if (!walked.slice(1, length + 1).every((each) => wentThrough(each) && each.facts.evidence !== undefined)) {
    return undefined;
  }
  const earlier = [undefined, ...walked.slice(2).map((each) => each.handoffId)];
  const made = new Set(earlier.flatMap((id) => view.toolsOf(id).map(callOf)));
  const asked = hop.dispatchSpan?.startUnixNano;
  const anew = view.toolsOf(back.handoffId).some((call) => {
    if (asked !== undefined && compareNanos(call.span.startUnixNano, asked) >= 0) return false;
    const id = callOf(call);
    return id === undefined || !made.has(id);
  });
  return anew ? undefined : { id: 'loop', detail: { by: 'route', hops: length, rounds: 2 } };
}

/** {@link stepOf}; of a request that nobody took up, the way that it asked for, if its run asked for nothing else. */
function askedOf(hop: TaskHop, view: TaskView): string | undefined {
  const { source, target, targetGuess } = hop.facts;
  const asked = target ?? targetGuess;
  if (takerOf(hop) !== undefined) return stepOf(hop);
  const asking = view.runs.filter((run) => run.dispatchedIds.includes(hop.handoffId));
  if (source === undefined || asked === undefined || asking.some((run) => run.dispatchedIds.length > 1))
    return undefined;
  return JSON.stringify([foldName(source), foldName(asked)]);
}

/** The round's last hop leads back to the agent with whom it began. */
function closes(first: TaskHop, last: TaskHop): boolean {
  const [from, to] = [first.facts.source, takerOf(last)];
  return from !== undefined && to !== undefined && foldName(from) === foldName(to);
}

function stepOf(hop: TaskHop): string | undefined {
  const [source, taker] = [hop.facts.source, takerOf(hop)];
  return source === undefined || taker === undefined ? undefined : JSON.stringify([foldName(source), foldName(taker)]);
}

/**
 * A run between the first and the last of these hops called a tool with arguments that no earlier call had, or may have:
 * runs whose end was not seen, and arguments that were not captured, could hide one.
 */
function addsWork(view: TaskView, hops: readonly TaskHop[], before: readonly TaskHop[]): boolean {
  const between = hops.slice(1);
  if (between.some((hop) => hop.runSpan === undefined)) return true;
  const made = new Set(
    [undefined, ...before.map((hop) => hop.handoffId)].flatMap((id) => view.toolsOf(id).map(callOf)),
  );
  for (const hop of [...between].reverse()) {
    for (const call of view.toolsOf(hop.handoffId)) {
      if (handsOver(view, call)) continue;
      const id = callOf(call);
      if (id === undefined || !made.has(id)) return true;
    }
  }
  return false;
}

function callOf({ tool, argumentsDigest }: ToolEvidence): string | undefined {
  return wholeDigest(argumentsDigest) === undefined ? undefined : JSON.stringify([tool, argumentsDigest]);
}

/** The call is how the model asked for a handoff: it lasted around a dispatch, or is named after an agent of the task. */
function handsOver(view: TaskView, { tool, span }: ToolEvidence): boolean {
  if (view.hops.some(({ dispatchSpan }) => dispatchSpan !== undefined && encloses(span, dispatchSpan))) return true;
  const names = view.hops.flatMap((hop) => [hop.facts.target, takerOf(hop)]).filter((name) => name !== undefined);
  return isTransferTool(tool) && names.some((name) => foldName(tool).endsWith(foldName(name)));
}

/** It was dispatched, and the run that it started was not cut off. */
function wentThrough(hop: TaskHop): boolean {
  const { runSpan } = hop;
  const interrupted = runSpan?.failed === true && CUT_OFF.test(runSpan.errorType ?? '');
  return !isUndispatched(hop) && !hop.disputed.includes('dispatchOutcome') && !interrupted;
}
