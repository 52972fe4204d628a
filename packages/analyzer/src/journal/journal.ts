import type { Evidence } from '@seamtrace/core';

/** The evidence of one request, as it is journaled. Plain JSON: it can be written as it is. */
export interface EvidenceBatch {
  /** Receipt in milliseconds since the epoch: deadlines count from it, after a restart too. */
  readonly receivedAt: number;
  readonly evidence: readonly Evidence[];
}

/** A batch's place in the journal. Grows with every append; comparable within one journal only. */
export type JournalPosition = number;

export interface JournaledBatch extends EvidenceBatch {
  readonly position: JournalPosition;
}

export interface JournalLevels {
  /** Pieces of evidence that are appended and not yet taken by reassembly. */
  readonly lag: number;
  /** Batches whose append has not resolved yet. */
  readonly pending: number;
}

/**
 * Where evidence is safe before its batch is acknowledged. The order of calls for a batch is `append`, answer, `taken`,
 * and, when nothing of its time is needed any more, `release`.
 */
export interface Journal {
  /** How much survives the process. */
  readonly durability: 'none';
  /**
   * Resolves when the batch is as safe as this journal makes it; only then may the sender hear of success. A rejection
   * means that nothing was kept: the sender is told to come again.
   */
  append(batch: EvidenceBatch): Promise<JournalPosition>;
  /** Reassembly has been offered the whole batch. It stays journaled: a restart offers it again. */
  taken(position: JournalPosition): void;
  /** Evidence received before this time belongs to no handoff in memory any more and may go, whenever it suits. */
  release(receivedBefore: number): void;
  /** Everything that is kept, oldest first, for reassembly at start. Not to be called once appends have begun. */
  replay(): AsyncIterable<JournaledBatch>;
  levels(): JournalLevels;
  /** Resolves when what was appended is as safe as it gets. Appends after it reject. */
  close(): Promise<void>;
}
