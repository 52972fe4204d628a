import { type Evidence, type KeptFact, type TaskNews, isOutline, recordKey, unpackEvidence } from '@seamtrace/core';
import type { Journal } from './journal/journal.js';
import type { Pieces } from './pieces.js';
import type { Verdict } from './sinks/verdict.js';

/** What a journal is lived through with. */
export interface Restorable {
  /** Facts that outlived their evidence, and the time of the oldest evidence that there still is. */
  restore(kept: readonly KeptFact[], since: number): void;
  offer(pieces: Pick<Pieces, 'evidence' | 'outline' | 'packed'>, receivedAt: number): void;
  /** Everything due up to a time, with that time included. */
  popDue(until: number): { readonly due: readonly Verdict[]; readonly tasks: readonly TaskNews[] };
  deliver(verdict: Verdict): void;
  tell(news: TaskNews): void;
  /** Time goes on from here: an earlier process has seen this time, whatever the clock says now. */
  notBefore(time: number): void;
  now(): number;
}

/**
 * Lives through the journal again at the times that it states, so that every handoff is graded on what was there when
 * its time came, and no verdict changes because of a restart. Verdicts that every sink had are not delivered again, and
 * what became known of tasks while the earlier process was there is not told again.
 */
export async function restore(journal: Journal, target: Restorable): Promise<void> {
  const delivered = new Map<string, string>();
  let lastSeen = 0;
  for await (const { key, revision, verdictId, at } of journal.marks()) {
    delivered.set(`${key} ${revision}`, verdictId);
    lastSeen = Math.max(lastSeen, at);
  }
  const kept = await keptFacts(journal);
  for (const { at } of kept) lastSeen = Math.max(lastSeen, at);

  function deliverUntil(until: number): void {
    const { due, tasks } = target.popDue(until);
    for (const verdict of due) {
      const mark = `${recordKey(verdict.record)} ${verdict.revision}`;
      if (delivered.get(mark) !== verdict.verdictId) target.deliver(verdict);
      delivered.delete(mark);
    }
    if (until > lastSeen) tasks.forEach(target.tell);
  }

  let begun = false;
  for await (const { position, receivedAt, pieces } of journal.replay()) {
    if (!begun) target.restore(kept, receivedAt);
    begun = true;
    target.notBefore(receivedAt);
    deliverUntil(receivedAt);
    target.offer({ ...unpack(pieces), packed: pieces }, receivedAt);
    journal.taken(position);
  }
  if (!begun) target.restore(kept, Number.POSITIVE_INFINITY);
  deliverUntil(lastSeen);
  target.notBefore(lastSeen);
  deliverUntil(target.now());
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
