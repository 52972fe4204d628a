import {
  METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT,
  METRIC_SEAMTRACE_ESCALATIONS,
  METRIC_SEAMTRACE_HANDOFF_REPLANS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
  METRIC_SEAMTRACE_TASKS,
} from '@seamtrace/semconv';

/**
 * Metrics of the wire contract that are not exposed at all: a name with no series behind it would read as "none of these
 * happened". Most need facts over the whole path of a task, which this version does not gather.
 */
export const NOT_RECORDED: ReadonlySet<string> = new Set([
  // Its name in Prometheus abbreviates its unit, for which `promtool check metrics` refuses the whole exposition.
  METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT,
  METRIC_SEAMTRACE_HANDOFF_REPLANS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
  METRIC_SEAMTRACE_TASKS,
  METRIC_SEAMTRACE_ESCALATIONS,
]);

export function isRecorded(metric: string): boolean {
  return !NOT_RECORDED.has(metric);
}
