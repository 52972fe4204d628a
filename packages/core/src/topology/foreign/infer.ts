import { type Distinct, one } from '../../evidence/distinct.js';
import type { Evidence, FactName, HandoffRecord, RunEvidence, SpanRef } from '../../evidence/types.js';
import { foldName } from '../../evidence/fold-name.js';
import { MAX_TASK_RUNS, MAX_TASK_TOOLS } from '../../tasks/state.js';
import { NOTHING, silent } from '../derive.js';
import { type Handoffs, type InferredHandoff, addTo, handoffsOf } from './handoffs.js';
import { type AgentRun, type Runs, compareSpots, isTwin, runsOf } from './runs.js';
import { type Spot, spotsOf } from './spots.js';
import type { ForeignTrace } from './trace.js';

/**
 * What a trace of foreign dialects shows, as evidence like any other, marked as inferred: its handoffs, and where there are
 * any, the runs and tool calls of its agents. The task is the trace. Nothing of a boundary at which a span of ours spoke.
 * A function of what the trace holds, not of its order.
 */
export function inferTrace(traceId: string, trace: ForeignTrace): readonly Evidence[] {
  if (trace.partial || trace.signs.size === 0) return [];
  const spots = spotsOf(trace);
  const runs = runsOf(spots);
  const handoffs = handoffsOf(spots, runs);
  const known = handoffs.handoffs.filter((handoff) => !isOurs(handoff, trace.ours));
  if (known.length === 0) return [];
  const told: Telling = { traceId, kept: new Set(known), runs, handoffs, gaveAway: giversOf(known) };
  return [
    ...known.map((handoff) => ({ ...NOTHING, handoff: recordOf(handoff, told) })),
    ...runs.runs.slice(0, MAX_TASK_RUNS + 1).map((run) => ({ ...NOTHING, run: runEvidence(run, told) })),
    ...toolEvidence(spots, told),
  ];
}

interface Telling {
  readonly traceId: string;
  readonly kept: ReadonlySet<InferredHandoff>;
  readonly runs: Runs;
  readonly handoffs: Handoffs;
  readonly gaveAway: ReadonlyMap<AgentRun, readonly InferredHandoff[]>;
}

function giversOf(handoffs: readonly InferredHandoff[]): Telling['gaveAway'] {
  const given = new Map<AgentRun, InferredHandoff[]>();
  for (const handoff of handoffs) if (handoff.from !== undefined) addTo(given, handoff.from, handoff);
  return given;
}

/** Where one of its sides is instrumented by us, the handoff is told of by that. */
function isOurs({ source, target, to }: InferredHandoff, ours: ReadonlySet<string>): boolean {
  if (ours.size === 0) return false;
  return [source, target, to?.agent].some((name) => name !== undefined && ours.has(foldName(name)));
}

function idOf(handoff: InferredHandoff, traceId: string): string {
  return `inferred:${traceId}:${handoff.id}`;
}

function recordOf(handoff: InferredHandoff, told: Telling): HandoffRecord {
  const { source, from, target, stated, to, mode, dropped, ask } = handoff;
  const parent = from === undefined ? undefined : ownerOf(from, told);
  const stating: readonly (readonly [FactName, string | undefined])[] = [
    ['evidence', 'inferred'],
    ['task', told.traceId],
    ['source', source],
    [stated ? 'target' : 'targetGuess', target],
    ['destination', to?.agent],
    ['mode', mode],
    ['dispatchOutcome', dropped ? 'dropped' : undefined],
    ['parentHandoff', parent],
  ];
  const facts: Partial<Record<FactName, Distinct>> = {};
  for (const [name, value] of stating) if (value !== undefined) facts[name] = one(value);
  return {
    ...silent(idOf(handoff, told.traceId), 1),
    facts,
    dispatchSpan: ask === undefined ? undefined : refOf(ask, told.traceId),
    runSpan: to === undefined ? undefined : runRef(to, told),
  };
}

function ownerOf(run: AgentRun, { handoffs, kept, traceId }: Telling): string | undefined {
  const owner = handoffs.startedBy(run);
  return owner === undefined || !kept.has(owner) ? undefined : idOf(owner, traceId);
}

function runEvidence(run: AgentRun, told: Telling): RunEvidence {
  const given = told.gaveAway.get(run) ?? [];
  return {
    taskId: told.traceId,
    handoffId: ownerOf(run, told),
    agent: run.agent,
    dispatchedIds: given.map((handoff) => idOf(handoff, told.traceId)),
    root: run.outer === undefined && told.handoffs.startedBy(run) === undefined,
    span: runRef(run, told),
    inputTokens: undefined,
    outputTokens: undefined,
  };
}

/** LangGraph ends a run that hands over with an error, which is none. */
function runRef(run: AgentRun, told: Telling): SpanRef {
  const handsOver = told.gaveAway.get(run)?.some(({ to }) => to !== undefined) ?? false;
  const ref = refOf(run.spot, told.traceId);
  return { ...ref, endUnixNano: run.end, failed: ref.failed && !handsOver };
}

function refOf({ id, row }: Spot, traceId: string): SpanRef {
  return {
    traceId,
    spanId: id,
    execution: 1,
    startUnixNano: row.start,
    endUnixNano: row.end,
    failed: row.failed,
    errorType: undefined,
  };
}

/** Calls of tools by the agents themselves, each once: neither what hands over nor what a tool calls. */
function toolEvidence(spots: readonly Spot[], told: Telling): readonly Evidence[] {
  const carrying = new Set(told.handoffs.handoffs.map(({ ask }) => ask));
  const seen = new Map<string, Spot[]>();
  const evidence: Evidence[] = [];
  for (const spot of spots.filter(({ sign }) => sign.role === 'tool').sort(compareSpots)) {
    const run = told.runs.of(spot.run);
    const { tool, digest } = spot.sign;
    if (run === undefined || tool === undefined || spot.call !== undefined || carrying.has(spot)) continue;
    const group = `${run.spot.id}/${tool}`;
    const beside = seen.get(group) ?? [];
    if (beside.some((other) => isTwin(other, spot))) continue;
    // One more than a task keeps shows that there were more.
    if (evidence.length > MAX_TASK_TOOLS) break;
    seen.set(group, [...beside.slice(-MAX_BESIDE), spot]);
    const said = { runHandoffId: ownerOf(run, told), taskId: told.traceId, tool, agent: run.agent };
    evidence.push({ ...NOTHING, tool: { ...said, argumentsDigest: digest, span: refOf(spot, told.traceId) } });
  }
  return evidence;
}

const MAX_BESIDE = 16;
