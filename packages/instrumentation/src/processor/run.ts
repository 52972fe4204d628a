import { type Context, type Span, trace } from '@opentelemetry/api';
import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SEAMTRACE_CORRELATION_ID,
  ATTR_SEAMTRACE_HANDOFF_DISPATCHED_IDS,
  ATTR_SEAMTRACE_HOP_INDEX,
  ATTR_SEAMTRACE_HOP_LIMIT,
  ATTR_SEAMTRACE_HOP_PATH,
  ATTR_SEAMTRACE_TASK_ID,
} from '@seamtrace/semconv';
import { type AcceptFrame, frameOf } from '../accept/frame.js';
import { ambientTask } from '../handoff/ambient-task.js';
import { beginTask, carriedTask, type Task } from '../handoff/task.js';
import { runtime } from '../runtime/state.js';
import { attributesOf } from '../stamp/write.js';
import type { SpanRecord } from './span-record.js';

/** One agent run of this process: an `invoke_agent` span, whoever made it. */
export interface RunRecord {
  readonly span: Span;
  /** The task that the run serves: the handoff's that started it, else the enclosing run's, else its own. */
  task: Task;
  /** The handoffs that started it: none for a first agent, several for a join, which then carries no handoff id. */
  readonly startedBy: AcceptFrame[];
  readonly dispatchedIds: string[];
  /** Frames for which this run is a candidate; the decision may wait until it ends. */
  readonly waiting: AcceptFrame[];
  /** The task on the span is one that we began for lack of another: a handoff that turns out to have started the run has its own. */
  taskPresumed?: boolean;
  /** Handoff identity stands on the span. */
  identified: boolean;
  /** Destination evidence stands on the span. */
  evidenced: boolean;
}

const MAX_DISPATCHED_IDS = 128;
const MAX_ANCESTORS = 256;

/** Whether a span is an agent run by what it says now; some frameworks say it only after the start. */
export function isAgentRun(span: Span): boolean {
  return attributesOf(span)?.[ATTR_GEN_AI_OPERATION_NAME] === 'invoke_agent';
}

/**
 * Remembers a span and its place. Asking again, also from another copy of this package, gives the same record.
 *
 * A record keeps its parent alive, so every 256th of a line of spans forgets where it came from: work that re-schedules
 * itself in its own context would otherwise keep every span that it ever made.
 */
export function recordSpan(span: Span, parentContext: Context): SpanRecord {
  const { spans } = runtime();
  const known = spans.get(span);
  if (known !== undefined) return known;
  const above = trace.getSpan(parentContext);
  const depth = above === undefined || above === span ? 0 : (spans.get(above)?.depth ?? 0) + 1;
  const cut = depth > MAX_ANCESTORS;
  const record: SpanRecord = {
    parent: cut || above === span ? undefined : above,
    frame: frameOf(parentContext),
    startedIn: cut ? trace.deleteSpan(parentContext) : parentContext,
    depth: cut ? 0 : depth,
    run: undefined,
    recognised: false,
    ended: false,
  };
  spans.set(span, record);
  return record;
}

/** The span of a context and its ancestors in this process, innermost first. */
export function* spansOf(context: Context): Generator<Span> {
  let span = trace.getSpan(context);
  for (let depth = 0; span !== undefined && depth <= MAX_ANCESTORS; depth += 1) {
    yield span;
    span = runtime().spans.get(span)?.parent;
  }
}

/** The innermost agent run of a context, or `undefined` outside of every run. */
export function enclosingRun(context: Context): RunRecord | undefined {
  for (const span of spansOf(context)) if (isAgentRun(span)) return runOf(span, context);
  return undefined;
}

/** The run that an `invoke_agent` span stands for. */
export function runOf(span: Span, context: Context): RunRecord {
  const record = recordSpan(span, context);
  record.run ??= {
    span,
    task: taskOf(span, record),
    startedBy: [],
    dispatchedIds: [],
    waiting: [],
    identified: false,
    evidenced: false,
  };
  return record.run;
}

/** The agent's name as the run's span states it. */
export function agentName(run: RunRecord | undefined): string | undefined {
  const name = run === undefined ? undefined : attributesOf(run.span)?.[ATTR_GEN_AI_AGENT_NAME];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Lists an id on the span of the run that dispatched it. Beyond 128 ids the list stays as it is. */
export function noteDispatched(run: RunRecord, id: string): void {
  if (run.dispatchedIds.includes(id) || run.dispatchedIds.length >= MAX_DISPATCHED_IDS) return;
  run.dispatchedIds.push(id);
  run.span.setAttribute(ATTR_SEAMTRACE_HANDOFF_DISPATCHED_IDS, [...run.dispatchedIds]);
}

function taskOf(span: Span, record: SpanRecord): Task {
  const stated = statedTask(span);
  if (stated !== undefined) return stated;
  for (let at = record.parent; at !== undefined; at = runtime().spans.get(at)?.parent) {
    const parent = runtime().spans.get(at);
    // Beyond the frame stands the run of another agent; the frame says which task came here.
    if (parent === undefined || parent.frame !== record.frame) break;
    if (parent.run !== undefined) return parent.run.task;
  }
  return record.frame?.task ?? ambientTask(record.startedIn) ?? beginTask(undefined);
}

/** The task that a span was given by hand or by a framework hook, with the hop by which it came. */
function statedTask(span: Span): Task | undefined {
  const attributes = attributesOf(span) ?? {};
  const id = attributes[ATTR_SEAMTRACE_TASK_ID];
  if (typeof id !== 'string' || id === '') return undefined;
  const correlation = attributes[ATTR_SEAMTRACE_CORRELATION_ID];
  const correlationId = typeof correlation === 'string' ? correlation : undefined;
  const index = attributes[ATTR_SEAMTRACE_HOP_INDEX];
  if (typeof index !== 'number') return beginTask(id, correlationId);
  const limit = attributes[ATTR_SEAMTRACE_HOP_LIMIT];
  const path = attributes[ATTR_SEAMTRACE_HOP_PATH];
  return carriedTask({ id }, correlationId, {
    index,
    limit: typeof limit === 'number' ? limit : undefined,
    path: Array.isArray(path) ? path.filter((name) => typeof name === 'string') : undefined,
  });
}
