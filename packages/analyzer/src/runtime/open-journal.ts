import type { AnalyzerConfig } from '../config/types.js';
import type { Journal } from '../journal/journal.js';
import { createMemoryJournal } from '../journal/memory.js';
import { createJournalReporter } from '../journal/reporter.js';
import { createSqliteJournal } from '../journal/sqlite/journal.js';

/** The journal that the configuration asks for. Rejects with `JournalUnusable` when its directory cannot be used. */
export async function openJournal(config: AnalyzerConfig, now: () => number): Promise<Journal> {
  const { data, durability, maxJournalPendingBytes, logger } = config;
  if (durability === 'none' || data === undefined) return createMemoryJournal();
  return createSqliteJournal({
    directory: data,
    durability,
    maxPendingBytes: maxJournalPendingBytes,
    observer: createJournalReporter(logger, now),
  });
}
