import { type Context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_GEN_AI_AGENT_NAME,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_OPERATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
} from '@seamtrace/semconv';
import { runOf } from '../../processor/run.js';
import { identityAttributes, present, signature, taskAttributes } from '../../stamp/identity.js';
import type { AgentRun, AgentTurn } from './agent-run.js';
import { destinationUnseen } from './destination.js';
import type { AgentLike } from './internal-types.js';
import { text } from '../../hooks/own-data.js';
import { providerName } from './provider-name.js';

const MAX_NAME = 128;

/** Starts the `invoke_agent` span of an agent that takes control, with the identity of the handoff that started it. */
export function startTurn(run: AgentRun, agent: AgentLike, turnInput: unknown, parentContext: Context): AgentTurn {
  const name = text(agent.name) ?? 'agent';
  const { current } = run.memory;
  const startedAt = run.now();
  const dispatched = current?.span.spanContext();
  const elsewhere = dispatched !== undefined && trace.getSpanContext(parentContext)?.traceId !== dispatched.traceId;
  const span = run.tracer.startSpan(
    `invoke_agent ${name.slice(0, MAX_NAME)}`,
    {
      kind: SpanKind.INTERNAL,
      startTime: startedAt,
      // A resumed run may stand in another trace than the handoff that it continues.
      ...(elsewhere ? { links: [{ context: dispatched }] } : {}),
      attributes: {
        ...present({
          [ATTR_GEN_AI_OPERATION_NAME]: 'invoke_agent',
          [ATTR_GEN_AI_AGENT_NAME]: name,
          'gen_ai.provider.name': providerName(run.runner, agent),
          [ATTR_GEN_AI_CONVERSATION_ID]: run.conversationId,
        }),
        ...(current === undefined
          ? { ...taskAttributes(run.taskOfSpans.identity, run.taskOfSpans.correlationId), ...signature() }
          : { ...identityAttributes(current.state, 'destination'), [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: name }),
      },
    },
    parentContext,
  );
  const record = runOf(span, parentContext);
  record.task = run.memory.task;
  if (current !== undefined) record.identified = true;
  const turn: AgentTurn = {
    agent,
    name,
    span,
    parentContext,
    startedAt,
    handoff: current,
    captured: false,
    arrived: undefined,
    turnInput,
    tools: undefined,
  };
  run.turn = turn;
  run.lastSpan = span;
  return turn;
}

/** Ends the turn of the agent at work, if there is one. */
export function endTurn(run: AgentRun, endedAt: number, errorType?: string): void {
  const { turn } = run;
  if (turn === undefined) return;
  destinationUnseen(run, turn, errorType === undefined ? 'unsupported' : 'error');
  run.turn = undefined;
  if (errorType !== undefined) {
    turn.span.setAttribute(ATTR_ERROR_TYPE, errorType);
    turn.span.setStatus({ code: SpanStatusCode.ERROR });
  }
  turn.span.end(endedAt);
}
