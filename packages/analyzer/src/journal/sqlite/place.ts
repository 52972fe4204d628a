import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { JournalMoved } from './errors.js';
import type { Connection } from './schema.js';

/**
 * Whether the files that are open are still the ones in the directory. What is written to a file that was deleted is
 * gone with the process, so that a commit to it is no promise that may be made.
 */
export interface Place {
  /** Throws `JournalMoved` when they are not. */
  verify(): void;
  /**
   * Writes all that the open files hold to a new file in their place. Returns false where another file has taken it,
   * which is not ours to overwrite. The database has to be opened anew after it.
   */
  rescue(): boolean;
}

/** The log file exists once something was written. */
export function createPlace(database: Connection, directory: string): Place {
  const main = path.join(directory, 'journal.sqlite');
  const files = [main, `${main}-wal`];
  const inode = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
  const ours = files.map(inode);

  return {
    verify() {
      files.forEach((file, index) => {
        if (inode(file) === ours[index]) return;
        throw new JournalMoved(`${file} was moved, replaced or deleted while the journal had it open`);
      });
    },
    rescue() {
      const there = inode(main);
      if (there !== undefined && there !== ours[0]) return false;
      const fresh = path.join(directory, 'journal.new');
      // The directory may have gone with its files.
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      rmSync(fresh, { force: true });
      database.exec(`VACUUM INTO '${fresh.replaceAll("'", "''")}'`);
      chmodSync(fresh, 0o600);
      const handle = openSync(fresh, 'r+');
      fsyncSync(handle);
      closeSync(handle);
      // A log that belongs to the old file would be taken for the new one's.
      for (const left of [`${main}-wal`, `${main}-shm`]) rmSync(left, { force: true });
      renameSync(fresh, main);
      return true;
    },
  };
}
