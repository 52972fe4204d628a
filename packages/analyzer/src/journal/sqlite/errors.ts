import path from 'node:path';
import type { UnavailableReason } from '../unavailable.js';
import { JournalUnusable } from '../unusable.js';
import type { Trouble } from './messages.js';

/** The file itself was replaced or deleted while it was open. */
export class JournalMoved extends Error {}

/** The code of an error of SQLite or the system, such as `SQLITE_FULL` or `ENOSPC`; empty where it has none. */
function codeOf(error: unknown): string {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && code !== '') return code;
  // The library has no code for a file that it cannot open, only SQLite's number at the end of the text.
  return error instanceof Error && /^ConnectionFailed\(.*: 14"\)$/.test(error.message) ? 'SQLITE_CANTOPEN' : '';
}

function said(error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === '' ? message : `${message} (${code})`;
}

const FULL = /^(SQLITE_FULL|ENOSPC|EDQUOT)/;
const LOCKED = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/;
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB)/;
const UNWRITABLE = /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOENT)/;

/** What a failed write means for whoever appends. */
export function troubleOf(error: unknown): Trouble {
  return { reason: reasonOf(error), detail: said(error) };
}

function reasonOf(error: unknown): UnavailableReason {
  if (error instanceof JournalMoved) return 'moved';
  const code = codeOf(error);
  if (FULL.test(code)) return 'full';
  return LOCKED.test(code) ? 'locked' : 'io';
}

/** What a failed start means, with what to do about it. */
export function unusable(error: unknown, directory: string): JournalUnusable {
  if (error instanceof JournalUnusable) return error;
  const code = codeOf(error);
  const where = `the journal in ${directory}`;
  const options = { cause: error };
  if (FULL.test(code)) {
    const message = `${where} cannot be opened, because there is no space left: ${said(error)}. Free space on its disk and start again.`;
    return new JournalUnusable('full', message, options);
  }
  if (LOCKED.test(code)) return lockedOut(directory, options);
  if (DAMAGED.test(code)) return damaged(directory, said(error), options);
  if (UNWRITABLE.test(code)) {
    const message = `${where} cannot be written: ${said(error)}. Give the analyzer a directory that its user may write.`;
    return new JournalUnusable('unwritable', message, options);
  }
  return new JournalUnusable('failed', `${where} cannot be opened: ${said(error)}`, options);
}

export function lockedOut(directory: string, options?: ErrorOptions): JournalUnusable {
  return new JournalUnusable(
    'locked',
    `another process uses the journal in ${directory}. Stop it, or give this analyzer another data directory.`,
    options,
  );
}

export function damaged(directory: string, what: string, options?: ErrorOptions): JournalUnusable {
  return new JournalUnusable(
    'corrupt',
    `the journal in ${directory} is damaged: ${what}. Restore it from a backup; or move ${path.join(directory, 'journal.sqlite*')} ` +
      'away to start empty, which gives up the evidence that was acknowledged and not yet graded.',
    options,
  );
}
