import type { EvidenceBatch, Journal, JournalPosition } from './journal.js';
import { JournalUnavailable } from './unavailable.js';

/**
 * A journal for a process that may lose everything: it remembers a batch only until reassembly has taken it, so that
 * its memory is bounded by what is under way, and after a restart it has nothing to replay. It keeps no state and no
 * marks: nobody could read them.
 */
export function createMemoryJournal(): Journal {
  const waiting = new Map<JournalPosition, EvidenceBatch>();
  let last: JournalPosition = 0;
  let lag = 0;
  let closed = false;
  return {
    durability: 'none',
    append(batch) {
      if (closed) return Promise.reject(new JournalUnavailable('closed', 'append after close'));
      last += 1;
      waiting.set(last, batch);
      lag += batch.pieces.length;
      return Promise.resolve(last);
    },
    taken(position) {
      lag -= waiting.get(position)?.pieces.length ?? 0;
      waiting.delete(position);
    },
    delivered: () => {},
    keep: () => {},
    release: () => {},
    async *replay() {
      for (const [position, batch] of waiting) yield await Promise.resolve({ position, ...batch });
    },
    async *marks() {},
    async *kept() {},
    levels: () => ({ lag, pending: 0, bytes: 0 }),
    close() {
      closed = true;
      return Promise.resolve();
    },
  };
}
