import { BUDGET_COUNTERS, type BudgetCounter } from '@seamtrace/semconv';
import { agreed, disputed } from '../evidence/distinct.js';
import type { FactName, HandoffRecord, SpanRef } from '../evidence/types.js';
import { idReused } from '../grading/rows.js';
import { earlierSpan, laterSpan } from '../evidence/spans.js';

/** Facts of a handoff that outlive its record in the memory of its task. */
export const HOP_FACTS = [
  'task',
  'taskParent',
  'taskOwner',
  'retryOf',
  'inReplyTo',
  'leg',
  'kind',
  'mode',
  'route',
  'source',
  'target',
  'destination',
  'destinationAgent',
  'hopIndex',
  'hopLimit',
  'hopPath',
  'payloadSize',
  'payloadSizeByDestination',
  'dispatchOutcome',
  'ingestOutcome',
  'goalDigest',
  'stateDigest',
  ...BUDGET_COUNTERS.flatMap((counter) => [`budget.limit.${counter}`, `budget.consumed.${counter}`] as const),
  'parentHandoff',
  'evidence',
  'targetGuess',
] as const satisfies readonly FactName[];

export type HopFact = (typeof HOP_FACTS)[number];

/**
 * One attempt of a handoff as its task remembers it, when the record itself has been let go: plain JSON, at most about
 * 4 KiB. A fact is stated with the one value that all spans agree on, or named in `disputed`, or unknown.
 */
export interface TaskHop {
  readonly handoffId: string;
  readonly attempt: number;
  readonly facts: Readonly<Partial<Record<HopFact, string>>>;
  /** Facts that two spans state differently, or that are too long to be kept: nothing rests on them. Sorted. */
  readonly disputed: readonly HopFact[];
  /** Its identity is in doubt: nobody is accused on it. */
  readonly doubtful: boolean;
  readonly dispatchSpan: SpanRef | undefined;
  readonly ingestSpan: SpanRef | undefined;
  readonly runSpan: SpanRef | undefined;
}

const MAX_FACT_CHARACTERS = 256;
const MAX_PATH_CHARACTERS = 2048;
const MAX_ERROR_TYPE_CHARACTERS = 64;

/** What a task remembers of one attempt. */
export function hopOf(record: HandoffRecord): TaskHop {
  const facts: Partial<Record<HopFact, string>> = {};
  const unknown: HopFact[] = [];
  // Far fewer facts are stated than there are names.
  for (const name of Object.keys(record.facts) as FactName[]) {
    const stated = record.facts[name];
    if (stated === undefined || !isHopFact(name)) continue;
    const value = disputed(stated) ? undefined : agreed(stated);
    const max = name === 'hopPath' ? MAX_PATH_CHARACTERS : MAX_FACT_CHARACTERS;
    if (value === undefined || value.length > max) unknown.push(name);
    else facts[name] = value;
  }
  return {
    handoffId: record.handoffId,
    attempt: record.attempt,
    facts,
    disputed: unknown.sort(),
    doubtful: record.doubts.length > 0 || idReused(record),
    dispatchSpan: bounded(record.dispatchSpan),
    ingestSpan: bounded(record.ingestSpan),
    runSpan: bounded(record.runSpan),
  };
}

const NAMES: ReadonlySet<string> = new Set(HOP_FACTS);

function isHopFact(name: FactName): name is HopFact {
  return NAMES.has(name);
}

/** Joins what two records of one attempt left behind. Commutative, associative and idempotent. */
export function mergeHops(a: TaskHop, b: TaskHop): TaskHop {
  const facts: Partial<Record<HopFact, string>> = {};
  const disputed: HopFact[] = [];
  for (const name of HOP_FACTS) {
    const [x, y] = [a.facts[name], b.facts[name]];
    const differ = x !== undefined && y !== undefined && x !== y;
    if (differ || a.disputed.includes(name) || b.disputed.includes(name)) disputed.push(name);
    else if ((x ?? y) !== undefined) facts[name] = (x ?? y)!;
  }
  return {
    handoffId: a.handoffId,
    attempt: a.attempt,
    facts,
    disputed: disputed.sort(),
    doubtful: a.doubtful || b.doubtful,
    dispatchSpan: earlierSpan(a.dispatchSpan, b.dispatchSpan),
    ingestSpan: earlierSpan(a.ingestSpan, b.ingestSpan),
    runSpan: laterSpan(a.runSpan, b.runSpan),
  };
}

