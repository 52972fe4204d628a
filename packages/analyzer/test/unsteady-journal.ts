import type { Journal, JournalPosition } from '../src/journal/journal.js';
import { createMemoryJournal } from '../src/journal/memory.js';
import { JournalUnavailable } from '../src/journal/unavailable.js';

/** What the next appends meet. */
export type JournalMood = 'fine' | 'full' | 'overloaded' | 'stuck';

/** A journal at the port that can be full or stuck; what it takes it keeps like the one in memory. */
export interface UnsteadyJournal extends Journal {
  mood(mood: JournalMood): void;
  /** Appends that are stuck. */
  stuck(): number;
  /** Resolves when so many appends are stuck. */
  whenStuck(count: number): Promise<void>;
  /** Lets everything through that is stuck, in order. */
  letThrough(): void;
}

const RETRY_AFTER_S = 7;

export function createUnsteadyJournal(): UnsteadyJournal {
  const inner = createMemoryJournal();
  let mood: JournalMood = 'fine';
  let held: (() => void)[] = [];
  let watching: () => void = () => undefined;
  return {
    ...inner,
    append(batch): Promise<JournalPosition> {
      if (mood === 'fine') return inner.append(batch);
      if (mood !== 'stuck') return Promise.reject(new JournalUnavailable(mood, '/secret/path', RETRY_AFTER_S));
      return new Promise((resolve, reject) => {
        held.push(() => void inner.append(batch).then(resolve, reject));
        watching();
      });
    },
    mood: (next) => void (mood = next),
    stuck: () => held.length,
    whenStuck: (count) =>
      new Promise((resolve) => {
        watching = () => void (held.length >= count && resolve());
        watching();
      }),
    letThrough() {
      mood = 'fine';
      for (const go of held) go();
      held = [];
    },
  };
}
