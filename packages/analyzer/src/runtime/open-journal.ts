import type { AnalyzerConfig } from '../config/types.js';
import type { Journal } from '../journal/journal.js';
import { createMemoryJournal } from '../journal/memory.js';
import { createSqliteJournal } from '../journal/sqlite/journal.js';

/** The journal that the configuration asks for. Rejects with `JournalUnusable` when its directory cannot be used. */
export async function openJournal({ data, durability, logger }: AnalyzerConfig): Promise<Journal> {
  if (durability === 'none' || data === undefined) return createMemoryJournal();
  return createSqliteJournal({
    directory: data,
    durability,
    observer: {
      fault: (reason, detail) =>
        logger.error({ reason, detail, data }, 'the journal cannot be written; senders are put off until it can'),
      recovered: () => logger.info({ data }, 'the journal is written again'),
      replayed: (batches, of) => logger.info({ batches, of, data }, 'taking up the journal'),
    },
  });
}
