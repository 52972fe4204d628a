import type { Durability } from '../journal.js';
import type { UnavailableReason } from '../unavailable.js';
import type { UnusableReason } from '../unusable.js';

/** What the storage thread is started with. */
export interface StoreOptions {
  readonly directory: string;
  readonly durability: Exclude<Durability, 'none'>;
  /** For tests: the database may not grow beyond this many pages of 4 KiB, and then says that the disk is full. */
  readonly maxPages?: number | undefined;
}

/** Everything that waits, in one message: batches in one buffer, one after the other. */
export interface CommitWindow {
  readonly type: 'commit';
  /** Transferred both ways: it comes back with the answer and is filled again. */
  readonly buffer: ArrayBuffer;
  /** For each batch. */
  readonly receivedAt: readonly number[];
  /** For each batch, where its row ends in the buffer; the next begins there. */
  readonly ends: readonly number[];
  readonly marks: readonly StoredMark[];
  readonly changes: readonly StoredChange[];
  /** Rows of an earlier time are to be deleted, once all of this is written. */
  readonly releaseBefore: number;
}

export interface StoredMark {
  readonly key: string;
  readonly revision: number;
  readonly verdictId: string;
  readonly at: number;
}

export interface StoredChange {
  readonly kind: string;
  readonly key: string;
  readonly state: Uint8Array | undefined;
  readonly at: number;
}

/** A stored batch in a page; the bytes are in the page's buffer. */
export interface BatchPage {
  readonly positions: readonly number[];
  readonly receivedAt: readonly number[];
  readonly ends: readonly number[];
  readonly buffer: ArrayBuffer;
}

export interface KeptRow {
  readonly kind: string;
  readonly key: string;
  readonly state: Uint8Array;
  readonly at: number;
}

/** One page of a table, and where the next begins; `next` is undefined after the last one. */
export type Page =
  | { readonly table: 'batches'; readonly rows: BatchPage; readonly next: number | undefined; readonly of: number }
  | { readonly table: 'marks'; readonly rows: readonly StoredMark[]; readonly next: number | undefined }
  | { readonly table: 'kept'; readonly rows: readonly KeptRow[]; readonly next: number | undefined };

export type Table = Page['table'];

export type ToStore =
  CommitWindow | { readonly type: 'read'; readonly table: Table; readonly after: number } | { readonly type: 'close' };

export interface Trouble {
  readonly reason: UnavailableReason;
  readonly detail: string;
}

export type FromStore =
  | { readonly type: 'opened'; readonly bytes: number }
  | { readonly type: 'unusable'; readonly reason: UnusableReason; readonly message: string }
  | { readonly type: 'page'; readonly page: Page }
  | {
      readonly type: 'answer';
      readonly buffer: ArrayBuffer;
      /** The position of the window's first batch; undefined when the batches were not kept. */
      readonly first: number | undefined;
      /** Marks and changes are written, even where the batches are not. */
      readonly behind: boolean;
      readonly trouble: Trouble | undefined;
      readonly bytes: number;
    }
  /** Live bytes, when deleting has come to rest. */
  | { readonly type: 'level'; readonly bytes: number }
  /** Deleting or checkpointing failed. It is tried again. */
  | { readonly type: 'chore'; readonly trouble: Trouble }
  | { readonly type: 'closed'; readonly trouble: Trouble | undefined };
