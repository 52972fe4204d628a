/**
 * How much of what was acknowledged survives. `none`: nothing, the journal is in memory. `process`: the death of the
 * process, `kill -9` included. `power`: the loss of power as well, as far as the disk keeps its word about a flush.
 */
export type Durability = (typeof DURABILITIES)[number];

export const DURABILITIES = ['none', 'process', 'power'] as const;

/** The evidence of one request, packed (`packEvidence`): a journal knows nothing of what the bytes mean. */
export interface EvidenceBatch {
  /** Receipt in milliseconds since the epoch: deadlines count from it, after a restart too. Finite. */
  readonly receivedAt: number;
  /** May be empty; a piece may be empty. Never changed by the journal, and free again once `append` has returned. */
  readonly pieces: readonly Uint8Array[];
}

/** A batch's place in the journal. Grows with every append, across restarts too; comparable within one journal only. */
export type JournalPosition = number;

export interface JournaledBatch extends EvidenceBatch {
  readonly position: JournalPosition;
}

/** One revision of one handoff's verdict that every sink is through with. */
export interface DeliveryMark {
  /** `recordKey` of the handoff's attempt. Not empty. */
  readonly key: string;
  readonly revision: number;
  readonly verdictId: string;
  /** Milliseconds since the epoch; `release` goes by it. */
  readonly at: number;
}

/** A small piece of state that outlives the batches it came from. */
export interface KeptState {
  /** Whose it is, such as `task`. Together with `key` it names the state. */
  readonly kind: string;
  readonly key: string;
  readonly state: Uint8Array;
  readonly at: number;
}

export interface StateChange extends Omit<KeptState, 'state'> {
  /** `undefined` deletes what was kept under the name; nothing happens where nothing was. Copied before `keep` returns. */
  readonly state: Uint8Array | undefined;
}

export interface JournalLevels {
  /** Pieces of evidence that are appended and not yet taken by reassembly. What `replay` yields counts once it is yielded. */
  readonly lag: number;
  /** Batches whose append has not resolved yet. */
  readonly pending: number;
  /** Live bytes on disk: free space inside the file, which the next batches fill, is not counted. 0 in memory. */
  readonly bytes: number;
}

/**
 * Where evidence is safe before its batch is acknowledged.
 *
 * Order of calls: first, and each at most once, `marks`, `kept` and `replay`, in any order and read to their end; then,
 * for each batch, `append`, answer, `taken`; and, when nothing of its time is needed any more, `release`.
 *
 * Errors: `append` rejects with `JournalUnavailable` and with nothing else; a time that is not finite throws `TypeError`. Everything that is written behind
 * (`delivered`, `keep`, `release`) never throws for a disk's sake: it is tried again until it is written or the journal
 * closes. What a journal cannot read any more makes `replay`, `marks` and `kept` throw `JournalUnusable`.
 */
export interface Journal {
  readonly durability: Durability;
  /**
   * Resolves when the batch is as safe as this journal makes it; only then may the sender hear of success. Appends
   * resolve in the order of the calls, with growing positions.
   *
   * A rejection means that nothing is promised: the sender is told to come again. When the process or its disk fails
   * between writing and answering, a refused batch may still be found by the next `replay`; merging a repetition changes
   * nothing, so this does no harm.
   */
  append(batch: EvidenceBatch): Promise<JournalPosition>;
  /** Reassembly has been offered the whole batch. It stays journaled: a restart offers it again. Unknown positions and repetitions change nothing. */
  taken(position: JournalPosition): void;
  /** Written with the next commit, or within about a second. After a crash the newest marks may be missing: the verdict is delivered again. */
  delivered(marks: readonly DeliveryMark[]): void;
  /**
   * Written like marks, and no later than anything is deleted by a `release` that was called after it. The latest change
   * of a name counts.
   */
  keep(changes: readonly StateChange[]): void;
  /** Batches received and marks made before this time may go, whenever it suits. Never takes back an earlier call. */
  release(receivedBefore: number): void;
  /** Every batch that is kept, oldest first, for reassembly at start. Yields nothing when there is none. */
  replay(): AsyncIterable<JournaledBatch>;
  /** Every mark, in the order of delivery. Of two with equal key and revision the later one counts. */
  marks(): AsyncIterable<DeliveryMark>;
  /** All kept state, each name once, in no particular order. The receiver owns the bytes. */
  kept(): AsyncIterable<KeptState>;
  levels(): JournalLevels;
  /** Resolves when all that was appended or written behind is as safe as it gets. Never rejects; appends after it do. Repeated calls get the same promise. */
  close(): Promise<void>;
}
