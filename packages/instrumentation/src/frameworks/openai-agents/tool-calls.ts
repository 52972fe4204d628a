import { types } from 'node:util';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_TOOL_CALL_ID,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SEAMTRACE_RUN_HANDOFF_ID,
  ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST,
} from '@seamtrace/semconv';
import { present, signature, taskAttributes } from '../../stamp/identity.js';
import type { AgentRun, ToolCallSpan } from './agent-run.js';
import { argumentsDigest } from '../../hooks/arguments-digest.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import type { RunContextLike } from './internal-types.js';
import { returns } from './return-leg.js';
import { currentScope, enterTool } from './run-scope.js';

const MAX_NAME = 128;

/** Event `agent_tool_start`. */
export function toolStarts(run: AgentRun, tool: unknown, details: unknown, runContext: unknown): void {
  const name = text((tool as { name?: unknown } | undefined)?.name) ?? 'tool';
  const toolCall = ownData(details, 'toolCall');
  const callId = text(ownData(toolCall, 'callId'));
  const args = text(ownData(toolCall, 'arguments'));
  const { turn, memory } = run;
  const handoff = memory.current?.state;
  const span = run.tracer.startSpan(
    `execute_tool ${name.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: run.now(),
      attributes: {
        ...present({
          [ATTR_GEN_AI_OPERATION_NAME]: 'execute_tool',
          [ATTR_GEN_AI_TOOL_NAME]: name,
          [ATTR_GEN_AI_TOOL_CALL_ID]: callId,
          [ATTR_GEN_AI_AGENT_NAME]: turn?.name,
          [ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST]: argumentsDigest(args, run.wiring.secret()),
          [ATTR_SEAMTRACE_RUN_HANDOFF_ID]: handoff?.id,
        }),
        ...taskAttributes(
          handoff?.task ?? run.taskOfSpans.identity,
          handoff?.correlationId ?? run.taskOfSpans.correlationId,
        ),
        ...signature(),
      },
    },
    turn === undefined ? run.baseContext : trace.setSpan(run.baseContext, turn.span),
  );
  const call: ToolCallSpan = {
    name,
    callId,
    span,
    context: (runContext as RunContextLike | undefined)?.context,
    args,
    delegations: [],
    result: undefined,
    errorType: undefined,
    endedAt: undefined,
  };
  run.tools.add(call);
  enterTool(run, call);
}

/** Event `agent_tool_end`, which the SDK also emits for a call that failed. */
export function toolEnds(run: AgentRun, tool: unknown, result: unknown, details: unknown): void {
  const name = text((tool as { name?: unknown } | undefined)?.name);
  const callId = text(ownData(ownData(details, 'toolCall'), 'callId'));
  const call = openCall(run, name, callId);
  if (call === undefined) return;
  call.endedAt = run.now();
  call.result = result;
  call.errorType ??= reportedError(result);
  run.memory.toolResults.add(result);
  returns(run, call);
}

/** The SDK put an error on its own span of the tool call, also where the model only gets a text about it. */
export function toolReportedError(message: unknown): void {
  if (typeof message !== 'string' || !message.startsWith('Error running tool')) return;
  const scope = currentScope();
  if (scope?.tool !== undefined && scope.tool.endedAt === undefined) scope.tool.errorType ??= 'tool_error';
}

/**
 * Ends the spans of calls that are over, at the moment they were. Called where no error can follow any more that says
 * more about them: without SDK tracing, a thrown error shows only in that the run fails with what was the call's result.
 */
export function settleTools(run: AgentRun, failed?: { readonly error: unknown }): void {
  const message = failed === undefined ? undefined : textOf(failed.error);
  for (const call of run.tools) {
    if (call.endedAt === undefined) continue;
    if (failed !== undefined && call.result === message) call.errorType ??= errorTypeOf(failed.error);
    settle(run, call);
  }
}

/** The run is over: calls that are still open failed with it, or were cut off by it. */
export function closeTools(run: AgentRun, errorType = 'cancelled'): void {
  for (const call of run.tools) {
    call.errorType ??= errorType;
    settle(run, call);
  }
}

function settle(run: AgentRun, call: ToolCallSpan): void {
  run.tools.delete(call);
  if (call.errorType !== undefined) {
    call.span.setAttribute(ATTR_ERROR_TYPE, call.errorType);
    call.span.setStatus({ code: SpanStatusCode.ERROR });
  }
  call.endedAt ??= run.now();
  call.span.end(call.endedAt);
}

function openCall(run: AgentRun, name: string | undefined, callId: string | undefined): ToolCallSpan | undefined {
  const scoped = currentScope()?.tool;
  if (scoped !== undefined && run.tools.has(scoped) && scoped.endedAt === undefined) return scoped;
  return [...run.tools].find((call) => call.endedAt === undefined && call.name === name && call.callId === callId);
}

const DEFAULT_ERROR = 'An error occurred while running the tool. Please try again.';
const TIMEOUT = /^Tool '[^']*' timed out after \d+ms\.$/;

/**
 * What the SDK's own texts for the model say of a call that failed: that it did. A tool can return any such text, so no
 * class is read out of it. An application that words its errors itself is heard through {@link toolReportedError}.
 */
function reportedError(result: unknown): string | undefined {
  if (typeof result !== 'string') return undefined;
  if (TIMEOUT.test(result)) return 'timeout';
  return result.startsWith(DEFAULT_ERROR) ? 'tool_error' : undefined;
}

/** What `String` makes of a thrown value, where that runs no code of the application's. */
function textOf(error: unknown): string | undefined {
  const thrown = ownData(error, 'error') ?? error;
  if (typeof thrown === 'function') return undefined;
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  if (!types.isNativeError(thrown) || memberOf(thrown, 'toString').value !== Error.prototype.toString) return undefined;
  const [name, message] = [memberOf(thrown, 'name').value, memberOf(thrown, 'message').value];
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  return name !== '' && message !== '' ? `${name}: ${message}` : name + message;
}
