import { type Evidence, recordKey, unpackEvidence } from '@seamtrace/core';
import type { Journal } from './journal/journal.js';
import type { Verdict } from './sinks/verdict.js';

/** What replayed batches are handed to. */
export interface Restorable {
  offer(evidence: readonly Evidence[], packed: readonly Uint8Array[], receivedAt: number): void;
  /** Everything due up to a time, with that time included. */
  popDue(until: number): readonly Verdict[];
  deliver(verdict: Verdict): void;
  /** Time goes on from here: an earlier process has seen this time, whatever the clock says now. */
  notBefore(time: number): void;
  now(): number;
}

/**
 * Lives through the journal again at the times that it states, so that every handoff is graded on what was there when
 * its time came, and no verdict changes because of a restart. Verdicts that every sink had are not delivered again.
 */
export async function restore(journal: Journal, { offer, popDue, deliver, notBefore, now }: Restorable): Promise<void> {
  const delivered = new Map<string, string>();
  let lastMark = 0;
  for await (const { key, revision, verdictId, at } of journal.marks()) {
    delivered.set(`${key} ${revision}`, verdictId);
    lastMark = Math.max(lastMark, at);
  }

  function deliverUntil(until: number): void {
    for (const verdict of popDue(until)) {
      const mark = `${recordKey(verdict.record)} ${verdict.revision}`;
      if (delivered.get(mark) !== verdict.verdictId) deliver(verdict);
      delivered.delete(mark);
    }
  }

  for await (const { position, receivedAt, pieces } of journal.replay()) {
    notBefore(receivedAt);
    deliverUntil(receivedAt);
    offer(pieces.map(unpackEvidence), pieces, receivedAt);
    journal.taken(position);
  }
  notBefore(lastMark);
  deliverUntil(now());
}
