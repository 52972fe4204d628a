/**
 * Why nothing can be kept for now: no space left on the disk, another process holds the database's lock, the disk
 * reports errors, the database file was moved or deleted, the storage thread died and comes back, more bytes wait than
 * may, or the journal is closed.
 */
export type UnavailableReason = 'full' | 'locked' | 'io' | 'moved' | 'crashed' | 'overloaded' | 'closed';

/** How long a sender should stay away where no rate tells: as long as the trouble usually takes to pass. */
const RETRY_AFTER_S: Readonly<Record<UnavailableReason, number>> = {
  full: 15,
  locked: 2,
  io: 10,
  moved: 30,
  crashed: 2,
  overloaded: 1,
  closed: 5,
};

/** For the sender of a batch: names no path and no host. */
const SAYS: Readonly<Record<UnavailableReason, string>> = {
  full: 'The disk of this receiver is full, so that it cannot keep evidence',
  locked: 'Another program has locked the journal of this receiver',
  io: 'The disk of this receiver reports errors, so that it cannot keep evidence',
  moved: 'The journal of this receiver was moved or deleted',
  crashed: 'The journal of this receiver is starting again',
  overloaded: 'This receiver gets more evidence than its disk takes',
  closed: 'The journal of this receiver is closed',
};

/** A batch that was not kept. The one error that `Journal.append` rejects with. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable';
  readonly reason: UnavailableReason;
  /** When to come again; a whole number, at least 1. */
  readonly retryAfterSeconds: number;
  /** For the operator's log: the system's own words, paths included. */
  readonly detail: string;

  constructor(reason: UnavailableReason, detail: string, retryAfterSeconds = RETRY_AFTER_S[reason]) {
    super(`${SAYS[reason]}; send the batch again after Retry-After.`);
    this.reason = reason;
    this.detail = detail;
    this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds));
  }
}
