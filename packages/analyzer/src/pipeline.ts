import { randomInt } from 'node:crypto';
import type { Contracts } from '@seamtrace/contracts';
import {
  type Arrivals,
  type AssemblySizes,
  type Due,
  type FindingThresholds,
  type Undecided,
  createAssembly,
  recordKey,
  verdictId,
} from '@seamtrace/core';
import { extractAll } from './extract.js';
import { createGrader } from './grading.js';
import type { Journal } from './journal/journal.js';
import { JournalUnavailable } from './journal/unavailable.js';
import { partialSuccess } from './partial-success.js';
import { type Pieces, packFresh } from './pieces.js';
import type { Accept, AcceptOutcome, ReceivedBatch } from './receive/types.js';
import type { Repetitions } from './repetitions.js';
import { type Restorable, restore } from './restore.js';
import { createDelivery } from './sinks/delivery.js';
import type { EventSink } from './sinks/events/sink.js';
import type { LineSink } from './sinks/lines.js';
import type { MetricsSink } from './sinks/metrics/sink.js';
import { type Verdict, verdictLine } from './sinks/verdict.js';

export interface Pipeline {
  /** Resolves when the batch is journaled and offered to reassembly; rejects when the journal did not take it. */
  readonly accept: Accept;
  /** Delivers what is due, in at most about `limit` steps. */
  tick(limit?: number): void;
  /** When the next tick has something to do; `undefined` when nothing waits. */
  next(): number | undefined;
  /** The time that `next` is in, which may be ahead of the clock: what is journaled may be later than it. */
  now(): number;
  /**
   * Takes up what an earlier process journaled and delivers what it did not; until it resolves, `accept` puts senders
   * off. Call it once, before the first `tick`. Rejects with `JournalUnusable`, and with the signal's reason when that
   * aborts first; then nothing but closing the journal may follow.
   */
  restore(signal?: AbortSignal): Promise<void>;
  /** Refuses further batches. What was journaled before still goes through. */
  refuse(): void;
  /** Resolves when every batch taken before is through. */
  settled(): Promise<void>;
  /**
   * Delivers what can be graded now; returns how much that was, and what stays without a verdict. With a journal that
   * outlives the process nothing is graded before its time: the next start takes it up.
   */
  drain(): { readonly graded: number; readonly undecided: readonly Undecided[]; readonly journaled: number };
  sizes(): AssemblySizes;
}

export interface PipelineParts {
  readonly contracts: Contracts | undefined;
  readonly thresholds: FindingThresholds;
  readonly limits: {
    readonly settleMs: number;
    readonly deadlineMs: number;
    readonly retentionMs: number;
    readonly taskSilenceMs: number;
    readonly maxPending: number;
    readonly maxStateBytes: number;
    /** How far verdicts may fall behind their time before senders are put off. */
    readonly maxOverdueMs: number;
  };
  /** Milliseconds since the epoch, never decreasing. */
  readonly now: () => number;
  readonly journal: Journal;
  readonly repetitions: Repetitions;
  readonly metrics: MetricsSink;
  readonly events: EventSink | undefined;
  readonly lines: LineSink | undefined;
  /** Told of a sink that threw, which is a programmer's error. */
  readonly fault: (error: unknown) => void;
  /** Told of each piece of evidence for an attempt more than are kept of one handoff id. */
  readonly overLimit: (handoffId: string, maxAttempts: number) => void;
}

/** Attempts of one handoff id in memory at once. */
const MAX_ATTEMPTS = 256;

const STARTING = 'This receiver is starting; send the batch again after Retry-After.';
const STOPPING = 'This receiver is stopping; send the batch again after Retry-After.';
const CONGESTED =
  'Whoever reads the verdict lines of this receiver is too far behind; send the batch again after Retry-After.';

const OVERDUE = 'This receiver is behind with its verdicts; send the batch again after Retry-After.';
const RETRY_AFTER_S = 5;
/** A trace is followed as long as late evidence is waited for, and through the pauses of a busy agent. */
const MIN_TRACE_IDLE_MS = 60_000;
/** What more is due is worked off between requests. */
const STEPS_BEFORE_A_BATCH = 1024;
/** A journal of a service without traffic is looked after this often, until it is empty. */
const RELEASE_EVERY_MS = 60_000;

