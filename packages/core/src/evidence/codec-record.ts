import { type TokenReader, type TokenWriter, corrupt } from './codec-tokens.js';
import type { Distinct } from './distinct.js';
import { SILENT_SIDE } from './handoff.js';
import { readRef, writeRef } from './codec-ref.js';
import { EMPTY_STAGE } from './stage.js';
import type {
  CaptureReason,
  CompleteCapture,
  FactName,
  HandoffRecord,
  SideRecord,
  StageExecution,
  StageRecord,
} from './types.js';

/** Names of facts by their code. Part of the format: append only. A name that is not listed is written as a text. */
const FACT_NAMES =
  `route target destination destinationAgent source task taskParent taskOwner case correlation kind mode
  leg inReplyTo retryOf sourceRole targetRole hopIndex hopLimit hopPath payloadSize payloadSizeByDestination payloadTextSize
  payloadReferences payloadChannel dispatchOutcome ingestOutcome ingestOffset dispatchCriteria ingestCriteria goalDigest
  stateDigest envelopeDialect envelopeVersion envelopeDegraded
  budget.limit.tokens budget.limit.wall_clock_ms budget.limit.tool_calls budget.limit.retries budget.limit.cost_micros
  budget.limit.escalations budget.consumed.tokens budget.consumed.wall_clock_ms budget.consumed.tool_calls
  budget.consumed.retries budget.consumed.cost_micros budget.consumed.escalations
  consumerRootTrace destinationReads evidence targetGuess`.split(/\s+/) as FactName[];
const FACT_CODES: ReadonlyMap<string, number> = new Map(FACT_NAMES.map((name, code) => [name, code]));
/** In place of a code: the name follows as a text. */
const NAMED = -1;

const MORE_COMPLETE = 1;
const MORE_NAMES = 2;
/** The names are those of the first complete capture, which is what an ordinary span says. */
const NAMES_ARE_KEYS = 4;

export function writeRecord(out: TokenWriter, record: HandoffRecord): void {
  out.text(record.handoffId);
  out.put(record.attempt);
  writeFacts(out, record.facts);
  writeSide(out, record.sides.producer);
  writeSide(out, record.sides.consumer);
  writeStage(out, record.stages.source);
  writeStage(out, record.stages.payload);
  writeStage(out, record.stages.destination);
  out.distinct(record.violations);
  out.list(record.doubts);
  writeRef(out, record.dispatchSpan);
  writeRef(out, record.ingestSpan);
  writeRef(out, record.runSpan);
}

export function readRecord(from: TokenReader): HandoffRecord {
  return {
    handoffId: from.text(),
    attempt: from.number(),
    facts: readFacts(from),
    sides: { producer: readSide(from), consumer: readSide(from) },
    stages: { source: readStage(from), payload: readStage(from), destination: readStage(from) },
    violations: from.distinct(),
    doubts: from.list() as CaptureReason[],
    dispatchSpan: readRef(from),
    ingestSpan: readRef(from),
    runSpan: readRef(from),
  };
}

/** In one order, whatever order the facts were stated in: equal records are equal bytes. */
function writeFacts(out: TokenWriter, facts: HandoffRecord['facts']): void {
  const codes: number[] = [];
  const named: FactName[] = [];
  for (const name of Object.keys(facts) as FactName[]) {
    const code = FACT_CODES.get(name);
    if (code === undefined) named.push(name);
    else insert(codes, code);
  }
  out.put(codes.length + named.length);
  for (const code of codes) {
    out.put(code);
    out.distinct(facts[FACT_NAMES[code]!]);
  }
  for (const name of named.sort()) {
    out.put(NAMED);
    out.text(name);
    out.distinct(facts[name]);
  }
}

/** Into a sorted list; what is last in it mostly stays so, as facts are stated about in the order of their codes. */
function insert(codes: number[], code: number): void {
  let at = codes.length;
  for (; at > 0 && codes[at - 1]! > code; at -= 1) codes[at] = codes[at - 1]!;
  codes[at] = code;
}

function readFacts(from: TokenReader): HandoffRecord['facts'] {
  const facts: Partial<Record<FactName, Distinct>> = {};
  for (let left = from.count(); left > 0; left -= 1) {
    const code = from.number();
    const name = code === NAMED ? (from.text() as FactName) : FACT_NAMES[code];
    const value = from.distinct();
    if (name === undefined || value === undefined) corrupt(`has a fact ${code} without name or value`);
    // `__proto__` would be swallowed by an assignment.
    Object.defineProperty(facts, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return facts;
}

function writeSide(out: TokenWriter, side: SideRecord): void {
  const { version, required, permitted, payloadDigest, traceIds, linkedTraceIds } = side;
  // No span of it was seen, as of most sides of most pieces.
  const stated = version ?? required ?? permitted ?? payloadDigest ?? traceIds ?? linkedTraceIds;
  if (!side.speaks && stated === undefined) return out.put(null);
  out.put(side.speaks);
  out.distinct(version);
  out.distinct(required);
  out.distinct(permitted);
  out.distinct(payloadDigest);
  out.distinct(traceIds);
  out.distinct(linkedTraceIds);
}

function readSide(from: TokenReader): SideRecord {
  if (from.absent()) return SILENT_SIDE;
  return {
    speaks: from.flag(),
    version: from.distinct(),
    required: from.distinct(),
    permitted: from.distinct(),
    payloadDigest: from.distinct(),
    traceIds: from.distinct(),
    linkedTraceIds: from.distinct(),
  };
}

function writeStage(out: TokenWriter, stage: StageRecord): void {
  if (stage.executions.length === 0 && !stage.moreExecutions) return out.put(null);
  out.put(stage.moreExecutions);
  out.put(stage.executions.length);
  for (const execution of stage.executions) writeExecution(out, execution);
}

function readStage(from: TokenReader): StageRecord {
  if (from.absent()) return EMPTY_STAGE;
  const moreExecutions = from.flag();
  const executions: StageExecution[] = [];
  for (let left = from.count(); left > 0; left -= 1) executions.push(readExecution(from));
  return { executions, moreExecutions };
}

function writeExecution(out: TokenWriter, execution: StageExecution): void {
  const { complete, names } = execution;
  const keys = complete[0]?.keys;
  const namesAreKeys = keys !== undefined && equal(keys, names);
  out.put(execution.execution);
  out.put(
    (execution.moreComplete ? MORE_COMPLETE : 0) |
      (execution.moreNames ? MORE_NAMES : 0) |
      (namesAreKeys ? NAMES_ARE_KEYS : 0),
  );
  out.put(complete.length);
  for (const capture of complete) {
    out.list(capture.keys);
    out.list(capture.searched);
  }
  if (!namesAreKeys) out.list(names);
  out.list(execution.reasons);
  out.distinct(execution.stateRef);
  out.distinct(execution.valueDigests);
}

function readExecution(from: TokenReader): StageExecution {
  const execution = from.number();
  const flags = from.number();
  const complete: CompleteCapture[] = [];
  for (let left = from.count(); left > 0; left -= 1) complete.push({ keys: from.list(), searched: from.list() });
  const names = (flags & NAMES_ARE_KEYS) === 0 ? from.list() : complete[0]?.keys;
  if (names === undefined) corrupt('refers to a capture that is not there');
  return {
    execution,
    complete,
    moreComplete: (flags & MORE_COMPLETE) !== 0,
    names,
    moreNames: (flags & MORE_NAMES) !== 0,
    reasons: from.list() as CaptureReason[],
    stateRef: from.distinct(),
    valueDigests: from.distinct(),
  };
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((value, at) => value === b[at]));
}
