import type { EvidenceBatch, JournalPosition } from '../journal.js';
import type { JournalUnavailable } from '../unavailable.js';
import type { CommitWindow } from './messages.js';
import { writeRow } from './row.js';

export interface Waiting {
  readonly pieces: number;
  readonly resolve: (position: JournalPosition) => void;
  readonly reject: (error: JournalUnavailable) => void;
}

/** Batches that go to the storage thread together, copied into one buffer as they come. */
export interface Outgoing {
  readonly size: number;
  readonly bytes: number;
  readonly waiting: readonly Waiting[];
  add(batch: EvidenceBatch, bytes: number, waiting: Waiting): void;
  /** Its part of the message. The buffer is gone from here once it is transferred. */
  message(): Pick<CommitWindow, 'buffer' | 'receivedAt' | 'ends'>;
}

const FIRST_BYTES = 64 * 1024;
/** A buffer that grew beyond this in a burst is not kept for the next window. */
const KEPT_BYTES = 4 * 1024 * 1024;

/** `spare` is a buffer that came back from the thread: filling it again costs no allocation. */
export function createOutgoing(spare: ArrayBuffer | undefined): Outgoing {
  const waiting: Waiting[] = [];
  const receivedAt: number[] = [];
  const ends: number[] = [];
  let buffer = Buffer.from(
    spare !== undefined && spare.byteLength <= KEPT_BYTES ? spare : new ArrayBuffer(FIRST_BYTES),
  );
  let used = 0;

  function reserve(bytes: number): void {
    if (used + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used + bytes, 2 * buffer.length));
    buffer.copy(larger, 0, 0, used);
    buffer = larger;
  }

  return {
    get size() {
      return waiting.length;
    },
    get bytes() {
      return used;
    },
    waiting,
    add(batch, bytes, entry) {
      reserve(bytes);
      used = writeRow(buffer, used, batch.pieces);
      receivedAt.push(batch.receivedAt);
      ends.push(used);
      waiting.push(entry);
    },
    message: () => ({ buffer: buffer.buffer as ArrayBuffer, receivedAt, ends }),
  };
}
