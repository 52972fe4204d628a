import {
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_GEN_AI_TOOL_NAME,
  ATTR_SEAMTRACE_HANDOFF_DISPATCHED_IDS,
  ATTR_SEAMTRACE_HANDOFF_LEG,
  ATTR_SEAMTRACE_HANDOFF_ROLE,
  ATTR_SEAMTRACE_RUN_HANDOFF_ID,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST,
} from '@seamtrace/semconv';
import { MODEL, OUTLINE_OPS, RUN, TOOL } from '../decode/outline.js';
import type { DecodedSpan } from '../decode/types.js';
import { ATTR_GEN_AI_USAGE_INPUT_TOKENS, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS } from '@seamtrace/semconv';
import { refOf } from './handoff.js';
import type { Identity } from './identity.js';
import { readCount, readString, readStrings } from './read.js';
import type { HandoffRecord, NodeOp, RunEvidence, SpanRef, TraceNode } from './types.js';

/** Where a span of ours stands in its trace. */
export function nodeOf(
  span: DecodedSpan,
  identity: Identity | undefined,
  handoff: HandoffRecord | undefined,
): TraceNode {
  const op = opOf(span);
  // What an `invoke_agent` span says of a handoff that it dispatches or ingests is not about what started it.
  const handoffId = op !== 'run' || startedBy(span) ? identity?.handoffId : undefined;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
    op,
    agent: readString(span, ATTR_GEN_AI_AGENT_NAME),
    tool: readString(span, ATTR_GEN_AI_TOOL_NAME),
    argumentsDigest: readString(span, ATTR_SEAMTRACE_TOOL_ARGUMENTS_DIGEST),
    taskId: readString(span, ATTR_SEAMTRACE_TASK_ID),
    handoffId,
    attempt: handoffId === undefined ? undefined : identity?.attempt,
    ownerHandoffId: readString(span, ATTR_SEAMTRACE_RUN_HANDOFF_ID),
    span: sharedRef(handoff) ?? refOf(span, identity?.execution ?? 1),
  };
}

/** The end of an agent's run: an `invoke_agent` span that names its task. */
export function runOf(span: DecodedSpan, node: TraceNode): RunEvidence | undefined {
  if (span.attributes.get(ATTR_GEN_AI_OPERATION_NAME) !== 'invoke_agent' || node.taskId === undefined) return undefined;
  return {
    taskId: node.taskId,
    handoffId: node.handoffId,
    agent: node.agent,
    dispatchedIds: readStrings(span, ATTR_SEAMTRACE_HANDOFF_DISPATCHED_IDS) ?? [],
    root: node.parentSpanId === undefined,
    span: node.span,
    inputTokens: readCount(span, ATTR_GEN_AI_USAGE_INPUT_TOKENS),
    outputTokens: readCount(span, ATTR_GEN_AI_USAGE_OUTPUT_TOKENS),
  };
}

function opOf(span: DecodedSpan): NodeOp {
  const operation = span.attributes.get(ATTR_GEN_AI_OPERATION_NAME);
  switch (typeof operation === 'string' ? OUTLINE_OPS.get(operation) : undefined) {
    case RUN:
      return 'run';
    case TOOL:
      return 'tool';
    case MODEL:
      return 'model';
    default:
  }
  const role = span.attributes.get(ATTR_SEAMTRACE_HANDOFF_ROLE);
  if (role === 'dispatch') return role;
  // What comes back to a run did not start it.
  return role === 'ingest' && span.attributes.get(ATTR_SEAMTRACE_HANDOFF_LEG) !== 'return' ? role : 'other';
}

function startedBy(span: DecodedSpan): boolean {
  const role = span.attributes.get(ATTR_SEAMTRACE_HANDOFF_ROLE);
  return role !== 'dispatch' && role !== 'ingest';
}

function sharedRef(handoff: HandoffRecord | undefined): SpanRef | undefined {
  return handoff?.dispatchSpan ?? handoff?.ingestSpan ?? handoff?.runSpan;
}
