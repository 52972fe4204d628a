import { compareUtf8, sortUnique } from '@seamtrace/contracts';
import { type Distinct, byCodeUnit, sameList, union } from './distinct.js';
import { MAX_SEARCHED, MAX_VIOLATIONS, SILENT_SIDE } from './handoff.js';
import { earlierSpan, laterSpan } from './spans.js';
import { EMPTY_STAGE, MAX_VALUE_DIGESTS } from './stage.js';
import {
  type CaptureReason,
  type CompleteCapture,
  type FactName,
  type HandoffRecord,
  type SideRecord,
  type StageExecution,
  type StageRecord,
} from './types.js';

/** Executions kept for one stage: the lowest, since the lowest complete one is the evidence. */
export const MAX_EXECUTIONS = 4;
/** Different complete captures kept for one execution; two already contradict each other. */
export const MAX_COMPLETE = 4;
const MAX_NAMES = 1024;

/**
 * The key under which evidence of one attempt is gathered. It sorts like (id, attempt) is compared: by nothing else,
 * never by time or trace.
 */
export function recordKey(record: Pick<HandoffRecord, 'handoffId' | 'attempt'>): string {
  return `${record.handoffId}~${record.attempt}`;
}

/**
 * Joins two records of one key. Commutative, associative and idempotent: any order, repetition and split of the spans
 * gives the same record (wire contract, section 4). The arguments are not changed. Gives `a` itself where `b` adds
 * nothing to it, and only then, so that whoever keeps records need not compare them.
 *
 * @throws RangeError when the keys differ, which is a programmer's error.
 */
export function mergeRecords(a: HandoffRecord, b: HandoffRecord): HandoffRecord {
  if (a.handoffId !== b.handoffId || a.attempt !== b.attempt) {
    throw new RangeError(`cannot merge ${recordKey(a)} with ${recordKey(b)}`);
  }
  const { producer, consumer } = a.sides;
  const { source, payload, destination } = a.stages;
  return unlessSame(a, {
    handoffId: a.handoffId,
    attempt: a.attempt,
    facts: mergeFacts(a.facts, b.facts),
    sides: unlessSame(a.sides, {
      producer: mergeSides(producer, b.sides.producer),
      consumer: mergeSides(consumer, b.sides.consumer),
    }),
    stages: unlessSame(a.stages, {
      source: mergeStages(source, b.stages.source),
      payload: mergeStages(payload, b.stages.payload),
      destination: mergeStages(destination, b.stages.destination),
    }),
    violations: join(a.violations, b.violations, MAX_VIOLATIONS),
    doubts: mergeReasons(a.doubts, b.doubts),
    dispatchSpan: earlierSpan(a.dispatchSpan, b.dispatchSpan),
    ingestSpan: earlierSpan(a.ingestSpan, b.ingestSpan),
    runSpan: laterSpan(a.runSpan, b.runSpan),
  });
}

/** `known` where all members of the other are the very same. */
function unlessSame<T extends object>(known: T, merged: T): T {
  for (const name in merged) if (merged[name] !== known[name]) return merged;
  return known;
}

function mergeFacts(a: HandoffRecord['facts'], b: HandoffRecord['facts']): HandoffRecord['facts'] {
  let facts: Partial<Record<FactName, Distinct>> | undefined;
  for (const name of Object.keys(b) as FactName[]) {
    const joined = join(a[name], b[name]);
    if (joined === undefined || joined === a[name]) continue;
    facts ??= { ...a };
    facts[name] = joined;
  }
  return facts ?? a;
}

function mergeSides(a: SideRecord, b: SideRecord): SideRecord {
  if (b === SILENT_SIDE) return a;
  if (a === SILENT_SIDE) return b;
  return unlessSame(a, {
    speaks: a.speaks || b.speaks,
    version: join(a.version, b.version),
    required: join(a.required, b.required),
    permitted: join(a.permitted, b.permitted),
    payloadDigest: join(a.payloadDigest, b.payloadDigest),
    traceIds: join(a.traceIds, b.traceIds),
    linkedTraceIds: join(a.linkedTraceIds, b.linkedTraceIds),
  });
}

function mergeStages(a: StageRecord, b: StageRecord): StageRecord {
  if (b === EMPTY_STAGE) return a;
  if (a === EMPTY_STAGE) return b;
  const byNumber = new Map(a.executions.map((execution) => [execution.execution, execution]));
  for (const execution of b.executions) {
    const known = byNumber.get(execution.execution);
    byNumber.set(execution.execution, known === undefined ? execution : mergeExecutions(known, execution));
  }
  const executions = [...byNumber.values()].sort((x, y) => x.execution - y.execution);
  return unlessSame(a, {
    executions: listUnlessSame(a.executions, executions.slice(0, MAX_EXECUTIONS)),
    moreExecutions: a.moreExecutions || b.moreExecutions || executions.length > MAX_EXECUTIONS,
  });
}

function mergeExecutions(a: StageExecution, b: StageExecution): StageExecution {
  const complete = mergeCaptures(a.complete, b.complete);
  const names = mergeNames(a.names, b.names);
  return unlessSame(a, {
    execution: a.execution,
    complete: listUnlessSame(a.complete, complete.slice(0, MAX_COMPLETE)),
    moreComplete: a.moreComplete || b.moreComplete || complete.length > MAX_COMPLETE,
    names: listUnlessSame(a.names, names.slice(0, MAX_NAMES)),
    moreNames: a.moreNames || b.moreNames || names.length > MAX_NAMES,
    reasons: mergeReasons(a.reasons, b.reasons),
    stateRef: join(a.stateRef, b.stateRef),
    valueDigests: join(a.valueDigests, b.valueDigests, MAX_VALUE_DIGESTS),
  });
}

/** Captures of equal keys are one capture that looked for what either looked for. */
function mergeCaptures(a: readonly CompleteCapture[], b: readonly CompleteCapture[]): readonly CompleteCapture[] {
  if (b.length === 0) return a;
  const byKeys = new Map<string, CompleteCapture>();
  for (const capture of [...a, ...b]) {
    const id = JSON.stringify(capture.keys);
    const known = byKeys.get(id);
    byKeys.set(id, known === undefined ? capture : searchedBy(known, capture));
  }
  return [...byKeys].sort(([x], [y]) => compareUtf8(x, y)).map(([, capture]) => capture);
}

function searchedBy(known: CompleteCapture, { searched }: CompleteCapture): CompleteCapture {
  const merged = listUnlessSame(known.searched, mergeNames(known.searched, searched).slice(0, MAX_SEARCHED));
  return merged === known.searched ? known : { keys: known.keys, searched: merged };
}

/** Of two sorted lists. */
function mergeNames(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.length === 0 || sameList(a, b) ? a : sortUnique([...a, ...b]);
}

function mergeReasons(a: readonly CaptureReason[], b: readonly CaptureReason[]): readonly CaptureReason[] {
  return b.every((reason) => a.includes(reason)) ? a : [...new Set([...a, ...b])].sort(byCodeUnit);
}

function listUnlessSame<T>(known: readonly T[], merged: readonly T[]): readonly T[] {
  return sameList(known, merged) ? known : merged;
}

function join(a: Distinct | undefined, b: Distinct | undefined, max?: number): Distinct | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return union(a, b, max);
}
