import type { Contracts } from '@seamtrace/contracts';
import type { TaskNews } from '@seamtrace/core';
import {
  METRIC_SEAMTRACE_ESCALATIONS,
  METRIC_SEAMTRACE_HANDOFF_REPLANS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS,
  METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION,
  METRIC_SEAMTRACE_TASKS,
  METRIC_SEAMTRACE_TASKS_AT_HOP_LIMIT,
  METRIC_SEAMTRACE_TASK_HOPS,
} from '@seamtrace/semconv';
import type { Instruments } from './instruments.js';
import { isRecorded } from './recorded.js';
import { routeLabel } from './verdicts.js';

/** Records what became known of tasks. Each fact is told once, when it is decided, so that it is counted as it comes. */
export function recordTasks(instruments: Instruments, contracts: Contracts | undefined, news: TaskNews): void {
  for (const { route, counter, amount } of news.spent) {
    const metric = `seamtrace.budget.${counter}.spent`;
    if (isRecorded(metric)) instruments.add(metric, { route: routeLabel(route, contracts) }, amount);
  }
  for (const { route, replanned } of news.replans) {
    instruments.add(METRIC_SEAMTRACE_HANDOFF_REPLANS, { route: routeLabel(route, contracts), replanned });
  }
  for (const { route, tool, calls, seconds } of news.redundant) {
    const labels = { route: routeLabel(route, contracts), tool };
    instruments.add(METRIC_SEAMTRACE_REDUNDANT_TOOL_CALLS, labels, calls);
    instruments.add(METRIC_SEAMTRACE_REDUNDANT_TOOL_DURATION, labels, seconds);
  }
  for (const outcome of news.escalations) instruments.add(METRIC_SEAMTRACE_ESCALATIONS, { outcome });
  for (const { outcome, hops, atHopLimit } of news.ends) {
    if (outcome !== undefined) instruments.add(METRIC_SEAMTRACE_TASKS, { outcome });
    if (hops !== undefined) instruments.observe(METRIC_SEAMTRACE_TASK_HOPS, {}, hops);
    if (atHopLimit) instruments.add(METRIC_SEAMTRACE_TASKS_AT_HOP_LIMIT);
  }
}
