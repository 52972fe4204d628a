import type { CommitWindow, StoreOptions } from './messages.js';
import { createPlace, type Place } from './place.js';
import { isWhole, seal } from './row.js';
import { type Connection, openDatabase, setting } from './schema.js';

/** The database as the storage thread uses it. Every call blocks until it is done, and throws what the library throws. */
export interface Store {
  readonly database: Connection;
  /** The highest position ever given away. */
  readonly last: number;
  /** Writes the batches at the positions after `last`, and what is to be written behind; all of it or nothing. */
  commit(window: CommitWindow): void;
  /** Deletes at most about `limit` rows of a table that are older; returns how many it found. */
  deleteOlder(table: 'batches' | 'marks', before: number, limit: number): number;
  /** Moves what the log holds to the database file, as far as no reader is in the way. */
  checkpoint(): void;
  /** Gives at most `pages` free pages at the end of the file back to the system. */
  shrink(pages: number): void;
  levels(): { readonly liveBytes: number; readonly freePages: number; readonly pages: number };
  readonly place: Place;
  close(): void;
}

const PAGE_BYTES = 4096;

export function openStore(options: StoreOptions): Store {
  const database = openDatabase(options);
  const insertBatch = database.prepare('INSERT INTO batches (position, received_at, body) VALUES (?, ?, ?)');
  const insertMark = database.prepare('INSERT INTO marks (key, revision, verdict_id, at) VALUES (?, ?, ?, ?)');
  const upsert = database.prepare(
    `INSERT INTO kept (kind, key, body, at) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body, at = excluded.at`,
  );
  const remove = database.prepare('DELETE FROM kept WHERE kind = ? AND key = ?');
  const saveLast = database.prepare(`UPDATE meta SET value = ? WHERE name = 'last_position'`);
  const older = {
    batches: database.prepare(
      'DELETE FROM batches WHERE position IN (SELECT position FROM batches WHERE received_at < ? ORDER BY received_at LIMIT ?)',
    ),
    marks: database.prepare('DELETE FROM marks WHERE seq IN (SELECT seq FROM marks WHERE at < ? ORDER BY at LIMIT ?)'),
  };
  const pageCount = database.prepare('PRAGMA page_count');
  const freeCount = database.prepare('PRAGMA freelist_count');

  const highest = database.prepare('SELECT max(position) AS position FROM batches').all([])[0] as {
    position: number | null;
  };
  const saved = database.prepare(`SELECT value FROM meta WHERE name = 'last_position'`).all([])[0] as
    { value: string } | undefined;
  let savedLast = Number(saved?.value ?? 0);
  let last = Math.max(highest.position ?? 0, savedLast);
  // Nothing is in the log file until the first write; it has to be there for its place to be known.
  setting(database, 'user_version = 1');
  const place = createPlace(database, options.directory);

  function transaction(write: () => void): void {
    database.exec('BEGIN IMMEDIATE');
    try {
      write();
      database.exec('COMMIT');
    } catch (error) {
      // SQLite has often rolled back by itself; what broke the write is what counts.
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    database,
    get last() {
      return last;
    },
    commit({ buffer, receivedAt, ends, marks, changes }) {
      transaction(() => {
        let start = 0;
        ends.forEach((end, index) => {
          const row = seal(Buffer.from(buffer, start, end - start));
          insertBatch.run([last + 1 + index, receivedAt[index], row]);
          start = end;
        });
        for (const { key, revision, verdictId, at } of marks)
          insertMark.run([Buffer.from(key), revision, Buffer.from(verdictId), at]);
        for (const { kind, key, state, at } of changes) {
          if (state === undefined) remove.run([Buffer.from(kind), Buffer.from(key)]);
          else upsert.run([Buffer.from(kind), Buffer.from(key), sealedState(state), at]);
        }
      });
      last += ends.length;
    },
    deleteOlder(table, before, limit) {
      let deleted = 0;
      transaction(() => {
        deleted = older[table].run([before, limit]).changes;
        // The newest batch may go as well, and its position must not be given away again.
        if (deleted > 0 && last > savedLast) saveLast.run([String(last)]);
      });
      if (deleted > 0) savedLast = last;
      return deleted;
    },
    checkpoint() {
      setting(database, 'wal_checkpoint(PASSIVE)');
    },
    shrink(pages) {
      setting(database, `incremental_vacuum(${pages})`);
    },
    levels() {
      const { page_count: pages } = pageCount.all([])[0] as { page_count: number };
      const { freelist_count: freePages } = freeCount.all([])[0] as { freelist_count: number };
      return { liveBytes: (pages - freePages) * PAGE_BYTES, freePages, pages };
    },
    place,
    close() {
      try {
        setting(database, 'wal_checkpoint(TRUNCATE)');
      } finally {
        database.close();
      }
    },
  };
}

/** State is stored like a batch: behind a checksum. */
function sealedState(state: Uint8Array): Buffer {
  const body = Buffer.allocUnsafe(4 + state.length);
  body.set(state, 4);
  return seal(body);
}

/** The state in a stored body; undefined when it is damaged. */
export function openState(body: ArrayBuffer): Uint8Array | undefined {
  return isWhole(Buffer.from(body)) ? new Uint8Array(body, 4) : undefined;
}
