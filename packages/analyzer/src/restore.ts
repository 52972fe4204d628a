import { type Evidence, type KeptFact, type TaskNews, isOutline, recordKey, unpackEvidence } from '@seamtrace/core';
import type { Journal } from './journal/journal.js';
import type { Pieces } from './pieces.js';
import type { Verdict } from './sinks/verdict.js';
import { createTurns } from './turns.js';

/** Steps between two looks at the clock. */
const STEPS = 256;

/** What a journal is lived through with. */
export interface Restorable {
  /** Facts that outlived their evidence, and the time of the oldest evidence that there still is. */
  restore(kept: readonly KeptFact[], since: number): void;
  offer(pieces: Pick<Pieces, 'evidence' | 'outline' | 'packed'>, receivedAt: number): void;
  /** When the next step is due; `undefined` when nothing waits. */
  next(): number | undefined;
  /** What is due up to a time, with that time included, in at most about `limit` steps. */
  popDue(until: number, limit: number): { readonly due: readonly Verdict[]; readonly tasks: readonly TaskNews[] };
  /** Resolves when a sink with a queue has room for a verdict; `undefined` when it has, or waiting is no use. */
  room(): Promise<void> | undefined;
  deliver(verdict: Verdict): void;
  tell(news: TaskNews): void;
  /** Time goes on from here: an earlier process has seen this time, whatever the clock says now. */
  notBefore(time: number): void;
  now(): number;
}

/**
 * Lives through the journal again at the times that it states, so that every handoff is graded on what was there when
 * its time came, and no verdict changes because of a restart. Verdicts that every sink had are not delivered again, and
 * what became known of tasks while the earlier process was there is not told again. The event loop gets its turns
 * meanwhile: probes, metrics and senders are answered however much there is. When `signal` aborts, rejects with its reason.
 */
export async function restore(journal: Journal, target: Restorable, signal?: AbortSignal): Promise<void> {
  const delivered = new Map<string, string>();
  let lastSeen = 0;
  for await (const { key, revision, verdictId, at } of journal.marks()) {
    delivered.set(`${key} ${revision}`, verdictId);
    lastSeen = Math.max(lastSeen, at);
  }
  const kept = await keptFacts(journal);
  for (const { at } of kept) lastSeen = Math.max(lastSeen, at);

  const turns = createTurns();
  async function pause(): Promise<void> {
    await turns.due();
    signal?.throwIfAborted();
  }

  async function deliver(verdict: Verdict): Promise<void> {
    const mark = `${recordKey(verdict.record)} ${verdict.revision}`;
    const known = delivered.get(mark);
    delivered.delete(mark);
    if (known === verdict.verdictId) return;
    for (let room = target.room(); room !== undefined; room = target.room()) await room;
    target.deliver(verdict);
  }

  /** At each time that something is due, since a later one could lead to another verdict. */
  async function deliverUntil(until: number): Promise<void> {
    for (let at = target.next(); at !== undefined && at <= until; at = target.next()) {
      const { due, tasks } = target.popDue(at, STEPS);
      for (const verdict of due) await deliver(verdict);
      if (at > lastSeen) tasks.forEach(target.tell);
      await pause();
    }
  }

  let begun = false;
  for await (const { position, receivedAt, pieces } of journal.replay()) {
    if (!begun) target.restore(kept, receivedAt);
    begun = true;
    target.notBefore(receivedAt);
    await deliverUntil(receivedAt);
    for (let from = 0; from < pieces.length; from += STEPS) {
      const packed = pieces.slice(from, from + STEPS);
      target.offer({ ...unpack(packed), packed }, receivedAt);
      await pause();
    }
    journal.taken(position);
  }
  if (!begun) target.restore(kept, Number.POSITIVE_INFINITY);
  target.notBefore(lastSeen);
  await deliverUntil(target.now());
}

async function keptFacts(journal: Journal): Promise<KeptFact[]> {
  const kept: KeptFact[] = [];
  for await (const { kind, key, state, at } of journal.kept()) {
    if (kind === 'task' || kind === 'agent') kept.push({ kind, key, state, at });
  }
  return kept;
}

function unpack(pieces: readonly Uint8Array[]): { evidence: readonly Evidence[]; outline: Uint8Array | undefined } {
  return {
    evidence: pieces.filter((piece) => !isOutline(piece)).map(unpackEvidence),
    outline: pieces.find(isOutline),
  };
}
