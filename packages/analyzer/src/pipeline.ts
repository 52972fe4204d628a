import type { Contracts } from '@seamtrace/contracts';
import {
  type Due,
  type Evidence,
  type Undecided,
  createReassembler,
  createTasks,
  fact,
  packEvidence,
  unpackEvidence,
  verdictId,
} from '@seamtrace/core';
import { extractAll } from './extract.js';
import { createGrader } from './grading.js';
import type { Journal } from './journal/journal.js';
import { partialSuccess } from './partial-success.js';
import type { Accept, AcceptOutcome, ReceivedBatch } from './receive/types.js';
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
  /** Offers what an earlier process journaled. Before the first `accept`. */
  replay(): Promise<void>;
  /** Refuses further batches. What was journaled before still goes through. */
  refuse(): void;
  /** Resolves when every batch taken before is through. */
  settled(): Promise<void>;
  /** Delivers what can be graded now; returns how much that was, and what stays without a verdict. */
  drain(): { readonly graded: number; readonly undecided: readonly Undecided[] };
  pending(): number;
}

export interface PipelineParts {
  readonly contracts: Contracts | undefined;
  readonly limits: {
    readonly settleMs: number;
    readonly deadlineMs: number;
    readonly retentionMs: number;
    readonly taskSilenceMs: number;
    readonly maxPending: number;
  };
  /** Milliseconds since the epoch, never decreasing. */
  readonly now: () => number;
  readonly journal: Journal;
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

const STOPPING = 'This receiver is stopping; send the batch again after Retry-After.';
const CONGESTED =
  'Whoever reads the verdict lines of this receiver is too far behind; send the batch again after Retry-After.';

/** receive → decode → evidence → journal ─(answer)→ reassembly → grading → sinks. */
export function createPipeline({
  contracts,
  limits,
  now,
  journal,
  metrics,
  events,
  lines,
  fault,
  overLimit,
}: PipelineParts): Pipeline {
  const grader = createGrader(contracts, limits.deadlineMs);
  const reassembler = createReassembler({
    ...grader,
    settleMs: limits.settleMs,
    retentionMs: limits.retentionMs,
    maxRecords: limits.maxPending,
    maxAttempts: MAX_ATTEMPTS,
    observer: metrics.reassembly,
  });
  const tasks = createTasks({
    silenceMs: limits.taskSilenceMs,
    maxTasks: limits.maxPending,
    reopened: metrics.taskReopened,
  });
  const underWay = new Set<Promise<unknown>>();
  let stopping = false;

  async function through(batch: ReceivedBatch): Promise<AcceptOutcome> {
    const { received, ignored, rejections } = batch;
    const { evidence, silent, badIds } = extractAll(batch);
    const receivedAt = now();
    const position = await journal.append({ receivedAt, pieces: evidence.map(packEvidence) });
    const { duplicates, surplus } = offer(evidence, receivedAt);
    journal.taken(position);
    const rejected = rejections.length + badIds.length + surplus.length;
    metrics.spans('ignored', ignored + silent);
    metrics.spans('rejected', rejected);
    metrics.spans('duplicate', duplicates);
    metrics.spans('accepted', received - ignored - silent - rejected - duplicates);
    metrics.malformed('span', rejections.length);
    metrics.malformed('handoff_id', badIds.length);
    return { kind: 'accepted', partial: partialSuccess(batch, [...badIds, ...surplus]) };
  }

  /** Counts what had been received before; says what is an attempt too many, one reason for each span. */
  function offer(
    evidence: readonly Evidence[],
    receivedAt: number,
  ): { duplicates: number; surplus: readonly string[] } {
    let duplicates = 0;
    const surplus: string[] = [];
    for (const piece of evidence) {
      const offered = reassembler.offer(piece, receivedAt);
      if (offered === 'duplicate') duplicates += 1;
      if (offered === 'over_limit') {
        const { handoffId, attempt } = piece.handoff!;
        surplus.push(
          `handoff ${JSON.stringify(handoffId)} has ${MAX_ATTEMPTS} attempts here already; ${attempt} is too many`,
        );
        overLimit(handoffId, MAX_ATTEMPTS);
      }
      const task = piece.tool?.taskId ?? (piece.handoff === undefined ? undefined : fact(piece.handoff, 'task'));
      if (task !== undefined) tasks.touch(task, receivedAt);
    }
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

  function deliver(due: Due): void {
    const verdict: Verdict = { ...due, verdictId: verdictId(due.graded, contracts?.digest), reachedAt: now() };
    attempt(() => metrics.verdict(due));
    if (due.revision === 1) attempt(() => tasks.note(due.record, now()).forEach(metrics.budgetSpent));
    const delivery = createDelivery(() => {});
    if (events !== undefined) attempt(() => events.emit(verdict, delivery.open()));
    if (lines !== undefined) attempt(() => lines.write(verdictLine(verdict), delivery.open()));
    delivery.close();
  }

  return {
    async accept(batch) {
      if (stopping || lines?.congested === true) {
        metrics.spans('refused', batch.received);
        return { kind: 'unavailable', retryAfterSeconds: 5, message: stopping ? STOPPING : CONGESTED };
      }
      const done = through(batch);
      underWay.add(done);
      try {
        return await done;
      } catch (error) {
        metrics.spans('refused', batch.received);
        throw error;
      } finally {
        underWay.delete(done);
      }
    },
    tick(limit) {
      reassembler.popDue(now(), limit).forEach(deliver);
      tasks.popDue(now()).forEach(metrics.taskEnded);
      journal.release(reassembler.oldestReceipt() ?? now());
    },
    next() {
      const times = [reassembler.next(), tasks.next()].filter((time) => time !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async replay() {
      for await (const batch of journal.replay()) {
        offer(batch.pieces.map(unpackEvidence), batch.receivedAt);
        journal.taken(batch.position);
      }
    },
    refuse: () => void (stopping = true),
    async settled() {
      await Promise.allSettled(underWay);
    },
    drain() {
      const { due, undecided } = reassembler.drain(now());
      due.forEach(deliver);
      return { graded: due.length, undecided };
    },
    pending: () => reassembler.sizes().pending,
  };
}
