import { EMPTY_STAGE } from '../evidence/stage.js';
import { SILENT_SIDE } from '../evidence/handoff.js';
import { one } from '../evidence/distinct.js';
import type { Evidence, HandoffRecord, SpanRef } from '../evidence/types.js';
import type { SpanFacts } from './details.js';
import type { Owner } from './runs.js';
import type { ModelCall } from './types.js';

/** A tool call with its owner; `undefined` where its span does not name the tool. */
export function toolPiece(facts: SpanFacts, owner: Owner, runAgent: string | undefined): Evidence | undefined {
  const { tool, agent = runAgent, argumentsDigest, span } = facts;
  if (tool === undefined) return undefined;
  const call = { runHandoffId: owner.handoffId, taskId: owner.taskId, tool, agent, argumentsDigest, span };
  return { ...NOTHING, tool: call };
}

export function modelCallOf(facts: SpanFacts, owner: Owner): ModelCall {
  const { span, inputTokens, outputTokens } = facts;
  return { runHandoffId: owner.handoffId, taskId: owner.taskId, span, inputTokens, outputTokens };
}

/** That a dispatch was made by the run that an earlier handoff had started. A handoff is not its own parent. */
export function parentPiece(dispatch: SpanFacts, owner: Owner): Evidence | undefined {
  const { handoffId, attempt = 1 } = dispatch;
  if (handoffId === undefined || owner.handoffId === undefined || owner.handoffId === handoffId) return undefined;
  return { ...NOTHING, handoff: { ...silent(handoffId, attempt), facts: { parentHandoff: one(owner.handoffId) } } };
}

/** That an ingest was made in a run. The execution is that of the ingest: its run states none. */
export function runPiece(ingest: SpanFacts, run: SpanRef, agent: string | undefined): Evidence | undefined {
  const { handoffId, attempt = 1 } = ingest;
  if (handoffId === undefined) return undefined;
  const facts: HandoffRecord['facts'] = agent === undefined ? {} : { runAgent: one(agent) };
  const runSpan = { ...run, execution: ingest.span.execution };
  return { ...NOTHING, handoff: { ...silent(handoffId, attempt), facts, runSpan } };
}

const NOTHING: Evidence = {
  handoff: undefined,
  tool: undefined,
  node: undefined,
  run: undefined,
  speakers: [],
};

/** A record to which nobody has said anything. */
function silent(handoffId: string, attempt: number): HandoffRecord {
  return {
    handoffId,
    attempt,
    facts: {},
    sides: { producer: SILENT_SIDE, consumer: SILENT_SIDE },
    stages: { source: EMPTY_STAGE, payload: EMPTY_STAGE, destination: EMPTY_STAGE },
    violations: undefined,
    doubts: [],
    dispatchSpan: undefined,
    ingestSpan: undefined,
    runSpan: undefined,
  };
}
