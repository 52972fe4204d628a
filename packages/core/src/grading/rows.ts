import { type Boundary, type Reason, STAGES, type Stage, type Verdict } from '@seamtrace/semconv';
import { isContractKey, parseKeyPath, sortUnique } from '@seamtrace/contracts';
import { disputed } from '../evidence/distinct.js';
import { foldName } from '../evidence/fold-name.js';
import { looksMasked, looksRewritten } from '../evidence/masked.js';
import type { FactName, HandoffRecord } from '../evidence/types.js';
import { type Check, checkKeys, type StageView } from './capture.js';
import { type ContractResolution, type SideContract, statedPermitted } from './contract.js';
import { declared, oneAgent, sameAgent } from './names.js';
import type { Subject } from './subject.js';
import { isInferred, isWhole } from '../evidence/whole.js';

/** What the first row that applies says. */
export interface Ruling {
  readonly verdict: Verdict;
  readonly boundary: Boundary;
  readonly missingKeys: readonly string[];
  readonly reason: Reason | undefined;
}

type Row = (subject: Subject) => Ruling | undefined;

/** The first row that applies decides (wire contract, section 5). */
export function rule(subject: Subject): Ruling {
  const ruling = apply(ROWS, subject);
  const cutShort = subject.context.evicted === true && !isWhole(subject.record);
  const absent = ruling.boundary === 'destination_capture' && ruling.reason === 'name_unresolved';
  return cutShort && ruling.reason !== undefined && (absent || ABSENCES.has(ruling.reason))
    ? { ...ruling, reason: 'evicted' }
    : ruling;
}

/** Reasons that the evidence which eviction did not wait for could have removed. */
const ABSENCES: ReadonlySet<Reason> = new Set(['span_missing', 'uninstrumented', 'target_unknown', 'no_contract']);

/** Rows 4 to 12 alone: what a handoff is worth against the contract of a route that is taken as given. */
export function ruleContext(subject: Subject): Ruling {
  return apply(CONTEXT_ROWS, subject);
}

function apply(rows: readonly Row[], subject: Subject): Ruling {
  for (const row of rows) {
    const ruling = row(subject);
    if (ruling !== undefined) return ruling;
  }
  return PASSED;
}

/** Row 12: every row before it looked and found nothing. */
const PASSED: Ruling = { verdict: 'passed', boundary: 'none', missingKeys: [], reason: undefined };

const CONTEXT_ROWS: readonly Row[] = [
  contractKnown, // 4: without required keys there is nothing to compare
  contractsAgree, // 5: before comparing keys, both sides must mean the same ones
  captureOf('source', 'source_capture'), // 6: absence in a partial observation proves nothing
  lossAt('source', 'producer', 'upstream_context_missing', 'before_handoff'), // 7: the source comes before packaging
  captureOf('payload', 'payload_capture'), // 8
  lossAt('payload', 'producer', 'packaging_loss', 'source_to_payload'), // 9: packaging comes before ingestion
  dispatched, // a handoff that never left cannot have been ingested
  captureOf('destination', 'destination_capture'), // 10
  destinationKnown, // a capture of nobody's cannot show that the target lost something
  lossAt('destination', 'consumer', 'ingestion_loss', 'payload_to_destination'), // 11
];

const ROWS: readonly Row[] = [
  identityAgrees, // 1: before anything else, it must be one handoff
  targetKnown, // 2: nobody can be the wrong destination of an unknown target
  destinationIsTarget, // 3: other destinations have other contracts, so the route comes before context
  ...CONTEXT_ROWS,
];

function identityAgrees({ record, context }: Subject): Ruling | undefined {
  const { target, destination = record.facts.destinationAgent } = record.facts;
  const exact: readonly FactName[] = ['route', 'task', 'case'];
  const conflict =
    [target, destination].some((stated) => stated !== undefined && !oneAgent(stated, context.contracts)) ||
    exact.some((name) => disputed(record.facts[name])) ||
    idReused(record);
  return conflict ? insufficient('identity', 'identity_conflict') : undefined;
}

/** A consumer restates the digest of a payload that the producer never dispatched under this id. */
export function idReused(record: HandoffRecord): boolean {
  const sent = record.sides.producer.payloadDigest;
  const restated = record.sides.consumer.payloadDigest;
  if (sent === undefined || restated === undefined || sent.more) return false;
  return restated.more || restated.values.some((digest) => !sent.values.includes(digest));
}

function targetKnown({ target }: Subject): Ruling | undefined {
  return target === undefined ? insufficient('route', 'target_unknown') : undefined;
}

