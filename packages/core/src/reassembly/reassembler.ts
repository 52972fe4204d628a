import { agreed } from '../evidence/distinct.js';
import { mergeRecords, recordKey } from '../evidence/merge.js';
import type { Evidence, HandoffRecord, ToolEvidence } from '../evidence/types.js';
import { isWhole } from '../evidence/whole.js';
import { createDeadlines } from './deadlines.js';
import type { Entry } from './entry.js';
import { createRecentSet } from './recent.js';
import { addsNothing } from './repetition.js';
import { createShelf } from './shelf.js';
import { createToolCalls } from './tools.js';
import type { Drained, Due, Offered, ReassemblerOptions, ReassemblySizes } from './types.js';
import { undecidedOf } from './undecided.js';

/** Gathers evidence by (handoff id, attempt) and says when which verdict is due. `now` is milliseconds, never decreasing. */
export interface Reassembler {
  /** Takes what one span contributes. May push out other attempts; their verdicts come with the next `popDue`. */
  offer(evidence: Evidence, now: number): Offered;
  /**
   * Verdicts due at `now` (a time of exactly `now` is due): first verdicts and late evidence, then the revisions that they
   * bring about. Does at most `limit` steps, so that a caller can give way in between. Call again while `next()` is not after `now`.
   */
  popDue(now: number, limit?: number): Due[];
  /** When `popDue` has something to do next; `undefined` when nothing is waiting. */
  next(): number | undefined;
  /** Grades what is whole and what late evidence waits for; lists what stays ungraded. For a stop: nothing is kept. */
  drain(now: number): Drained;
  /** Receipt of the oldest evidence that is still needed; what a journal holds from before can go. */
  oldestReceipt(): number | undefined;
  sizes(): ReassemblySizes;
}

/** Tool calls often come before the handoff that started their run, whose span ends last. */
const MIN_TOOL_WAIT_MS = 600_000;

