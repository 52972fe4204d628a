import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * Disk space put by for a full disk. Deleting needs room as well, since a log is written before anything else: without a
 * reserve, a journal that has filled its disk could not even let go of what nobody needs any more.
 */
export interface Room {
  /** The reserve was given up, or there is none. */
  readonly tight: boolean;
  /** How large the reserve is when it is there. */
  readonly bytes: number;
  /** Gives the reserve up; returns whether there was one. */
  give(): boolean;
  /** Whether so many bytes can be written and the reserve made again, given the free space within the database. */
  has(bytes: number, freeInFile: number): boolean;
  /** Makes the reserve again, if there is ample space. */
  restore(): void;
}

/** Enough to move a log of the usual size to the database file. */
const MAX_BYTES = 16 * 1024 * 1024;
/** A small disk has better uses for its space. */
const SHARE = 1 / 8;
const BLOCK = Buffer.alloc(1024 * 1024);

export function createRoom(directory: string): Room {
  const file = path.join(directory, 'journal.reserve');
  const found = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const bytes = Math.max(found, Math.floor(Math.min(MAX_BYTES, SHARE * free())));
  let there = found > 0;

  function free(): number {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  }

  /** Written, not just sized: a file with holes takes no space from anybody. */
  function make(): void {
    const handle = openSync(file, 'w', 0o600);
    try {
      for (let left = bytes; left > 0; left -= BLOCK.length) writeSync(handle, BLOCK, 0, Math.min(left, BLOCK.length));
      fsyncSync(handle);
      there = true;
    } finally {
      closeSync(handle);
    }
  }

  function restore(): void {
    if (there || free() < 2 * bytes) return;
    try {
      make();
    } catch {
      // Somebody else was faster to take the space; it is tried again when a commit has gone through.
      rmSync(file, { force: true });
    }
  }

  restore();
  return {
    get tight() {
      return !there;
    },
    bytes,
    give() {
      if (!there) return false;
      rmSync(file, { force: true });
      there = false;
      return true;
    },
    has: (wanted, freeInFile) => freeInFile >= 2 * wanted || free() >= 2 * (bytes + wanted),
    restore,
  };
}
