import type { DeliveryMark, KeptState, StateChange } from '../journal.js';
import type { UnavailableReason } from '../unavailable.js';
import type { UnusableReason } from '../unusable.js';
import type { SqliteJournalOptions } from './options.js';

/** What the storage thread is started with. */
export type StoreOptions = Pick<SqliteJournalOptions, 'directory' | 'durability' | 'maxPages'>;

/** Everything that waits, in one message: batches in one buffer, one after the other. */
export interface CommitWindow {
  readonly type: 'commit';
  /** Transferred both ways: it comes back with the answer and is filled again. */
  readonly buffer: ArrayBuffer;
  /** For each batch. */
  readonly receivedAt: readonly number[];
  /** For each batch, where its row ends in the buffer; the next begins there. */
  readonly ends: readonly number[];
  readonly marks: readonly DeliveryMark[];
  readonly changes: readonly StateChange[];
  /** Rows of an earlier time are to be deleted, once all of this is written. */
  readonly releaseBefore: number;
}

/** A stored batch in a page; the bytes are in the page's buffer. */
export interface BatchPage {
  readonly positions: readonly number[];
  readonly receivedAt: readonly number[];
  readonly ends: readonly number[];
  readonly buffer: ArrayBuffer;
}

/** One page of a table, and where the next begins; `next` is undefined after the last one. */
export type Page =
  | { readonly table: 'batches'; readonly rows: BatchPage; readonly next: number | undefined; readonly of: number }
  | { readonly table: 'marks'; readonly rows: readonly DeliveryMark[]; readonly next: number | undefined }
  | { readonly table: 'kept'; readonly rows: readonly KeptState[]; readonly next: number | undefined };

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
