import type { Attributes, Context } from '@opentelemetry/api';
import { ATTR_SEAMTRACE_HANDOFF_ID, ATTR_SEAMTRACE_RUN_HANDOFF_ID } from '@seamtrace/semconv';
import { type AcceptFrame, frameOf, workingFrame } from '../accept/frame.js';
import { enclosingRun, type RunRecord } from '../processor/run.js';
import { present, signature, taskAttributes } from './identity.js';
import { attributesOf } from './write.js';

/**
 * What an `execute_tool` span says (wire contract, section 2): the handoff that started the run which calls the tool, and
 * the task. The handoff is absent for a first agent and for a run that several handoffs started; the whole is empty
 * outside of every run.
 */
export function toolAttributes(context: Context): Attributes {
  const run = enclosingRun(context);
  const frame = workingFrame(frameOf(context)) ?? soleStarter(run?.startedBy);
  const task = frame?.task ?? run?.task;
  if (task === undefined) return {};
  const id = frame === undefined ? statedHandoff(run) : frame.joined.length > 0 ? undefined : frame.state.id;
  return present({
    [ATTR_SEAMTRACE_RUN_HANDOFF_ID]: id,
    ...taskAttributes(task.identity, task.correlationId),
    ...signature(),
  });
}

/** The handoff that a run's span names without our doing: stamped by hand or by a framework hook. */
function statedHandoff(run: RunRecord | undefined): string | undefined {
  const id = run === undefined ? undefined : attributesOf(run.span)?.[ATTR_SEAMTRACE_HANDOFF_ID];
  return typeof id === 'string' ? id : undefined;
}

function soleStarter(frames: readonly AcceptFrame[] | undefined): AcceptFrame | undefined {
  return frames?.length === 1 ? frames[0] : undefined;
}