/** receive → decode → evidence → journal ─(answer)→ topology, reassembly, tasks → grading → sinks. */
export function createPipeline({
  contracts,
  thresholds,
  limits,
  now: clock,
  journal,
  repetitions,
  metrics,
  events,
  lines,
  fault,
  overLimit,
}: PipelineParts): Pipeline {
  const grader = createGrader(contracts, thresholds, limits.deadlineMs);
  const assembly = createAssembly({
    ...grader,
    settleMs: limits.settleMs,
    retentionMs: limits.retentionMs,
    silenceMs: Math.max(limits.taskSilenceMs, limits.retentionMs),
    maxRecords: limits.maxPending,
    maxBytes: limits.maxStateBytes,
    hashSeed: randomInt(2 ** 31),
    maxTasks: limits.maxPending,
    maxAttempts: MAX_ATTEMPTS,
    ignoredTools: (route) => contracts?.routes.get(route ?? '')?.replanIgnore ?? [],
    reopened: metrics.taskReopened,
    observer: metrics.reassembly,
    topologyObserver: metrics.topology,
    topology: { seed: randomInt(2 ** 31), idleMs: Math.max(limits.retentionMs, MIN_TRACE_IDLE_MS) },
  });
  const underWay = new Set<Promise<unknown>>();
  /** Receipts of batches that the journal has not answered yet, oldest first. */
  const unanswered = new Set<{ readonly receivedAt: number }>();
  let phase: 'starting' | 'taking' | 'stopping' = 'starting';
  /** What is journaled may be later than a clock that was set back since: time goes on from there, it does not wait. */
  let ahead = 0;
  const now = (): number => clock() + ahead;
  /** The newest that the journal holds, the time up to which it was let go, and when that was. */
  let held = Number.NEGATIVE_INFINITY;
  let released = Number.NEGATIVE_INFINITY;
  let releasedAt = Number.NEGATIVE_INFINITY;

  /**
   * The time up to which everything received has been offered. Nothing is graded beyond it: what a batch under way says
   * belongs to the verdict, as it will when a restart reads the journal.
   */
  const horizon = (): number => {
    for (const { receivedAt } of unanswered) return receivedAt;
    return now();
  };

  async function through(batch: ReceivedBatch): Promise<AcceptOutcome> {
    const { received, ignored, rejections } = batch;
    const { evidence, silent, badIds } = extractAll(batch);
    const pieces = packFresh(evidence, batch.outline, assembly, repetitions);
    const { duplicates, surplus } = pieces.packed.length === 0 ? NOTHING : await keep(pieces);
    const repeated = pieces.repeated + duplicates;
    const rejected = rejections.length + badIds.length + surplus.length;
    metrics.spans('ignored', ignored + silent);
    metrics.spans('rejected', rejected);
    metrics.spans('duplicate', repeated);
    metrics.spans('accepted', received - ignored - silent - rejected - repeated);
    metrics.malformed('span', rejections.length);
    metrics.malformed('handoff_id', badIds.length);
    metrics.malformed('invalid_utf8', batch.invalidUtf8);
    return { kind: 'accepted', partial: partialSuccess(batch, [...badIds, ...surplus]) };
  }

  /** Journals, then offers; batches are offered in the order in which they are journaled. */
  async function keep(pieces: Pieces): Promise<Offers> {
    const receivedAt = now();
    const asked = { receivedAt };
    unanswered.add(asked);
    let position;
    try {
      position = await journal.append({ receivedAt, pieces: pieces.packed });
    } finally {
      // Not simply the oldest: a journal that is overloaded refuses at once, before it answers those it has.
      unanswered.delete(asked);
    }
    held = Math.max(held, receivedAt);
    pieces.packed.forEach(repetitions.remember);
    // What was due before is graded without this batch, as a replay will.
    deliverAll(assembly.popDue(receivedAt, STEPS_BEFORE_A_BATCH));
    const offers = offer(pieces, receivedAt);
    journal.taken(position);
    return offers;
  }

  /** Counts what had been received before; says what is an attempt too many, one reason for each span. */
  function offer({ evidence, outline }: Pick<Pieces, 'evidence' | 'outline'>, receivedAt: number): Offers {
    let duplicates = 0;
    const surplus: string[] = [];
    for (const piece of evidence) {
      const offered = assembly.offer(piece, receivedAt);
      if (offered === 'duplicate') duplicates += 1;
      if (offered === 'over_limit') {
        const { handoffId, attempt } = piece.handoff!;
        surplus.push(
          `handoff ${JSON.stringify(handoffId)} has ${MAX_ATTEMPTS} attempts here already; ${attempt} is too many`,
        );
        overLimit(handoffId, MAX_ATTEMPTS);
      }
    }
    if (outline !== undefined) assembly.offerOutline(outline, receivedAt);
    return { duplicates, surplus };
  }

  /** One sink's fault must cost neither the other sinks nor the verdicts behind this one. */
  function attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      fault(error);
    }
  }

  const named = (due: Due): Verdict => ({
    ...due,
    verdictId: verdictId(due.graded, contracts?.digest),
    reachedAt: now(),
  });

  function deliver(verdict: Verdict): void {
    const { record, revision } = verdict;
    attempt(() => metrics.verdict(verdict));
    const delivery = createDelivery(() => {
      held = now();
      journal.delivered([{ key: recordKey(record), revision, verdictId: verdict.verdictId, at: held }]);
    });
    if (events !== undefined) attempt(() => events.emit(verdict, delivery.open()));
    if (lines !== undefined) attempt(() => lines.write(verdictLine(verdict), delivery.open()));
    delivery.close();
  }

  function deliverAll({ due, tasks }: Arrivals): void {
    for (const each of due) deliver(named(each));
    for (const news of tasks) attempt(() => metrics.tasks(news));
  }

  /** State that outlives its evidence is written before that evidence may go. */
  function letGo(until: number): void {
    const changes = assembly.takeChanges();
    if (changes.length > 0) journal.keep(changes);
    released = Math.max(released, assembly.neededSince(until));
    releasedAt = now();
    journal.release(released);
  }

  /** When the journal can let go of more, also where no more traffic comes; `undefined` where it holds nothing. */
  function nextRelease(): number | undefined {
    return journal.durability === 'none' || held < released ? undefined : releasedAt + RELEASE_EVERY_MS;
  }

  /** Why nothing is taken for now; `undefined` when it is. */
  function objection(): string | undefined {
    if (phase === 'starting') return STARTING;
    if (phase === 'stopping') return STOPPING;
    if (lines?.congested === true) return CONGESTED;
    const due = assembly.next();
    return due !== undefined && due < horizon() - limits.maxOverdueMs ? OVERDUE : undefined;
  }

  return {
    async accept(batch) {
      const message = objection();
      if (message !== undefined) {
        metrics.spans('refused', batch.received);
        return { kind: 'unavailable', retryAfterSeconds: RETRY_AFTER_S, message };
      }
      const done = through(batch);
      underWay.add(done);
      try {
        return await done;
      } catch (error) {
        metrics.spans('refused', batch.received);
        if (!(error instanceof JournalUnavailable)) throw error;
        return { kind: 'unavailable', retryAfterSeconds: error.retryAfterSeconds, message: error.message };
      } finally {
        underWay.delete(done);
      }
    },
    tick(limit) {
      const until = horizon();
      deliverAll(assembly.popDue(until, limit));
      letGo(until);
    },
    now,
    next() {
      const times = [assembly.next(), nextRelease()].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async restore(signal) {
      const target: Restorable = {
        restore: assembly.restore,
        offer(pieces, receivedAt) {
          pieces.packed.forEach(repetitions.remember);
          offer(pieces, receivedAt);
        },
        next: () => assembly.next(),
        popDue(until, limit) {
          const { due, tasks } = assembly.popDue(until, limit);
          return { due: due.map(named), tasks };
        },
        room: () => events?.room(),
        deliver,
        tell: (news) => attempt(() => metrics.tasks(news)),
        notBefore: (time) => void (ahead = Math.max(ahead, time - clock())),
        now,
      };
      await restore(journal, target, signal);
      held = releasedAt = now();
      phase = 'taking';
    },
    refuse: () => void (phase = 'stopping'),
    async settled() {
      await Promise.allSettled(underWay);
    },
    drain() {
      if (journal.durability !== 'none') {
        letGo(horizon());
        return { graded: 0, undecided: [], journaled: assembly.sizes().pending };
      }
      const { undecided, ...arrivals } = assembly.drain(now());
      deliverAll(arrivals);
      return { graded: arrivals.due.length, undecided, journaled: 0 };
    },
    sizes: () => assembly.sizes(),
  };
}

interface Offers {
  readonly duplicates: number;
  /** One reason for each span of an attempt too many. */
  readonly surplus: readonly string[];
}

const NOTHING: Offers = { duplicates: 0, surplus: [] };