/** Identity of an attempt within its task. */
export function hopKey({ handoffId, attempt }: Pick<TaskHop, 'handoffId' | 'attempt'>): string {
  return `${handoffId}~${attempt}`;
}

/** A number that a hop states; `undefined` where it is unknown or disputed. */
export function hopNumber(hop: TaskHop, name: HopFact): number | undefined {
  const value = hop.facts[name];
  return value === undefined ? undefined : Number(value);
}

export function consumedBy(hop: TaskHop, counter: BudgetCounter): number | undefined {
  return hopNumber(hop, CONSUMED[counter]);
}

export function limitOf(hop: TaskHop, counter: BudgetCounter): number | undefined {
  return hopNumber(hop, LIMIT[counter]);
}

/** What a task may use of each counter, and what it had used, by their names in {@link HOP_FACTS}. */
export const LIMIT = named((counter) => `budget.limit.${counter}` as const);
export const CONSUMED = named((counter) => `budget.consumed.${counter}` as const);

function named<T extends HopFact>(name: (counter: BudgetCounter) => T): Readonly<Record<BudgetCounter, T>> {
  return Object.fromEntries(BUDGET_COUNTERS.map((counter) => [counter, name(counter)])) as Record<BudgetCounter, T>;
}

/** Work went out by it: a leg that nobody states goes forward; one that is disputed is neither. */
export function isForward({ facts, disputed: unknown }: TaskHop): boolean {
  return !unknown.includes('leg') && facts.leg !== 'return';
}

/** The kind of handoff; `undefined` where statements differ. */
export function kindOf({ facts, disputed: unknown }: TaskHop): string | undefined {
  return unknown.includes('kind') ? undefined : (facts.kind ?? 'agent_to_agent');
}

/** Who took it, as stated, else the agent whose span the destination's is. */
export function takerOf({ facts, disputed: unknown }: TaskHop): string | undefined {
  return unknown.includes('destination') ? undefined : (facts.destination ?? facts.destinationAgent);
}

/** The producer refused to dispatch it, or the framework never ran it. */
export function isUndispatched({ facts }: TaskHop): boolean {
  return facts.dispatchOutcome === 'prevented' || facts.dispatchOutcome === 'dropped';
}

/** The destination took it: it says so, or without a word about the outcome its ingest or run was seen. */
export function isTaken(hop: TaskHop): boolean {
  const { facts, ingestSpan, runSpan } = hop;
  if (hop.disputed.includes('ingestOutcome')) return false;
  if (facts.ingestOutcome !== undefined) return facts.ingestOutcome === 'accepted' || facts.ingestOutcome === 'warned';
  return ingestSpan !== undefined || runSpan !== undefined;
}

/** By place on the path, then id and attempt: a total order that does not depend on receipt. */
export function compareHops(a: TaskHop, b: TaskHop): number {
  return (
    (hopNumber(a, 'hopIndex') ?? Number.MAX_SAFE_INTEGER) - (hopNumber(b, 'hopIndex') ?? Number.MAX_SAFE_INTEGER) ||
    (a.handoffId < b.handoffId ? -1 : a.handoffId > b.handoffId ? 1 : a.attempt - b.attempt)
  );
}

function bounded(span: SpanRef | undefined): SpanRef | undefined {
  if (span?.errorType === undefined || span.errorType.length <= MAX_ERROR_TYPE_CHARACTERS) return span;
  return { ...span, errorType: span.errorType.slice(0, MAX_ERROR_TYPE_CHARACTERS) };
}
