import type { Replanned } from '@seamtrace/semconv';
import type { ToolEvidence } from '../evidence/types.js';
import { wholeDigest } from '../grading/findings/keys.js';
import { type TaskHop, isForward, isUndispatched, kindOf } from './hop.js';
import { attemptsOf, chainOf, dispatchersOf } from './path.js';
import { beganWithin, compareNanos, encloses, secondsOf } from '../evidence/spans.js';
import { isTransferTool } from './transfer-tools.js';
import type { TaskView } from './view.js';

/** How many of the consumer's first actions tell whether it began by redoing work (wire contract, section 7). */
export const REPLAN_ACTIONS = 3;

/** Calls of one tool that repeat what a run before had done. */
export interface RedundantCalls {
  readonly tool: string;
  readonly calls: number;
  readonly seconds: number;
}

export interface Replan {
  /** `undefined` while it is not decided: fewer actions than needed are known, and the run goes on. */
  readonly replanned: Replanned | undefined;
  /** Sorted by tool. All of the run's calls so far, not only the first three. */
  readonly redundant: readonly RedundantCalls[];
  /** The run's end is known, so that no further call is expected. */
  readonly runEnded: boolean;
}

/** A successful call that a run before the handoff had made. `sure`: by one process's clock it was before. */
interface EarlierCall {
  readonly call: ToolEvidence;
  readonly sure: boolean;
}

/**
 * Whether the consumer of a handoff began by redoing what runs before it on the path had done. `undefined` for what has
 * no consumer that plans: return legs, handoffs to people, and those that were never dispatched.
 *
 * @param atDeadline Decides by what is there, since nothing more is waited for.
 */
export function replanOf(
  view: TaskView,
  hop: TaskHop,
  ignored: readonly string[],
  atDeadline: boolean,
): Replan | undefined {
  if (!isForward(hop) || isUndispatched(hop) || hop.doubtful) return undefined;
  if (kindOf(hop) === undefined || kindOf(hop) === 'agent_to_human') return undefined;
  const runEnded = hop.runSpan !== undefined;
  const actions = actionsOf(view, hop)?.filter(({ tool }) => !ignored.includes(tool));
  if (actions === undefined) {
    return { replanned: runEnded || atDeadline ? 'unknown' : undefined, redundant: [], runEnded };
  }
  const { earlier, whole } = earlierCalls(view, hop);
  const redundant = redundantOf(actions.filter((action) => repeats(action, earlier) === 'yes'));
  const decided = actions.length >= REPLAN_ACTIONS || runEnded || atDeadline;
  if (!decided) return { replanned: undefined, redundant, runEnded };
  const first = actions.slice(0, REPLAN_ACTIONS).map((action) => repeats(action, earlier));
  if (first.includes('yes')) return { replanned: 'true', redundant, runEnded };
  const unseen = actions.length === 0 && !runEnded;
  const known = view.complete && whole && !unseen && !first.includes('unknown');
  return { replanned: known ? 'false' : 'unknown', redundant, runEnded };
}

/** The consumer's calls by start, without those that hand over; `undefined` where attempts cannot be told apart. */
function actionsOf(view: TaskView, hop: TaskHop): readonly ToolEvidence[] | undefined {
  const calls = view.toolsOf(hop.handoffId);
  const own = hop.runSpan;
  if (own === undefined && attemptsOf(view, hop.handoffId).length > 1) return undefined;
  const dispatches = view.hops.flatMap(({ dispatchSpan }) => (dispatchSpan === undefined ? [] : [dispatchSpan]));
  return calls.filter(
    ({ tool, span }) =>
      (own === undefined || beganWithin(span, own)) &&
      !isTransferTool(tool) &&
      !dispatches.some((dispatch) => encloses(span, dispatch)),
  );
}

/** Successful calls of the runs before it on its path; `whole` when the path is known back to the first agent. */
function earlierCalls(view: TaskView, hop: TaskHop): { earlier: readonly EarlierCall[]; whole: boolean } {
  const { before, rooted } = chainOf(view, hop);
  const earlier: EarlierCall[] = [];
  let child: readonly TaskHop[] = attemptsOf(view, hop.handoffId);
  for (const attempts of before) {
    earlier.push(...callsBefore(view, attempts[0]!.handoffId, child));
    child = attempts;
  }
  if (rooted) earlier.push(...callsBefore(view, undefined, child));
  return { earlier, whole: rooted };
}

/** What a run had called when it dispatched `child`: by its own clock, or all of it where nothing says when that was. */
function callsBefore(view: TaskView, runHandoffId: string | undefined, child: readonly TaskHop[]): EarlierCall[] {
  const dispatch = child.map((attempt) => attempt.dispatchSpan).find((span) => span !== undefined);
  const runs = child.flatMap((attempt) => dispatchersOf(view, attempt));
  // Of a first agent, or a joined run, only calls of the very run that dispatched are known to be its own.
  const own = (call: ToolEvidence) =>
    runHandoffId !== undefined || runs.length === 0 || runs.some((run) => beganWithin(call.span, run.span));
  // Of a first agent that ran again, some calls came after.
  const onlyRun = runHandoffId !== undefined || runs.length === 1;
  return view
    .toolsOf(runHandoffId)
    .filter((call) => !call.span.failed && own(call))
    .flatMap((call) => {
      // Who transferred a task has done with it; one who waits for a delegate may call the same later itself.
      if (dispatch === undefined)
        return [{ call, sure: onlyRun && child.every(({ facts }) => facts.mode === 'transfer') }];
      const sure = dispatch.traceId === call.span.traceId;
      return sure && compareNanos(call.span.endUnixNano, dispatch.startUnixNano) > 0 ? [] : [{ call, sure }];
    });
}

/** Whether a call equals an earlier one, in tool and arguments: known only under digests of one key. */
function repeats(action: ToolEvidence, earlier: readonly EarlierCall[]): 'yes' | 'no' | 'unknown' {
  const alike = earlier.filter(({ call }) => call.tool === action.tool);
  const digest = wholeDigest(action.argumentsDigest);
  if (digest !== undefined && alike.some(({ call, sure }) => sure && call.argumentsDigest === action.argumentsDigest)) {
    return 'yes';
  }
  const comparable = alike.every(({ call }) => {
    const other = wholeDigest(call.argumentsDigest);
    return digest !== undefined && other?.prefix === digest.prefix && call.argumentsDigest !== action.argumentsDigest;
  });
  return comparable ? 'no' : 'unknown';
}

function redundantOf(calls: readonly ToolEvidence[]): readonly RedundantCalls[] {
  const byTool = new Map<string, RedundantCalls>();
  for (const { tool, span } of calls) {
    const known = byTool.get(tool) ?? { tool, calls: 0, seconds: 0 };
    byTool.set(tool, { tool, calls: known.calls + 1, seconds: known.seconds + secondsOf(span) });
  }
  return [...byTool.values()].sort((a, b) => (a.tool < b.tool ? -1 : 1));
}
