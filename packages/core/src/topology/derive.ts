import { EMPTY_STAGE } from '../evidence/stage.js';
import { SILENT_SIDE } from '../evidence/handoff.js';
import { one } from '../evidence/distinct.js';
import type { Evidence, HandoffRecord, SpanRef } from '../evidence/types.js';
import type { SpanFacts } from './details.js';
import type { Owner } from './runs.js';

/** A tool call with its owner; `undefined` where its span does not name the tool. */
export function toolPiece(facts: SpanFacts, owner: Owner, runAgent: string | undefined): Evidence | undefined {
  const { tool, agent = runAgent, argumentsDigest, span } = facts;
  if (tool === undefined) return undefined;
  const call = { runHandoffId: owner.handoffId, taskId: owner.taskId, tool, agent, argumentsDigest, span };
  return { ...NOTHING, tool: call };
}

/** A model call with its owner, as its span would tell it. */
export function modelPiece(facts: SpanFacts, owner: Owner): Evidence {
  const { span, parentSpanId, agent } = facts;
  const { traceId, spanId } = span;
  const said = { tool: undefined, argumentsDigest: undefined, handoffId: undefined, attempt: undefined };
  const owned = { taskId: owner.taskId, ownerHandoffId: owner.handoffId };
  return { ...NOTHING, node: { traceId, spanId, parentSpanId, op: 'model', agent, span, ...said, ...owned } };
}

/** That a dispatch was made by the run that an earlier handoff had started. A handoff is not its own parent. */
export function parentPiece(
  { handoffId, attempt = 1 }: Pick<SpanFacts, 'handoffId' | 'attempt'>,
  parent: string | undefined,
): Evidence | undefined {
  if (handoffId === undefined || parent === undefined || parent === handoffId) return undefined;
  return { ...NOTHING, handoff: { ...silent(handoffId, attempt), facts: { parentHandoff: one(parent) } } };
}

/** The end of a run that says nothing of ours itself and ingested one handoff of a task. */
export function runEndPiece(run: SpanFacts, owner: Owner): Evidence | undefined {
  const { taskId, handoffId } = owner;
  if (taskId === undefined) return undefined;
  const { agent, parentSpanId, span, inputTokens, outputTokens } = run;
  const root = parentSpanId === undefined;
  return { ...NOTHING, run: { taskId, handoffId, agent, dispatchedIds: [], root, span, inputTokens, outputTokens } };
}

/** That an ingest was made in a run. The execution is that of the ingest: its run states none. */
export function runPiece(ingest: SpanFacts, run: SpanRef, agent: string | undefined): Evidence | undefined {
  const { handoffId, attempt = 1 } = ingest;
  if (handoffId === undefined) return undefined;
  const facts: HandoffRecord['facts'] = agent === undefined ? {} : { runAgent: one(agent) };
  const runSpan = { ...run, execution: ingest.span.execution };
  return { ...NOTHING, handoff: { ...silent(handoffId, attempt), facts, runSpan } };
}

/** A piece that says nothing. */
export const NOTHING: Evidence = {
  handoff: undefined,
  tool: undefined,
  node: undefined,
  run: undefined,
  speakers: [],
};

/** A record to which nobody has said anything. */
export function silent(handoffId: string, attempt: number): HandoffRecord {
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
