import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SEAMTRACE_RUN_HANDOFF_ID,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST,
} from '@seamtrace/semconv';
import type { DecodedSpan } from '../decode/types.js';
import { refOf } from './handoff.js';
import { readString } from './read.js';
import type { ToolEvidence } from './types.js';

/** A tool call of an instrumented agent; `undefined` for any other span. */
export function toolOf(span: DecodedSpan): ToolEvidence | undefined {
  if (span.attributes.get(ATTR_GEN_AI_OPERATION_NAME) !== 'execute_tool') return undefined;
  const tool = readString(span, ATTR_GEN_AI_TOOL_NAME);
  const runHandoffId = readString(span, ATTR_SEAMTRACE_RUN_HANDOFF_ID);
  const taskId = readString(span, ATTR_SEAMTRACE_TASK_ID);
  if (tool === undefined || (runHandoffId === undefined && taskId === undefined)) return undefined;
  return {
    runHandoffId,
    taskId,
    tool,
    agent: readString(span, ATTR_GEN_AI_AGENT_NAME),
    argumentsDigest: readString(span, ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST),
    span: refOf(span, 1),
  };
}
