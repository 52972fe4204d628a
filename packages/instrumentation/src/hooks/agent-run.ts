import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
} from '@seamtrace/semconv';
import { considerInside } from '../accept/bind.js';
import { frameOf } from '../accept/frame.js';
import { unseenStage } from '../capture/stage-capture.js';
import { ambientTask } from '../handoff/ambient-task.js';
import { beginTask, type Task } from '../handoff/task.js';
import { enclosingRun, runOf, type RunRecord } from '../processor/run.js';
import { identityAttributes, present, signature, taskAttributes } from '../stamp/identity.js';
import { linksAcross } from '../stamp/link.js';
import { createClock } from './clock.js';
import type { FollowedHandoff } from './handoff.js';
import { writeIngest } from './ingest.js';
import { closeToolCalls, type ToolCall } from './tool-call.js';
import type { Wiring } from './wiring.js';

/** One agent at work, as a framework hook follows it: an `invoke_agent` span of ours. */
export interface FollowedRun {
  readonly wiring: Wiring;
  readonly agent: string;
  readonly span: Span;
  /** The context in which the agent works: its span is the active one. */
  readonly context: Context;
  readonly record: RunRecord;
  /** The handoffs that started it: none for a first agent, several where it was fanned into. */
  readonly startedBy: readonly FollowedHandoff[];
  /** Milliseconds since the epoch, never going back. Spans of one run are timed by it. */
  readonly now: () => number;
  readonly startedAt: number;
  /** Tool calls in progress. */
  readonly tools: Set<ToolCall>;
  /** The destination evidence of each handoff that started it is on record. The first capture stays. */
  ingested: boolean;
  ended: boolean;
}

/** How a run of an agent begins. */
export interface RunStart {
  readonly wiring: Wiring;
  readonly agent: string;
  /** Where it begins; the span active in it becomes the parent. */
  readonly context: Context;
  readonly startedBy?: readonly FollowedHandoff[] | undefined;
  /** The task it serves. By default that of the handoff, else of the run around it, else a new one. */
  readonly task?: Task | undefined;
  readonly conversationId?: string | undefined;
  /** Further standard attributes, such as `gen_ai.agent.id`. */
  readonly attributes?: Attributes | undefined;
  readonly now?: (() => number) | undefined;
}

const MAX_NAME = 128;

/**
 * Starts the `invoke_agent` span of an agent, with the identity of the handoff that started it (wire contract, section
 * 2). A run that several handoffs started carries none of them: each gets an `ingest` span.
 */
export function startRun(start: RunStart): FollowedRun {
  const { wiring, agent, context, startedBy = [], now = createClock() } = start;
  const sole = startedBy.length === 1 ? startedBy[0] : undefined;
  const task = start.task ?? taskOf(startedBy) ?? enclosingRun(context)?.task ?? frameOf(context)?.task;
  const served = task ?? ambientTask(context) ?? beginTask(undefined);
  const startedAt = now();
  const producer = sole?.state.dispatchSpan;
  const span = wiring.tracer().startSpan(
    `invoke_agent ${agent.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: startedAt,
      links: linksAcross(producer, trace.getSpanContext(context)),
      attributes: {
        ...start.attributes,
        ...present({
          [ATTR_GEN_AI_OPERATION_NAME]: 'invoke_agent',
          [ATTR_GEN_AI_AGENT_NAME]: agent,
          [ATTR_GEN_AI_CONVERSATION_ID]: start.conversationId,
        }),
        ...(sole === undefined
          ? { ...taskAttributes(served.identity, served.correlationId), ...signature() }
          : { ...identityAttributes(sole.state, 'destination'), [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: agent }),
      },
    },
    context,
  );
  const record = runOf(span, context);
  record.task = served;
  // The kit begins it where neither its caller nor the work around knows one.
  record.taskPresumed = sole === undefined && task === undefined;
  if (startedBy.length > 0) record.identified = true;
  else {
    // A registered processor has done so already; it is done once.
    const frame = frameOf(context);
    if (frame !== undefined) considerInside(frame, record);
  }
  return {
    wiring,
    agent,
    span,
    context: trace.setSpan(context, span),
    record,
    startedBy,
    now,
    startedAt,
    tools: new Set(),
    ingested: startedBy.length === 0,
    ended: false,
  };
}

/** How a run ended. */
export interface RunEnd {
  /** `error.type` where it failed; `cancelled` where the application called it off. */
  readonly errorType?: string | undefined;
  /** When it ended, where that was before now: milliseconds since the epoch. */
  readonly at?: number | undefined;
}

/** Ends an agent's run, once: its open tool calls, the evidence that was never seen, and its span. */
export function endRun(run: FollowedRun, { errorType, at }: RunEnd = {}): void {
  if (run.ended) return;
  run.ended = true;
  closeToolCalls(run, errorType);
  if (!run.ingested) {
    run.ingested = true;
    const capture = unseenStage(errorType === undefined ? 'unsupported' : 'error');
    for (const handoff of run.startedBy) writeIngest(run, handoff, capture, undefined);
  }
  if (errorType !== undefined) {
    run.span.setAttribute(ATTR_ERROR_TYPE, errorType);
    run.span.setStatus({ code: SpanStatusCode.ERROR });
  }
  run.span.end(at ?? run.now());
}

/** The task that all handoffs serve; where they differ, the deepest one's, of which the others are parts. */
function taskOf(startedBy: readonly FollowedHandoff[]): Task | undefined {
  const [first, ...others] = startedBy;
  if (first === undefined) return undefined;
  return others.reduce((a, b) => ((b.onward.hop?.index ?? 0) > (a.onward.hop?.index ?? 0) ? b : a), first).onward;
}
