import { agreed } from '../evidence/distinct.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, ToolEvidence } from '../evidence/types.js';
import { isWhole } from '../evidence/whole.js';
import { NONE } from './column.js';
import { createDeadlines } from './deadlines.js';
import { createEviction } from './eviction.js';
import { createFingerprints } from './fingerprints.js';
import { createRecentSet } from './recent.js';
import { repeats } from './repetition.js';
import { createRetries, gatherFamily } from './retries.js';
import { createStore } from './store.js';
import { createToolCalls } from './tools.js';
import type { Drained, Due, Offered, Reassembler, ReassemblerOptions, ReassemblySizes } from './types.js';
import { undecidedOf } from './undecided.js';

/** Tool calls often come before the handoff that started their run, whose span ends last. */
const MIN_TOOL_WAIT_MS = 600_000;
const DEFAULT_MAX_BYTES = 2 * 1024 ** 3;
/** Of all bytes, those for tool calls. */
const TOOL_SHARE = 1 / 8;
/**
 * What is due is graded by `popDue`, in steps that its caller chooses. Whatever it left goes first when evidence comes, up to
 * this much for each piece, so that a caller who never pops falls no further behind.
 */
const STEPS_PER_OFFER = 64;
/** Handoffs of waiting tool calls that one call looks at. */
const EXPIRED_PER_CALL = 64;

