import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { SCHEMA_VERSION } from '@seamtrace/semconv';
import Database from 'libsql';
import { JournalUnusable } from '../unusable.js';
import { damaged } from './errors.js';
import type { StoreOptions } from './messages.js';

/** Of the tables below. A journal of a newer format is refused, since deleting from it could lose what we cannot read. */
export const FORMAT = 1;

/** "SEAM": tells our database from any other that lies under the same name. */
const APPLICATION_ID = 0x53_45_41_4d;

/**
 * Strings are blobs: keys hold NUL, and text that holds NUL is read back only up to it. Times are REAL, so that they come back
 * exactly as they were. Marks are a log: adding to it is cheaper than keeping one row for each verdict.
 */
const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE batches (position INTEGER PRIMARY KEY, received_at REAL NOT NULL, body BLOB NOT NULL) STRICT;
  CREATE INDEX batches_received_at ON batches (received_at);
  CREATE TABLE marks (
    seq INTEGER PRIMARY KEY, key BLOB NOT NULL, revision INTEGER NOT NULL, verdict_id BLOB NOT NULL, at REAL NOT NULL
  ) STRICT;
  CREATE INDEX marks_at ON marks (at);
  CREATE TABLE kept (
    seq INTEGER PRIMARY KEY, kind BLOB NOT NULL, key BLOB NOT NULL, body BLOB NOT NULL, at REAL NOT NULL,
    UNIQUE (kind, key)
  ) STRICT;
`;

export type Connection = InstanceType<typeof Database>;

/** Milliseconds that a write waits for a lock of another program, such as a backup, before it fails. */
const BUSY_MS = 1_000;

/** Opens the journal of a directory, making it where there is none. Throws `JournalUnusable` or the library's error. */
export function openDatabase({ directory, durability, maxPages }: StoreOptions): Connection {
  const file = path.join(directory, 'journal.sqlite');
  if (!existsSync(file)) create(directory, file);
  else if (statSync(file).size === 0) throw damaged(directory, 'journal.sqlite is empty');
  const database = new Database(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    check(database, directory);
    setting(database, 'journal_mode = WAL');
    // NORMAL flushes at checkpoints only: it keeps the file whole when power is lost, and a write that has returned is
    // in the system's memory, which outlives the process. FULL flushes the log before a commit returns.
    database.exec(`PRAGMA synchronous = ${durability === 'power' ? 'FULL' : 'NORMAL'}`);
    // The store checkpoints by itself, after the answer instead of within the commit.
    setting(database, 'wal_autocheckpoint = 0');
    setting(database, `journal_size_limit = ${WAL_KEPT_BYTES}`);
    if (maxPages !== undefined) setting(database, `max_page_count = ${maxPages}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The log file is cut to this after a burst. Not to nothing: on a full disk, deleting needs the room that it has. */
const WAL_KEPT_BYTES = 16 * 1024 * 1024;

/** A pragma that answers with a row, which `exec` would leave unread. */
export function setting(database: Connection, pragma: string): unknown {
  return database.prepare(`PRAGMA ${pragma}`).all([])[0];
}

/** Made under another name and moved when it is whole: a journal that is there and empty is never ours. */
function create(directory: string, file: string): void {
  if (existsSync(`${file}-wal`)) throw damaged(directory, 'journal.sqlite is missing, and journal.sqlite-wal is there');
  const fresh = path.join(directory, 'journal.new');
  for (const left of [fresh, `${fresh}-journal`]) rmSync(left, { force: true });
  const database = new Database(fresh);
  try {
    chmodSync(fresh, 0o600);
    database.exec(
      `PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA synchronous = FULL`,
    );
    database.exec(`
      BEGIN; ${TABLES}
      INSERT INTO meta (name, value) VALUES
        ('format', '${FORMAT}'), ('schema_version', '${SCHEMA_VERSION}'), ('last_position', '0');
      COMMIT;
    `);
  } finally {
    database.close();
  }
  renameSync(fresh, file);
}

function check(database: Connection, directory: string): void {
  const id = setting(database, 'application_id') as { application_id: number };
  if (id.application_id !== APPLICATION_ID) throw damaged(directory, 'journal.sqlite is a database of another program');
  const rows = database.prepare('SELECT name, value FROM meta').all([]) as { name: string; value: string }[];
  const meta = new Map(rows.map(({ name, value }) => [name, value]));
  for (const [name, known] of [
    ['format', FORMAT],
    ['schema_version', Number(SCHEMA_VERSION)],
  ] as const) {
    const found = Number(meta.get(name) ?? NaN);
    if (!(found >= 1)) throw damaged(directory, `its ${name} is ${JSON.stringify(meta.get(name) ?? null)}`);
    if (found > known) {
      throw new JournalUnusable(
        'newer',
        `the journal in ${directory} has ${name} ${found}; this version reads up to ${known}. ` +
          'Start the version that wrote it, or give this one another data directory.',
      );
    }
  }
}
