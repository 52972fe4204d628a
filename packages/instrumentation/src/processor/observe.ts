import { type Context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { ATTR_GEN_AI_OPERATION_NAME, ATTR_SEAMTRACE_HANDOFF_ID, ATTR_SEAMTRACE_TASK_ID } from '@seamtrace/semconv';
import { considerInside, decideWaiting } from '../accept/bind.js';
import { type AcceptFrame, frameOf, unobservedIngest } from '../accept/frame.js';
import { publishOffered } from '../accept/ingest.js';
import { unseenStage } from '../capture/stage-capture.js';
import { currentTracer } from '../runtime/current-tracer.js';
import { runtime } from '../runtime/state.js';
import { writeDestination } from '../stamp/destination.js';
import { signature, taskAttributes } from '../stamp/identity.js';
import { toolAttributes } from '../stamp/run-attributes.js';
import { statedArguments } from './stated-arguments.js';
import { attributesOf, writeAbsent } from '../stamp/write.js';
import { enclosingRun, isAgentRun, recordSpan, runOf, spansOf } from './run.js';

/**
 * A span starts: its place is remembered, and what it says of itself already is acted on. Several processors, also of
 * several copies of this package, see each span once.
 */
export function observeStart(span: Span, parentContext: Context): void {
  if (runtime().spans.has(span)) return;
  recordSpan(span, parentContext);
  if (isAgentRun(span)) beginRun(span, parentContext);
  else if (operationOf(span) === 'execute_tool') writeAbsent(span, toolAttributes(parentContext));
  if (CALLS.has(operationOf(span))) takeOffered(parentContext);
}

const CALLS: ReadonlySet<unknown> = new Set(['chat', 'generate_content', 'text_completion', 'execute_tool']);

/** The first model or tool call: the application has said by now what its agent took in, or will not. */
function takeOffered(context: Context): void {
  const frame = frameOf(context);
  if (frame?.offered !== undefined) publishOffered(frame, context, currentTracer());
}

/**
 * A span is about to end and can still be written: frameworks that name the operation late are recognised now, and a run
 * that a handoff started gets its evidence, if only that nobody observed the ingest.
 *
 * @param secret Keys the digest of a tool call's arguments; without one there is none.
 */
export function observeEnding(span: Span, secret?: string): void {
  const record = runtime().spans.get(span);
  if (record === undefined || record.ended) return;
  record.ended = true;
  if (operationOf(span) === 'execute_tool') {
    writeAbsent(span, { ...toolAttributes(record.startedIn), ...statedArguments(span, secret) });
    return;
  }
  if (!isAgentRun(span)) return;
  if (!record.recognised) beginRun(span, record.startedIn);
  const run = runOf(span, record.startedIn);
  decideWaiting(run);
  const [frame, ...others] = run.startedBy;
  if (frame === undefined || others.length > 0) return;
  const failed =
    (span as { readonly status?: { readonly code?: SpanStatusCode } }).status?.code === SpanStatusCode.ERROR;
  writeDestination(
    run,
    frame,
    frame.ingest ?? frame.offered ?? unobservedIngest(unseenStage(failed ? 'error' : 'unsupported')),
  );
}

function beginRun(span: Span, parentContext: Context): void {
  const record = recordSpan(span, parentContext);
  record.recognised = true;
  const { frame } = record;
  // A run around this one may have named itself only after its start. It came first, so it is offered first.
  const around = unrecognisedRun(parentContext, frame);
  if (around !== undefined) beginRun(around.span, around.startedIn);
  const run = runOf(span, parentContext);
  if (frame !== undefined) considerInside(frame, run);
  else if (isFirst(span, parentContext)) {
    run.taskPresumed = attributesOf(span)?.[ATTR_SEAMTRACE_TASK_ID] === undefined;
    writeAbsent(span, { ...taskAttributes(run.task.identity, run.task.correlationId), ...signature() });
  }
}

function unrecognisedRun(
  context: Context,
  frame: AcceptFrame | undefined,
): { readonly span: Span; readonly startedIn: Context } | undefined {
  for (const span of spansOf(context)) {
    const record = runtime().spans.get(span);
    if (record === undefined || record.frame !== frame) return undefined;
    if (isAgentRun(span)) return record.recognised ? undefined : { span, startedIn: record.startedIn };
  }
  return undefined;
}

/** A first agent's span names the task, as its tool calls do, so that the task's begin is on record. */
function isFirst(span: Span, parentContext: Context): boolean {
  return attributesOf(span)?.[ATTR_SEAMTRACE_HANDOFF_ID] === undefined && enclosingRun(parentContext) === undefined;
}

function operationOf(span: Span): unknown {
  return attributesOf(span)?.[ATTR_GEN_AI_OPERATION_NAME];
}