function destinationIsTarget(subject: Subject): Ruling | undefined {
  const { destination, target, record } = subject;
  const { contracts } = subject.context;
  // A target that a tool's name tells is no target that anybody stated.
  if (isInferred(record) && record.facts.target === undefined) return insufficient('route', 'name_unresolved');
  if (destination === undefined || target === undefined) return undefined;
  const undeclared = [destination, target].filter((name) => declared(name, contracts) === undefined);
  const same = sameAgent(destination, target, contracts);
  // Two names masked alike say nothing; an agent may well be called X, though.
  if (undeclared.some((name) => looksRewritten(name) && !(same && name.length === 1))) {
    return insufficient('route', 'name_unresolved');
  }
  if (same) return undefined;
  if (isInferred(record)) return insufficient('route', 'name_unresolved');
  const [doubt] = record.doubts;
  if (doubt !== undefined) return insufficient('route', doubt);
  if (undeclared.length > 0 && (shortened(destination, target) || shortened(target, destination))) {
    return insufficient('route', 'name_unresolved');
  }
  return { verdict: 'routing_mismatch', boundary: 'route', missingKeys: [], reason: undefined };
}

/** One name may be a beginning of the other: an attribute limit cuts without a trace. */
function shortened(name: string, other: string): boolean {
  return foldName(other).startsWith(foldName(name));
}

function contractKnown({ contract }: Subject): Ruling | undefined {
  return !contract.ok && contract.row === 'unknown' ? insufficient('contract', 'no_contract') : undefined;
}

function contractsAgree({ contract }: Subject): Ruling | undefined {
  return !contract.ok && contract.row === 'conflict' ? insufficient('contract_version', 'version_mismatch') : undefined;
}

function dispatched({ notDispatched }: Subject): Ruling | undefined {
  return notDispatched ? insufficient('destination_capture', 'not_dispatched') : undefined;
}

function destinationKnown({ destination }: Subject): Ruling | undefined {
  return destination === undefined ? insufficient('destination_capture', 'name_unresolved') : undefined;
}

function captureOf(stage: Stage, boundary: Boundary): Row {
  return (subject) => {
    const view = subject.stages[stage];
    if (!view.known) return insufficient(boundary, view.reason);
    const side = sideContract(subject.contract, stage === 'destination' ? 'consumer' : 'producer');
    const { unknown } = check(view, side);
    return unknown.length > 0 ? insufficient(boundary, 'unsupported') : undefined;
  };
}

function lossAt(stage: Stage, side: 'producer' | 'consumer', verdict: Verdict, boundary: Boundary): Row {
  return (subject) => {
    const contract = sideContract(subject.contract, side);
    const view = subject.stages[stage];
    const { missing } = check(view, contract);
    if (missing.length === 0) return undefined;
    const [doubtful] = missing.filter((key) => !contract.confirmed && doubtfulKey(key, view, subject));
    if (doubtful !== undefined) return insufficient('contract', looksMasked(doubtful) ? 'redacted' : 'truncated');
    return { verdict, boundary, missingKeys: sortUnique(missing), reason: undefined };
  };
}

/**
 * A required key that only spans state, and that may not be what was written: an attribute limit shortens names without
 * a trace, and a collector rewrites them. A capture that holds the key confirms it, since its digest protects it; so does
 * a permitted list where the key merely begins like another.
 */
function doubtfulKey(key: string, view: StageView, { record, stages }: Subject): boolean {
  if (STAGES.some((stage) => holds(stages[stage], key))) return false;
  if (looksRewritten(key) || !isContractKey(key) || !parseKeyPath(key).ok) return true;
  if (statedPermitted(record).has(key)) return false;
  return view.known && view.capture.keys.some((name) => name !== key && name.startsWith(key));
}

function holds(view: StageView, key: string): boolean {
  return view.known && view.capture.keys.includes(key);
}

function check(view: StageView, contract: SideContract): Check {
  return view.known ? checkKeys(view.capture, contract.required) : { missing: [], unknown: [] };
}

/** Rows 4 and 5 stand before every row that asks for a contract. */
function sideContract(contract: ContractResolution, side: 'producer' | 'consumer'): SideContract {
  if (!contract.ok) throw new Error('a context row ran before the contract rows');
  return contract[side];
}

function insufficient(boundary: Boundary, reason: Reason): Ruling {
  return { verdict: 'insufficient_evidence', boundary, missingKeys: [], reason };
}
