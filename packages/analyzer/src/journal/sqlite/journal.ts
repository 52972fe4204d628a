import path from 'node:path';
import type { Journal } from '../journal.js';
import { JournalUnavailable, type UnavailableReason } from '../unavailable.js';
import { assertTime, createBehind } from './behind.js';
import { createDrain } from './drain.js';
import { unusable } from './errors.js';
import { createLag } from './lag.js';
import { lockDirectory } from './lock.js';
import { makeDirectory } from './make-directory.js';
import { createOutgoing, type Outgoing } from './outgoing.js';
import { MAX_PENDING_BYTES, type SqliteJournalOptions } from './options.js';
import { readBatches, readKept, readMarks } from './reading.js';
import { rowBytes } from './row.js';
import { createStorage } from './storage.js';
import { type SpawnThread, spawnThread } from './thread.js';

/** What is written behind waits at most this long for a batch to go along with. */
const BEHIND_MS = 500;

/**
 * Opens the journal of a directory: SQLite in a thread of its own, so that no flush holds up the event loop, with
 * everything that waits in one commit. Rejects with `JournalUnusable` when the journal is in use, damaged, of a newer
 * version or not writable; nothing is left open then, and nothing was changed.
 */
export async function createSqliteJournal(
  options: SqliteJournalOptions,
  spawn: SpawnThread = spawnThread,
): Promise<Journal> {
  const { durability, maxPendingBytes = MAX_PENDING_BYTES, observer = {} } = options;
  const directory = path.resolve(options.directory);
  try {
    makeDirectory(directory);
  } catch (error) {
    throw unusable(error, directory);
  }
  const lock = lockDirectory(directory);
  const storage = createStorage({ directory, durability, maxPages: options.maxPages }, spawn, {
    answered,
    gone(detail) {
      failed('crashed', detail);
      if (inFlight !== undefined) settleFailed(inFlight.outgoing, 'crashed', detail);
      inFlight = undefined;
      behind.failed();
      settleFailed(open, 'crashed', detail);
      open = createOutgoing(undefined);
    },
    back() {
      try {
        lock.renew();
      } catch (error) {
        failed('moved', (error as Error).message);
      }
      schedule();
      if (!behind.empty) later();
    },
    trouble: ({ reason, detail }) => failed(reason, detail),
  });
  const drain = createDrain();
  const lag = createLag();
  const behind = createBehind();
  let open = createOutgoing(undefined);
  let inFlight: { readonly outgoing: Outgoing; readonly sentAt: number } | undefined;
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let appended = false;
  let closing: Promise<void> | undefined;
  let idle: (() => void) | undefined;
  let fault: UnavailableReason | undefined;

  try {
    await storage.open();
  } catch (error) {
    await storage.end();
    lock.release();
    throw error;
  }

  function failed(reason: UnavailableReason, detail: string): void {
    if (reason !== fault) observer.fault?.(reason, detail);
    fault = reason;
  }

  function settleFailed(outgoing: Outgoing, reason: UnavailableReason, detail: string): void {
    for (const { reject } of outgoing.waiting) reject(new JournalUnavailable(reason, detail));
  }

  /** What comes in within one turn of the event loop goes together. */
  function schedule(): void {
    if (inFlight !== undefined || turn !== undefined || open.size === 0) return;
    turn = setImmediate(flush);
  }

  function flush(): void {
    clearImmediate(turn);
    turn = undefined;
    if (inFlight !== undefined || !storage.up) return;
    if (open.size === 0 && behind.empty) {
      idle?.();
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    const message = { type: 'commit', ...open.message(), ...behind.take() } as const;
    inFlight = { outgoing: open, sentAt: performance.now() };
    open = createOutgoing(storage.spare());
    storage.commit(message);
  }

  function answered(first: number | undefined, wroteBehind: boolean): void {
    if (inFlight === undefined) return;
    const { outgoing, sentAt } = inFlight;
    inFlight = undefined;
    if (wroteBehind) behind.written();
    else behind.failed();
    if (first !== undefined) {
      const ms = performance.now() - sentAt;
      drain.note(outgoing.bytes, ms);
      observer.committed?.(outgoing.size, outgoing.bytes, ms);
      if (fault !== undefined) observer.recovered?.();
      fault = undefined;
      outgoing.waiting.forEach(({ pieces, resolve }, index) => {
        lag.add(first + index, pieces);
        resolve(first + index);
      });
    } else settleFailed(outgoing, storage.trouble.reason, storage.trouble.detail);
    if (open.size > 0 || (idle !== undefined && wroteBehind)) flush();
    else if (idle !== undefined) idle();
    else if (!behind.empty) later();
  }

  function later(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      flush();
    }, BEHIND_MS).unref();
  }

  function beforeAppends(what: string): void {
    if (appended) throw new Error(`${what} is for the time before the first append`);
  }

  return {
    durability,
    append(batch) {
      if (closing !== undefined) return refuse('closed', 'append after close');
      if (!storage.up) return refuse('crashed', storage.trouble.detail);
      assertTime(batch.receivedAt);
      const bytes = rowBytes(batch.pieces);
      const pending = open.bytes + (inFlight?.outgoing.bytes ?? 0);
      if (pending > 0 && pending + bytes > maxPendingBytes) {
        return refuse('overloaded', `${pending} bytes wait, ${maxPendingBytes} may`, drain.secondsFor(pending));
      }
      appended = true;
      return new Promise((resolve, reject) => {
        open.add(batch, bytes, { pieces: batch.pieces.length, resolve, reject });
        schedule();
      });
    },
    taken: lag.take,
    delivered(marks) {
      behind.mark(marks);
      later();
    },
    keep(changes) {
      behind.change(changes);
      later();
    },
    release(receivedBefore) {
      behind.release(receivedBefore);
      if (!behind.empty) later();
    },
    async *replay() {
      beforeAppends('replay');
      const batches = readBatches(storage.page, (read, of) => observer.replayed?.(read, of));
      for await (const batch of batches) {
        lag.add(batch.position, batch.pieces.length);
        yield batch;
      }
    },
    marks() {
      beforeAppends('marks');
      return readMarks(storage.page);
    },
    kept() {
      beforeAppends('kept');
      return readKept(storage.page);
    },
    levels: () => ({
      lag: lag.pieces,
      pending: open.size + (inFlight?.outgoing.size ?? 0),
      bytes: storage.bytes,
    }),
    close: () => (closing ??= finish()),
  };

  function refuse(reason: UnavailableReason, detail: string, seconds?: number): Promise<never> {
    return Promise.reject(new JournalUnavailable(reason, detail, seconds));
  }

  async function finish(): Promise<void> {
    if (storage.up) {
      await new Promise<void>((resolve) => {
        idle = resolve;
        flush();
      });
    }
    clearTimeout(timer);
    await storage.close();
    lock.release();
  }
}
