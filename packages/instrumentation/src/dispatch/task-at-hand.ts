import type { Context } from '@opentelemetry/api';
import { type AcceptFrame, frameOf } from '../accept/frame.js';
import { destinationName } from '../accept/bind.js';
import { ambientTask } from '../handoff/ambient-task.js';
import type { Task } from '../handoff/task.js';
import { agentName, enclosingRun, type RunRecord } from '../processor/run.js';
import { runtime } from '../runtime/state.js';

/** Where a dispatch comes from: the run and the accepted handoff that surround it, innermost of the two first. */
export interface Origin {
  readonly run: RunRecord | undefined;
  readonly frame: AcceptFrame | undefined;
  /** The task that is being worked on; `undefined` outside of every run and every accept. */
  readonly task: Task | undefined;
  /** The agent that is at work, where it is known. A handoff's target is not taken for it: another may have taken it. */
  readonly agent: string | undefined;
}

/** Reads the origin of a dispatch from its context. */
export function originOf(context: Context): Origin {
  const run = enclosingRun(context);
  const frame = frameOf(context);
  if (frame === undefined || run === undefined) {
    return {
      run,
      frame,
      task: (frame ?? run)?.task ?? ambientTask(context),
      agent: frame === undefined ? agentName(run) : destinationName(frame),
    };
  }
  // A return leg starts no new work; what goes on afterwards is the work of the run around it.
  const runIsInner =
    runtime().spans.get(run.span)?.frame === frame || frame.run === run || frame.state.leg === 'return';
  return runIsInner
    ? { run, frame, task: run.task, agent: agentName(run) ?? destinationName(frame) }
    : { run: undefined, frame, task: frame.task, agent: destinationName(frame) };
}
