import type { TaskOutcome } from '@seamtrace/semconv';
import type { RunEvidence, SpanRef, ToolEvidence } from '../evidence/types.js';
import { type TaskHop, compareHops, hopKey, mergeHops } from './hop.js';
import { compareStarts, joinStatements, spanKey } from '../evidence/spans.js';
import type { ModelCall, ModelTurn, TaskView } from './view.js';

/** Attempts kept of one task: those lowest on the path. */
export const MAX_TASK_HOPS = 64;
/** Tool calls kept of one task, and as many model calls and runs as below: those that began first. */
export const MAX_TASK_TOOLS = 512;
export const MAX_TASK_MODEL_CALLS = 512;
export const MAX_TASK_RUNS = 128;

/** Everything kept of one task. What is added twice, or in another order, makes the same state. */
export interface TaskState {
  readonly taskId: string;
  addHop(hop: TaskHop): void;
  addTool(tool: ToolEvidence): void;
  addRun(run: RunEvidence): void;
  addModelCall(call: ModelCall): void;
  /** Something did not fit, here or before: what needs the whole task is not found any more. */
  lose(): void;
  readonly lost: boolean;
  readonly hops: ReadonlyMap<string, TaskHop>;
  readonly tools: ReadonlyMap<string, ToolEvidence>;
  readonly runs: ReadonlyMap<string, RunEvidence>;
  readonly modelCalls: ReadonlyMap<string, ModelCall>;
}

/** A task of which nothing is known yet. */
export function createTaskState(taskId: string): TaskState {
  const hops = new Map<string, TaskHop>();
  const tools = new Map<string, ToolEvidence>();
  const runs = new Map<string, RunEvidence>();
  const modelCalls = new Map<string, ModelCall>();
  let lost = false;

  /** Keeps the lowest of all that was ever added, which no order of additions changes. */
  function keep<T>(kept: Map<string, T>, key: string, value: T, max: number, order: (a: T, b: T) => number): void {
    kept.set(key, value);
    if (kept.size <= max) return;
    lost = true;
    let [highestKey, highest] = [key, value];
    for (const [otherKey, other] of kept) {
      if (order(other, highest) > 0) [highestKey, highest] = [otherKey, other];
    }
    kept.delete(highestKey);
  }

  function keepSpan<T extends { readonly span: SpanRef }>(kept: Map<string, T>, value: T, max: number): void {
    const key = spanKey(value.span);
    const known = kept.get(key);
    const joined = known === undefined ? value : joinStatements(known, value);
    keep(kept, key, joined, max, (a, b) => compareStarts(a.span, b.span));
  }

  return {
    taskId,
    addHop(hop) {
      const known = hops.get(hopKey(hop));
      keep(hops, hopKey(hop), known === undefined ? hop : mergeHops(known, hop), MAX_TASK_HOPS, compareHops);
    },
    addTool: (tool) => keepSpan(tools, tool, MAX_TASK_TOOLS),
    addRun: (run) => keepSpan(runs, run, MAX_TASK_RUNS),
    addModelCall: (call) => keepSpan(modelCalls, call, MAX_TASK_MODEL_CALLS),
    lose: () => void (lost = true),
    get lost() {
      return lost;
    },
    hops,
    tools,
    runs,
    modelCalls,
  };
}

/**
 * What grading sees of a task. `own` is the hop in question, which belongs to the view also where it did not fit; `ended`
 * is how the task ended, where it has.
 */
export function viewTask(state: TaskState, own: TaskHop | undefined, ended: TaskOutcome | undefined): TaskView {
  const hops = withOwn(state.hops, own);
  const tools = byRun(state.tools, (tool) => tool.runHandoffId);
  const turns = byRun(state.modelCalls, (call) => call.runHandoffId);
  return {
    taskId: state.taskId,
    hops,
    complete: !state.lost && hops.length <= MAX_TASK_HOPS,
    toolsOf: (id) => tools.get(id) ?? NONE,
    modelCallsOf: (id) => (turns.get(id) ?? []).map(turnOf),
    runs: byStart(state.runs),
    ended,
  };
}

/** The known attempts by place on the path; with the one in question, as what is known of it and `own` say together. */
function withOwn(known: ReadonlyMap<string, TaskHop>, own: TaskHop | undefined): readonly TaskHop[] {
  if (own === undefined) return [...known.values()].sort(compareHops);
  const before = known.get(hopKey(own));
  const joined = before === undefined || before === own ? own : mergeHops(before, own);
  const hops = before === undefined ? [joined] : [];
  for (const hop of known.values()) hops.push(hop === before ? joined : hop);
  return hops.sort(compareHops);
}

function byStart<T extends { readonly span: SpanRef }>(all: ReadonlyMap<string, T>): readonly T[] {
  return all.size === 0 ? NONE : [...all.values()].sort((a, b) => compareStarts(a.span, b.span));
}

const NONE: readonly never[] = [];

function turnOf({ span }: ModelCall): ModelTurn {
  return { startUnixNano: span.startUnixNano, endUnixNano: span.endUnixNano, span };
}

function byRun<T extends { readonly span: SpanRef }>(
  all: ReadonlyMap<string, T>,
  runOf: (item: T) => string | undefined,
): ReadonlyMap<string | undefined, readonly T[]> {
  const groups = new Map<string | undefined, T[]>();
  for (const item of byStart(all)) {
    const group = groups.get(runOf(item));
    if (group === undefined) groups.set(runOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
