import type { Durability } from '../journal.js';
import type { UnavailableReason } from '../unavailable.js';

export interface SqliteJournalOptions {
  /** Made with mode 0700 where it does not exist. One journal at a time: a second one, of any process, is refused. */
  readonly directory: string;
  readonly durability: Exclude<Durability, 'none'>;
  /** Bytes of evidence that may wait to be written; a batch that comes on top is refused. One batch always may. */
  readonly maxPendingBytes?: number | undefined;
  readonly observer?: JournalObserver | undefined;
  /** For tests: the database may not grow beyond this many pages of 4 KiB, and then says that the disk is full. */
  readonly maxPages?: number | undefined;
}

/** Told what a journal has to say to whoever operates it. Must not throw. */
export interface JournalObserver {
  /** Writing fails, or fails for another reason than before. Paths may be in the detail. Not called for overload. */
  readonly fault?: (reason: UnavailableReason, detail: string) => void;
  /** Writing works again. */
  readonly recovered?: () => void;
  /** Batches replayed so far, and how many there are; after each page of about 4 MiB. */
  readonly replayed?: (batches: number, of: number) => void;
  /** One commit: what it wrote and how long the way to the disk and back took. */
  readonly committed?: (batches: number, bytes: number, ms: number) => void;
}

export const MAX_PENDING_BYTES = 64 * 1024 * 1024;
