import { type Context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SEAMTRACE_RUN_HANDOFF_ID,
  ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST,
} from '@seamtrace/semconv';
import { argumentsDigest } from './arguments-digest.js';
import { present, signature, taskAttributes } from '../stamp/identity.js';
import type { FollowedRun } from './agent-run.js';

/** One tool call of an agent: an `execute_tool` span of ours. */
export interface ToolCall {
  readonly run: FollowedRun;
  readonly name: string;
  readonly callId: string | undefined;
  readonly span: Span;
  /** The context in which the tool works: its span is the active one. */
  readonly context: Context;
}

const MAX_NAME = 128;

/** What is known of a call as it begins. */
export interface ToolCallStart {
  readonly name: string;
  readonly callId?: string | undefined;
  /** The arguments, as a JSON value or as JSON text. Only their keyed digest is kept, and none without a secret. */
  readonly args?: unknown;
}

/** Starts the `execute_tool` span of a call, with its owner and task (wire contract, section 2). */
export function startToolCall(run: FollowedRun, call: ToolCallStart): ToolCall {
  const [handoff, ...others] = run.startedBy;
  const span = run.wiring.tracer().startSpan(
    `execute_tool ${call.name.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: run.now(),
      attributes: {
        ...present({
          [ATTR_GEN_AI_OPERATION_NAME]: 'execute_tool',
          [ATTR_GEN_AI_TOOL_NAME]: call.name,
          [ATTR_GEN_AI_TOOL_CALL_ID]: call.callId,
          [ATTR_GEN_AI_AGENT_NAME]: run.agent,
          [ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST]: argumentsDigest(call.args, run.wiring.secret()),
          [ATTR_SEAMTRACE_RUN_HANDOFF_ID]: others.length > 0 ? undefined : handoff?.state.id,
        }),
        ...taskAttributes(run.record.task.identity, run.record.task.correlationId),
        ...signature(),
      },
    },
    run.context,
  );
  const tool: ToolCall = {
    run,
    name: call.name,
    callId: call.callId,
    span,
    context: trace.setSpan(run.context, span),
  };
  run.tools.add(tool);
  return tool;
}

/** Ends a tool call, once. `errorType` says that it failed, by the class of the error and never its message. */
export function endToolCall(tool: ToolCall, errorType?: string): void {
  if (!tool.run.tools.delete(tool)) return;
  if (errorType !== undefined) {
    tool.span.setAttribute(ATTR_ERROR_TYPE, errorType);
    tool.span.setStatus({ code: SpanStatusCode.ERROR });
  }
  tool.span.end(tool.run.now());
}

/** The run is over: calls that are still open failed with it, or were cut off by it. */
export function closeToolCalls(run: FollowedRun, errorType = 'cancelled'): void {
  for (const tool of run.tools) endToolCall(tool, errorType);
}
