import { ATTR_SEAMTRACE_HANDOFF_ID } from '@seamtrace/semconv';
import { frameOf, workingFrame } from '../accept/frame.js';
import { originOf } from '../dispatch/task-at-hand.js';
import { activeContext } from '../hooks/scope.js';
import { readConfig } from '../runtime/config.js';
import { guarded } from '../runtime/report.js';
import { attributesOf } from '../stamp/write.js';

let disabled: boolean | undefined;

/** What a log line says of the work that wrote it. Only what is known is there. */
export interface LogContext {
  /** `seamtrace.correlation.id`: the same over a whole chain, in all its processes. */
  readonly correlation_id?: string;
  /** `seamtrace.handoff.id` of the handoff that started the work. Absent for a first agent. */
  readonly handoff_id?: string;
  /** `seamtrace.task.id`. */
  readonly task_id?: string;
}

/**
 * The ids of the work at hand, for a log line: by the run or the accepted handoff that surrounds the call. A new object each
 * time, which the caller may keep or change; empty outside of every run, and with `SEAMTRACE_DISABLED=true`. Never throws.
 *
 * It is a pino `mixin` as it is: `pino({ mixin: logContext })`.
 */
export function logContext(): LogContext {
  return guarded('the context of a log line', readContext, {});
}

function readContext(): LogContext {
  disabled ??= readConfig().disabled;
  if (disabled) return {};
  const context = activeContext();
  const { run, task } = originOf(context);
  if (task === undefined) return {};
  const frame = workingFrame(frameOf(context));
  const stated = run === undefined ? undefined : attributesOf(run.span)?.[ATTR_SEAMTRACE_HANDOFF_ID];
  const handoffId = typeof stated === 'string' ? stated : frame?.joined.length === 0 ? frame.state.id : undefined;
  return {
    correlation_id: task.correlationId,
    ...(handoffId === undefined ? {} : { handoff_id: handoffId }),
    task_id: task.identity.id,
  };
}
