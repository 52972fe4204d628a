import { JournalUnusable } from '../unusable.js';
import type { CommitWindow, FromStore, Page, StoreOptions, Table, Trouble } from './messages.js';
import type { SpawnThread, StoreThread } from './thread.js';

/** The storage thread as the journal sees it: it answers, or it is gone and comes back. */
export interface Storage {
  /** Whether a commit can be sent. */
  readonly up: boolean;
  readonly bytes: number;
  /** What the latest failure was. */
  readonly trouble: Trouble;
  /** Resolves when the database is open; rejects with `JournalUnusable`. Once. */
  open(): Promise<void>;
  /** One at a time: the next one after the answer. */
  commit(window: CommitWindow): void;
  page(table: Table, after: number): Promise<Page>;
  /** A buffer that a commit brought back, once. */
  spare(): ArrayBuffer | undefined;
  /** Lets the database write its log away and closes it. */
  close(): Promise<void>;
  /** Ends the thread at once. */
  end(): Promise<void>;
}

export interface StorageListener {
  readonly answered: (first: number | undefined, behind: boolean) => void;
  /** The thread died; whatever was on its way is not known to be written. */
  readonly gone: (detail: string) => void;
  readonly back: () => void;
  readonly trouble: (trouble: Trouble) => void;
}

const FIRST_RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

interface Asked<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

export function createStorage(options: StoreOptions, spawn: SpawnThread, listener: StorageListener): Storage {
  let thread: StoreThread | undefined;
  let up = false;
  let ending = false;
  let bytes = 0;
  let trouble: Trouble = { reason: 'crashed', detail: 'the storage thread has not started' };
  let spare: ArrayBuffer | undefined;
  let restartMs = FIRST_RESTART_MS;
  let restart: NodeJS.Timeout | undefined;
  let opening: Asked<void> | undefined;
  let closing: (() => void) | undefined;
  // Answers come in the order of the questions.
  const reads: Asked<Page>[] = [];

  function start(): void {
    thread = spawn(options, { message, gone });
    // The process stays up while it waits for an answer, and for nothing else of ours.
    thread.hold(opening !== undefined);
  }

  function message(from: FromStore): void {
    if (from.type === 'opened') {
      bytes = from.bytes;
      up = true;
      thread?.hold(false);
      if (opening !== undefined) opening.resolve();
      else listener.back();
      opening = undefined;
    } else if (from.type === 'answer') {
      bytes = from.bytes;
      spare = from.buffer;
      if (from.first !== undefined) restartMs = FIRST_RESTART_MS;
      if (from.trouble !== undefined) noteTrouble(from.trouble);
      thread?.hold(reads.length > 0 || closing !== undefined);
      listener.answered(from.first, from.behind);
    } else if (from.type === 'page') {
      reads.shift()?.resolve(from.page);
      thread?.hold(reads.length > 0);
    } else if (from.type === 'level') bytes = from.bytes;
    else if (from.type === 'chore') noteTrouble(from.trouble);
    else if (from.type === 'closed') {
      if (from.trouble !== undefined) noteTrouble(from.trouble);
      void thread?.end();
    } else refused(new JournalUnusable(from.reason, from.message));
  }

  function noteTrouble(news: Trouble): void {
    trouble = news;
    listener.trouble(news);
  }

  /** The thread cannot open the database, or not read from it. */
  function refused(error: JournalUnusable): void {
    if (opening !== undefined) opening.reject(error);
    else if (reads.length > 0) reads.shift()!.reject(error);
    else trouble = { reason: 'io', detail: error.message };
    opening = undefined;
  }

  function gone(why: string): void {
    const wasUp = up;
    thread = undefined;
    up = false;
    closing?.();
    opening?.reject(new JournalUnusable('failed', `the storage thread of ${options.directory} did not start: ${why}`));
    opening = undefined;
    if (ending) return;
    if (wasUp) trouble = { reason: 'crashed', detail: `the storage thread died: ${why}` };
    for (const { reject } of reads.splice(0)) reject(new JournalUnusable('failed', trouble.detail));
    listener.gone(trouble.detail);
    restart = setTimeout(start, restartMs).unref();
    restartMs = Math.min(MAX_RESTART_MS, 2 * restartMs);
  }

  return {
    get up() {
      return up;
    },
    get bytes() {
      return bytes;
    },
    get trouble() {
      return trouble;
    },
    open: () =>
      new Promise((resolve, reject) => {
        opening = { resolve, reject };
        start();
      }),
    commit(window) {
      thread!.hold(true);
      thread!.send(window, [window.buffer]);
    },
    page: (table, after) =>
      new Promise((resolve, reject) => {
        if (thread === undefined) return reject(new JournalUnusable('failed', trouble.detail));
        reads.push({ resolve, reject });
        thread.hold(true);
        thread.send({ type: 'read', table, after });
      }),
    spare() {
      const buffer = spare;
      spare = undefined;
      return buffer;
    },
    close() {
      ending = true;
      clearTimeout(restart);
      return new Promise((resolve) => {
        if (thread === undefined) return resolve();
        closing = resolve;
        thread.hold(true);
        thread.send({ type: 'close' });
      });
    },
    async end() {
      ending = true;
      clearTimeout(restart);
      await thread?.end();
    },
  };
}