/** Everything is bounded: attempts by number and bytes, and beside them tool calls, speakers and the memory of what left. */
export function createReassembler(options: ReassemblerOptions): Reassembler {
  const { maxRecords, maxAttempts = 256, maxToolsPerHandoff = 256, maxSpeakers = 20_000, observer = {} } = options;
  const { maxBytes = DEFAULT_MAX_BYTES, hashSeed } = options;
  const store = createStore(hashSeed);
  const eviction = createEviction(store, maxRecords, hashSeed);
  const deadlines = createDeadlines();
  const retries = createRetries();
  const speakers = createRecentSet(maxSpeakers);
  // What left or was refused is remembered as long again as it could have been kept: evidence that comes for it later is
  // counted, and does not begin a second record that would be graded on half of what was known.
  const departed = createFingerprints(2 * maxRecords);
  const refused = createFingerprints(2 * maxRecords);
  // Calls whose handoff never comes are as much of the past by then as a graded record.
  const toolWaitMs = Math.max(options.retentionMs, MIN_TOOL_WAIT_MS);
  const tools = createToolCalls({
    maxPerHandoff: maxToolsPerHandoff,
    max: 4 * maxRecords + maxToolsPerHandoff,
    maxBytes: maxBytes * TOOL_SHARE,
    hashSeed,
    dropped: (count) => observer.toolsDropped?.(count),
  });
  const { receivedAt, wholeAt, gradedAt, reviseAt, recheckAt } = store;
  let ready: Due[] = [];
  let clock = 0;

  const isGraded = (slot: number): boolean => !Number.isNaN(gradedAt.get(slot));
  const isKept = (handoffId: string): boolean => store.slotsOf(handoffId).length > 0;

  function offer(evidence: Evidence, now: number): Offered {
    clock = now;
    catchUp(now, STEPS_PER_OFFER);
    for (const name of evidence.speakers) speakers.add(name);
    const tool = evidence.tool === undefined ? undefined : offerTool(evidence.tool, now);
    const handoff = evidence.handoff === undefined ? undefined : offerRecord(evidence.handoff, now);
    if (handoff === 'over_limit') return handoff;
    if (handoff === 'dropped' || tool === 'dropped') return 'dropped';
    if (handoff === undefined && tool === undefined) return 'admitted';
    return (handoff ?? 'duplicate') === 'duplicate' && (tool ?? 'duplicate') === 'duplicate' ? 'duplicate' : 'admitted';
  }

  function catchUp(now: number, limit: number): void {
    tools.expire(now, toolWaitMs, isKept, EXPIRED_PER_CALL);
    for (let steps = 0; steps < limit; steps += 1) {
      const at = deadlines.next();
      if (at === undefined || at > now) return;
      step(deadlines.popDue(now), at);
    }
  }

  /** Grades or forgets attempts of this id that were due before the evidence that now comes for them. */
  function catchUpWith(handoffId: string, now: number): void {
    for (const slot of store.slotsOf(handoffId)) {
      for (let at = deadlines.at(slot); at !== undefined && at <= now; at = deadlines.at(slot)) {
        deadlines.remove(slot);
        step(slot, at);
      }
    }
  }

  function offerTool(tool: ToolEvidence, now: number): Offered {
    if (tool.runHandoffId === undefined) return 'admitted';
    catchUpWith(tool.runHandoffId, now);
    const result = tools.add(tool.runHandoffId, tool, now);
    if (result !== 'added') return result;
    for (const slot of store.slotsOf(tool.runHandoffId)) if (isGraded(slot)) noteLate(slot, now);
    return 'admitted';
  }

  function offerRecord(record: HandoffRecord, now: number): Offered {
    catchUpWith(record.handoffId, now);
    const slot = store.find(record.handoffId, record.attempt);
    if (slot === NONE) return admit(record, now);
    const known = store.recordOf(slot);
    const merged = mergeRecords(known, record);
    const changed = merged !== known;
    if (changed) store.setRecord(slot, merged);
    if (isGraded(slot)) observer.late?.(now - gradedAt.get(slot));
    if (!changed && repeats(record, known)) return 'duplicate';
    if (isGraded(slot)) noteLate(slot, now, true);
    else schedule(slot, now);
    if (changed) link(slot);
    makeRoom(now, maxRecords);
    return 'admitted';
  }

  function admit(record: HandoffRecord, now: number): Offered {
    const key = recordKey(record);
    if (departed.has(key)) {
      observer.late?.(undefined);
      return 'dropped';
    }
    if (refused.has(key)) return 'over_limit';
    if (store.slotsOf(record.handoffId).length >= maxAttempts) {
      refused.add(key);
      observer.exit?.('dropped');
      return 'over_limit';
    }
    makeRoom(now, maxRecords - 1);
    const slot = store.add(record, now);
    eviction.enter(slot, record);
    link(slot);
    schedule(slot, now);
    makeRoom(now, maxRecords);
    return 'admitted';
  }

  function link(slot: number): void {
    const { handoffId, facts } = store.recordOf(slot);
    const original = agreed(facts.retryOf);
    if (original !== undefined) retries.link(handoffId, original);
  }

  /** Sets when a pending attempt is graded. Both terms count from receipt; neither is ever started again. */
  function schedule(slot: number, now: number): void {
    const record = store.recordOf(slot);
    if (Number.isNaN(wholeAt.get(slot)) && isWhole(record)) store.settle(slot, now);
    // A deadline that new evidence makes shorter than it has waited already ends now, not in the past.
    const due = Math.max(now, Math.min(deadlineOf(slot), settledAt(slot)));
    if (deadlines.at(slot) !== due) deadlines.set(slot, due);
  }

  const deadlineOf = (slot: number): number => receivedAt.get(slot) + options.deadlineMs(store.recordOf(slot));
  const settledAt = (slot: number): number => orNever(wholeAt.get(slot)) + options.settleMs;
  const expiryOf = (slot: number): number => gradedAt.get(slot) + options.retentionMs;
  const revisionAt = (slot: number): number => Math.min(orNever(reviseAt.get(slot)), orNever(recheckAt.get(slot)));

  /** When a graded attempt is looked at next: for a revision, else to be forgotten. */
  function lookAgain(slot: number): void {
    const revision = revisionAt(slot);
    deadlines.set(slot, revision === NEVER ? expiryOf(slot) : revision);
  }

  function noteLate(slot: number, now: number, counted = false): void {
    if (!counted) observer.late?.(now - gradedAt.get(slot));
    if (Number.isNaN(reviseAt.get(slot))) reviseAt.set(slot, now + options.settleMs);
    lookAgain(slot);
  }

  /** Pushes attempts out until no more than `records` are left, and no more bytes than may be. */
  function makeRoom(now: number, records: number): void {
    while (store.size > records || (store.size > 1 && store.bytes > maxBytes * (1 - TOOL_SHARE))) {
      const slot = eviction.victim();
      if (!isGraded(slot)) {
        const due = gradeFirst(slot, now, 'evicted');
        if (due !== undefined) ready.push(due);
      }
      forget(slot);
    }
  }

  /** Lets a graded attempt go, after the revision that it may still be waiting for. */
  function forget(slot: number): void {
    if (revisionAt(slot) !== NEVER) {
      reviseAt.set(slot, NaN);
      recheckAt.set(slot, NaN);
      const due = grade(slot, false);
      if (due !== undefined) ready.push(due);
    }
    const record = store.recordOf(slot);
    store.remove(slot);
    deadlines.remove(slot);
    departed.add(recordKey(record));
    if (isKept(record.handoffId)) return;
    retries.link(record.handoffId, undefined);
    tools.remove(record.handoffId);
  }

  function gradeFirst(slot: number, at: number, exit: 'completed' | 'expired' | 'evicted'): Due | undefined {
    observer.exit?.(exit);
    eviction.leave(slot);
    store.retain(slot, at);
    lookAgain(slot);
    return grade(slot, exit === 'evicted');
  }

  /** `undefined` when there is nothing to grade or the verdict is what it was. */
  function grade(slot: number, evicted: boolean): Due | undefined {
    const record = store.recordOf(slot);
    const siblings = after(slot).map(store.recordOf);
    const graded = options.grade(record, {
      isInstrumented: (agent) => speakers.has(agent),
      tools: tools.of(record.handoffId),
      siblings,
      ...(evicted ? { evicted } : {}),
    });
    if (graded === undefined) return undefined;
    const noted = store.noteVerdict(slot, graded);
    if (noted === 'same') return undefined;
    return { graded, record, siblings, revision: store.revision.get(slot), previous: noted.previous };
  }

  function recheck(handoffId: string, attempt: number, at: number): void {
    const slot = store.find(handoffId, attempt);
    if (slot === NONE || !isGraded(slot) || revisionAt(slot) <= at) return;
    recheckAt.set(slot, at);
    lookAgain(slot);
  }

  function after(slot: number): readonly number[] {
    if (retries.size === 0 && store.isAlone(slot)) return NOBODY;
    const { handoffId, attempt } = store.recordOf(slot);
    return gatherFamily({ handoffId, attempt, attemptsOf: store.attemptsOf, further: retries.of });
  }

  function before(slot: number): readonly number[] {
    if (retries.size === 0 && store.isAlone(slot)) return NOBODY;
    const { handoffId, attempt } = store.recordOf(slot);
    return gatherFamily({ handoffId, attempt, attemptsOf: store.attemptsOf, further: retries.originalOf });
  }

  function popDue(now: number, limit = NEVER): Due[] {
    clock = now;
    catchUp(now, limit);
    const due = ready;
    ready = [];
    return due;
  }

  /** What is due at `at` for a slot that was taken out of the deadlines. */
  function step(slot: number, at: number): void {
    if (!isGraded(slot))
      return deliver(slot, at, gradeFirst(slot, at, settledAt(slot) <= at ? 'completed' : 'expired'));
    const revises = reviseAt.get(slot) <= at;
    const rechecks = recheckAt.get(slot) <= at;
    if (revises || rechecks) {
      if (revises) reviseAt.set(slot, NaN);
      recheckAt.set(slot, NaN);
      lookAgain(slot);
      const due = grade(slot, false);
      if (revises) deliver(slot, at, due);
      else if (due !== undefined) ready.push(due);
      return;
    }
    const needed = neededUntil(slot, at);
    if (needed === undefined) forget(slot);
    else deadlines.set(slot, needed);
  }

  /**
   * Recovery rests on later attempts: a verdict on one of them may change those before it. They are looked at again after all
   * that was due before, each once for all that changed.
   */
  function deliver(slot: number, at: number, due: Due | undefined): void {
    if (due === undefined) return;
    ready.push(due);
    for (const earlier of before(slot)) {
      if (!isGraded(earlier) || !Number.isNaN(recheckAt.get(earlier))) continue;
      recheckAt.set(earlier, at);
      lookAgain(earlier);
    }
  }

  /**
   * A retry outlives what it retried: without it a late revision would say that nothing made up for the fault. Equal
   * times come out in the order they were set, so a grade or revision due now goes before what is set here.
   */
  function neededUntil(slot: number, at: number): number | undefined {
    let needed: number | undefined;
    for (const earlier of before(slot)) {
      const revision = revisionAt(earlier);
      const waits = !isGraded(earlier) || revision !== NEVER;
      const until = isGraded(earlier) ? (waits ? revision : expiryOf(earlier)) : deadlineOf(earlier);
      if (waits || until > at) needed = Math.max(needed ?? at, until);
    }
    return needed;
  }

  function drain(now: number): Drained {
    clock = now;
    catchUp(now, NEVER);
    const late = [...store.retained.values()].filter((slot) => !Number.isNaN(reviseAt.get(slot)));
    for (const slot of [...store.settling.values()]) deliver(slot, now, gradeFirst(slot, now, 'completed'));
    for (const slot of late) {
      reviseAt.set(slot, NaN);
      lookAgain(slot);
      deliver(slot, now, grade(slot, false));
    }
    const due = popDue(now);
    return { due, undecided: Array.from(store.incomplete.values(), (slot) => undecidedOf(store.recordOf(slot))) };
  }

  return {
    offer,
    recheck,
    popDue,
    drain,
    next: () => (ready.length > 0 ? clock : deadlines.next()),
    oldestReceipt() {
      const oldest = store.arrivals.first();
      return oldest === NONE ? undefined : receivedAt.get(oldest);
    },
    sizes: (): ReassemblySizes => ({
      pending: store.incomplete.size + store.settling.size,
      retained: store.retained.size,
      ready: ready.length,
      tools: tools.size,
      speakers: speakers.size,
      bytes: store.bytes + tools.bytes,
    }),
  };
}

const NEVER = Number.POSITIVE_INFINITY;
const NOBODY: readonly number[] = [];

/** A time that was never set lies after all others. */
function orNever(time: number): number {
  return Number.isNaN(time) ? NEVER : time;
}
