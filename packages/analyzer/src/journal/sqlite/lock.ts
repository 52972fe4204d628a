import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { lockedOut, unusable } from './errors.js';
import type { Connection } from './schema.js';

/** A data directory that nobody else can use. */
export interface DirectoryLock {
  /** Takes it again where the lock's file was deleted, which unlocks the directory for others. Throws like `lockDirectory`. */
  renew(): void;
  release(): void;
}

/**
 * Takes the directory for this process, or throws `JournalUnusable`. The lock is the operating system's, on a database
 * of its own that stays empty: it ends with the process however that dies, and a file left behind locks nobody out. It is
 * held outside the storage thread, so that the directory stays ours while that thread is started again.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = path.join(directory, 'journal.lock');
  let held = lock(file, directory);
  return {
    renew() {
      if (existsSync(file)) return;
      const fresh = lock(file, directory);
      held.close();
      held = fresh;
    },
    release() {
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

function lock(file: string, directory: string): Connection {
  let database;
  try {
    database = new Database(file);
    chmodSync(file, 0o600);
    // Without this the exclusive transaction would leave a rollback journal of its own in the directory.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    const busy = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
    throw busy ? lockedOut(directory, { cause: error }) : unusable(error, directory);
  }
}
