import { STAGES, type Stage } from '@seamtrace/semconv';
import { compareUtf8, sortUnique } from '@seamtrace/contracts';
import { type Distinct, byCodeUnit, union } from './distinct.js';
import { MAX_VIOLATIONS } from './handoff.js';
import { MAX_VALUE_DIGESTS } from './stage.js';
import {
  type CompleteCapture,
  type FactName,
  type HandoffRecord,
  type SideRecord,
  type SpanRef,
  type StageExecution,
  type StageRecord,
} from './types.js';

/** Executions kept for one stage: the lowest, since the lowest complete one is the evidence. */
export const MAX_EXECUTIONS = 4;
/** Different complete captures kept for one execution; two already contradict each other. */
export const MAX_COMPLETE = 4;
const MAX_NAMES = 1024;
const MAX_SEARCHED = 1024;

/**
 * The key under which evidence of one attempt is gathered. It sorts like (id, attempt) is compared: by nothing else,
 * never by time or trace.
 */
export function recordKey(record: Pick<HandoffRecord, 'handoffId' | 'attempt'>): string {
  return `${record.handoffId}~${record.attempt}`;
}

/**
 * Joins two records of one key. Commutative, associative and idempotent: any order, repetition and split of the spans
 * gives the same record (wire contract, section 4). The arguments are not changed.
 *
 * @throws RangeError when the keys differ, which is a programmer's error.
 */
export function mergeRecords(a: HandoffRecord, b: HandoffRecord): HandoffRecord {
  if (recordKey(a) !== recordKey(b)) throw new RangeError(`cannot merge ${recordKey(a)} with ${recordKey(b)}`);
  return {
    handoffId: a.handoffId,
    attempt: a.attempt,
    facts: mergeFacts(a.facts, b.facts),
    sides: {
      producer: mergeSides(a.sides.producer, b.sides.producer),
      consumer: mergeSides(a.sides.consumer, b.sides.consumer),
    },
    stages: Object.fromEntries(STAGES.map((stage) => [stage, mergeStages(a.stages[stage], b.stages[stage])])) as Record<
      Stage,
      StageRecord
    >,
    violations: join(a.violations, b.violations, MAX_VIOLATIONS),
    doubts: [...new Set([...a.doubts, ...b.doubts])].sort(byCodeUnit),
    dispatchSpan: pick(a.dispatchSpan, b.dispatchSpan, 'earliest'),
    ingestSpan: pick(a.ingestSpan, b.ingestSpan, 'earliest'),
    runSpan: pick(a.runSpan, b.runSpan, 'latest'),
  };
}

function mergeFacts(a: HandoffRecord['facts'], b: HandoffRecord['facts']): HandoffRecord['facts'] {
  const facts: Partial<Record<FactName, Distinct>> = { ...a };
  for (const name of Object.keys(b) as FactName[]) {
    const joined = join(facts[name], b[name]);
    if (joined !== undefined) facts[name] = joined;
  }
  return facts;
}

function mergeSides(a: SideRecord, b: SideRecord): SideRecord {
  return {
    speaks: a.speaks || b.speaks,
    version: join(a.version, b.version),
    required: join(a.required, b.required),
    permitted: join(a.permitted, b.permitted),
    payloadDigest: join(a.payloadDigest, b.payloadDigest),
    traceIds: join(a.traceIds, b.traceIds),
    linkedTraceIds: join(a.linkedTraceIds, b.linkedTraceIds),
  };
}

function mergeStages(a: StageRecord, b: StageRecord): StageRecord {
  const byNumber = new Map(a.executions.map((execution) => [execution.execution, execution]));
  for (const execution of b.executions) {
    const known = byNumber.get(execution.execution);
    byNumber.set(execution.execution, known === undefined ? execution : mergeExecutions(known, execution));
  }
  const executions = [...byNumber.values()].sort((x, y) => x.execution - y.execution);
  return {
    executions: executions.slice(0, MAX_EXECUTIONS),
    moreExecutions: a.moreExecutions || b.moreExecutions || executions.length > MAX_EXECUTIONS,
  };
}

function mergeExecutions(a: StageExecution, b: StageExecution): StageExecution {
  const complete = mergeCaptures([...a.complete, ...b.complete]);
  const names = sortUnique([...a.names, ...b.names]);
  return {
    execution: a.execution,
    complete: complete.slice(0, MAX_COMPLETE),
    moreComplete: a.moreComplete || b.moreComplete || complete.length > MAX_COMPLETE,
    names: names.slice(0, MAX_NAMES),
    moreNames: a.moreNames || b.moreNames || names.length > MAX_NAMES,
    reasons: [...new Set([...a.reasons, ...b.reasons])].sort(byCodeUnit),
    stateRef: join(a.stateRef, b.stateRef),
    valueDigests: join(a.valueDigests, b.valueDigests, MAX_VALUE_DIGESTS),
  };
}

/** Captures of equal keys are one capture that looked for what either looked for. */
function mergeCaptures(captures: readonly CompleteCapture[]): CompleteCapture[] {
  const byKeys = new Map<string, CompleteCapture>();
  for (const capture of captures) {
    const id = JSON.stringify(capture.keys);
    const known = byKeys.get(id);
    const searched = known === undefined ? capture.searched : sortUnique([...known.searched, ...capture.searched]);
    byKeys.set(id, { keys: capture.keys, searched: searched.slice(0, MAX_SEARCHED) });
  }
  return [...byKeys].sort(([x], [y]) => compareUtf8(x, y)).map(([, capture]) => capture);
}

function join(a: Distinct | undefined, b: Distinct | undefined, max?: number): Distinct | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return union(a, b, max);
}

/** The span of the lowest execution that ended first, or of the highest that ended last; ids break ties. */
function pick(a: SpanRef | undefined, b: SpanRef | undefined, which: 'earliest' | 'latest'): SpanRef | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const order = compareRefs(a, b);
  return (which === 'earliest') === order <= 0 ? a : b;
}

function compareRefs(a: SpanRef, b: SpanRef): number {
  const ends = BigInt(a.endUnixNano) - BigInt(b.endUnixNano);
  return (
    a.execution - b.execution ||
    (ends < 0n ? -1 : ends > 0n ? 1 : 0) ||
    byCodeUnit(JSON.stringify(a), JSON.stringify(b))
  );
}
