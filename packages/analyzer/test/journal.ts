import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Journal } from '../src/journal/journal.js';
import { createSqliteJournal } from '../src/journal/sqlite/journal.js';
import type { SqliteJournalOptions } from '../src/journal/sqlite/options.js';

/** A directory on the real disk, gone after the test. */
export function scratch(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'seamtrace-journal-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A journal that is closed after the test, also where the test fails. */
export async function openJournal(
  directory: string,
  more: Partial<SqliteJournalOptions> = {},
  ...spawn: Parameters<typeof createSqliteJournal> extends [unknown, ...infer Rest] ? Rest : never
): Promise<Journal> {
  const journal = await createSqliteJournal({ directory, durability: 'process', ...more }, ...spawn);
  onTestFinished(() => journal.close());
  return journal;
}

export async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const row of rows) list.push(row);
  return list;
}

/** Resolves when the condition holds; the test's own time limit is what ends a wait for nothing. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** A piece of a length, with content that its number gives. */
export function piece(number: number, bytes = 400): Uint8Array {
  const filled = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 1) filled[at] = (number * 31 + at * 7) & 0xff;
  return new Uint8Array(filled);
}