/** Everything is bounded: attempts by `maxRecords`, and beside them tool calls, speakers and the memory of what left. */
export function createReassembler(options: ReassemblerOptions): Reassembler {
  const { maxRecords, maxAttempts = 256, maxToolsPerHandoff = 256, maxSpeakers = 20_000, observer = {} } = options;
  const shelf = createShelf();
  const { relatives } = shelf;
  const deadlines = createDeadlines();
  const speakers = createRecentSet(maxSpeakers);
  // What left or was refused is remembered as long again as it could have been kept: evidence that comes for it later is
  // counted, and does not begin a second record that would be graded on half of what was known.
  const departed = createRecentSet(2 * maxRecords);
  const refused = createRecentSet(2 * maxRecords);
  // Calls whose handoff never comes are as much of the past by then as a graded record.
  const toolWaitMs = Math.max(options.retentionMs, MIN_TOOL_WAIT_MS);
  const tools = createToolCalls({
    maxPerHandoff: maxToolsPerHandoff,
    max: 4 * maxRecords + maxToolsPerHandoff,
    dropped: (count) => observer.toolsDropped?.(count),
  });
  let ready: Due[] = [];
  let clock = 0;

  function offer(evidence: Evidence, now: number): Offered {
    clock = now;
    for (const name of evidence.speakers) speakers.add(name);
    const tool = evidence.tool === undefined ? undefined : offerTool(evidence.tool, now);
    const handoff = evidence.handoff === undefined ? undefined : offerRecord(evidence.handoff, now);
    if (handoff === 'over_limit') return handoff;
    if (handoff === 'dropped' || tool === 'dropped') return 'dropped';
    if (handoff === undefined && tool === undefined) return 'admitted';
    return (handoff ?? 'duplicate') === 'duplicate' && (tool ?? 'duplicate') === 'duplicate' ? 'duplicate' : 'admitted';
  }

  function offerTool(tool: ToolEvidence, now: number): Offered {
    if (tool.runHandoffId === undefined) return 'admitted';
    const result = tools.add(tool.runHandoffId, tool, now);
    if (result !== 'added') return result;
    for (const entry of relatives.attemptsOf(tool.runHandoffId).values()) {
      if (entry.gradedAt !== undefined) noteLate(entry, now);
    }
    return 'admitted';
  }

  function offerRecord(record: HandoffRecord, now: number): Offered {
    const key = recordKey(record);
    const known = shelf.get(key);
    if (known === undefined) return admit(key, record, now);
    const merged = mergeRecords(known.record, record);
    if (known.gradedAt !== undefined) observer.late?.(now - known.gradedAt);
    if (addsNothing(record, known.record, merged)) return 'duplicate';
    known.record = merged;
    if (known.gradedAt === undefined) schedule(known, now);
    else noteLate(known, now, true);
    link(known);
    return 'admitted';
  }

  function admit(key: string, record: HandoffRecord, now: number): Offered {
    if (departed.has(key)) {
      observer.late?.(undefined);
      return 'dropped';
    }
    if (refused.has(key)) return 'over_limit';
    if (relatives.attemptsOf(record.handoffId).size >= maxAttempts) {
      refused.add(key);
      observer.exit?.('dropped');
      return 'over_limit';
    }
    if (shelf.size >= maxRecords) makeRoom(now);
    const entry = shelf.add(record, now);
    link(entry);
    schedule(entry, now);
    return 'admitted';
  }

  function link(entry: Entry): void {
    const { handoffId, facts } = entry.record;
    const original = agreed(facts.retryOf);
    if (original !== undefined) relatives.link(handoffId, original);
  }

  /** Sets when a pending attempt is graded. Both terms count from receipt; neither is ever started again. */
  function schedule(entry: Entry, now: number): void {
    if (entry.wholeAt === undefined && isWhole(entry.record)) shelf.settle(entry, now);
    deadlines.set(entry.key, Math.min(deadlineOf(entry), settledAt(entry)));
  }

  const deadlineOf = (entry: Entry): number => entry.receivedAt + options.deadlineMs(entry.record);
  const settledAt = (entry: Entry): number => (entry.wholeAt ?? Number.POSITIVE_INFINITY) + options.settleMs;
  const expiryOf = (entry: Entry): number => entry.gradedAt! + options.retentionMs;

  function noteLate(entry: Entry, now: number, counted = false): void {
    if (!counted) observer.late?.(now - entry.gradedAt!);
    entry.reviseAt ??= now + options.settleMs;
    deadlines.set(entry.key, entry.reviseAt);
  }

  /** Pushes one attempt out: a graded one first, then the one that has been incomplete longest, then a settling one. */
  function makeRoom(now: number): void {
    const graded = shelf.retained.first();
    if (graded !== undefined) return forget(graded, now);
    const entry = (shelf.incomplete.first() ?? shelf.settling.first())!;
    const due = gradeFirst(entry, now, 'evicted');
    if (due !== undefined) ready.push(due);
    forget(entry, now);
  }

  /** Lets a graded attempt go, after the revision that its late evidence may still be waiting for. */
  function forget(entry: Entry, now: number): void {
    if (entry.reviseAt !== undefined) {
      const due = revise(entry);
      if (due !== undefined) ready.push(due);
    }
    const { handoffId } = entry.record;
    shelf.remove(entry);
    deadlines.remove(entry.key);
    if (relatives.attemptsOf(handoffId).size === 0) tools.remove(handoffId);
    departed.add(entry.key);
    clock = now;
  }

  function gradeFirst(entry: Entry, now: number, exit: 'completed' | 'expired' | 'evicted'): Due | undefined {
    observer.exit?.(exit);
    shelf.retain(entry, now);
    deadlines.set(entry.key, expiryOf(entry));
    return grade(entry, exit === 'evicted');
  }

  function revise(entry: Entry): Due | undefined {
    entry.reviseAt = undefined;
    deadlines.set(entry.key, expiryOf(entry));
    return grade(entry, false);
  }

  /** `undefined` when there is nothing to grade or the verdict is what it was. */
  function grade(entry: Entry, evicted: boolean): Due | undefined {
    const { record } = entry;
    const siblings = relatives.after(record.handoffId, record.attempt).map((member) => member.record);
    const graded = options.grade(record, {
      isInstrumented: (agent) => speakers.has(agent),
      tools: tools.of(record.handoffId),
      siblings,
      ...(evicted ? { evicted } : {}),
    });
    const previous = entry.verdict;
    if (graded === undefined) return undefined;
    if (previous !== undefined && JSON.stringify(previous.graded) === JSON.stringify(graded)) {
      entry.verdict = { ...previous, record };
      return undefined;
    }
    const revision = (previous?.revision ?? 0) + 1;
    entry.verdict = { graded, record, revision };
    return { graded, record, siblings, revision, previous };
  }

  function popDue(now: number, limit = Number.POSITIVE_INFINITY): Due[] {
    clock = now;
    tools.expire(now, toolWaitMs, (handoffId) => relatives.attemptsOf(handoffId).size > 0);
    const due: Due[] = [];
    const touched = new Set<Entry>();
    for (let steps = 0; steps < limit; steps += 1) {
      const key = deadlines.popDue(now);
      if (key === undefined) break;
      const entry = shelf.get(key)!;
      const verdict = step(entry, now);
      if (verdict === undefined) continue;
      due.push(verdict);
      touched.add(entry);
    }
    due.push(...reviseBefore(touched));
    const first = ready;
    ready = [];
    return first.length === 0 ? due : [...first, ...due];
  }

  function step(entry: Entry, now: number): Due | undefined {
    if (entry.gradedAt === undefined) return gradeFirst(entry, now, settledAt(entry) <= now ? 'completed' : 'expired');
    if (entry.reviseAt !== undefined) return revise(entry);
    const needed = neededUntil(entry, now);
    if (needed === undefined) forget(entry, now);
    else deadlines.set(entry.key, needed);
    return undefined;
  }

  /**
   * A retry outlives what it retried: without it a late revision would say that nothing made up for the fault. Equal
   * times come out in the order they were set, so a grade or revision due now goes before what is set here.
   */
  function neededUntil({ record }: Entry, now: number): number | undefined {
    let needed: number | undefined;
    for (const earlier of relatives.before(record.handoffId, record.attempt)) {
      const waits = earlier.gradedAt === undefined || earlier.reviseAt !== undefined;
      const until = earlier.reviseAt ?? (earlier.gradedAt === undefined ? deadlineOf(earlier) : expiryOf(earlier));
      if (waits || until > now) needed = Math.max(needed ?? now, until);
    }
    return needed;
  }

  /** Recovery rests on later attempts: a verdict on one of them may change those before it. */
  function reviseBefore(touched: ReadonlySet<Entry>): Due[] {
    const earlier = new Set<Entry>();
    for (const { record } of touched) {
      for (const entry of relatives.before(record.handoffId, record.attempt)) {
        if (entry.gradedAt !== undefined && !touched.has(entry)) earlier.add(entry);
      }
    }
    return [...earlier].map((entry) => grade(entry, false)).filter((due) => due !== undefined);
  }

  function drain(now: number): Drained {
    const due = popDue(now);
    const touched = new Set<Entry>();
    const late = [...shelf.retained.values()].filter((entry) => entry.reviseAt !== undefined);
    const whole = [...shelf.settling.values()];
    for (const entry of [...whole, ...late]) {
      const verdict = entry.gradedAt === undefined ? gradeFirst(entry, now, 'completed') : revise(entry);
      touched.add(entry);
      if (verdict !== undefined) due.push(verdict);
    }
    due.push(...reviseBefore(touched));
    return { due, undecided: [...shelf.incomplete.values()].map(undecidedOf) };
  }

  return {
    offer,
    popDue,
    drain,
    next: () => (ready.length > 0 ? clock : deadlines.next()),
    oldestReceipt: () => shelf.arrivals.first()?.receivedAt,
    sizes: (): ReassemblySizes => ({
      pending: shelf.incomplete.size + shelf.settling.size,
      retained: shelf.retained.size,
      ready: ready.length,
      tools: tools.size,
      speakers: speakers.size,
    }),
  };
}
