import {
  METRIC_SEAMTRACE_ESCALATIONS,
  METRIC_SEAMTRACE_HANDOFF_REPLANS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
  METRIC_SEAMTRACE_TASKS,
} from '@seamtrace/semconv';

/**
 * Metrics of the wire contract that need facts over the whole path of a task, which this version does not gather. They
 * are not exposed at all: a name with no series behind it would read as "none of these happened".
 */
export const NOT_RECORDED: ReadonlySet<string> = new Set([
  METRIC_SEAMTRACE_HANDOFF_REPLANS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
  METRIC_SEAMTRACE_TASKS,
  METRIC_SEAMTRACE_ESCALATIONS,
]);

export function isRecorded(metric: string): boolean {
  return !NOT_RECORDED.has(metric);
}
