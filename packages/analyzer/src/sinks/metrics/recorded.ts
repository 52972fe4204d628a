import { METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT } from '@seamtrace/semconv';

/**
 * Metrics of the wire contract that are not exposed at all: a name with no series behind it would read as "none of these
 * happened".
 */
export const NOT_RECORDED: ReadonlySet<string> = new Set([
  // Its name in Prometheus abbreviates its unit, for which `promtool check metrics` refuses the whole exposition.
  METRIC_SEAMTRACE_BUDGET_WALL_CLOCK_MS_SPENT,
]);

export function isRecorded(metric: string): boolean {
  return !NOT_RECORDED.has(metric);
}
