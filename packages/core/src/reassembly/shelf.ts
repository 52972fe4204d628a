import { recordKey } from '../evidence/merge.js';
import type { HandoffRecord } from '../evidence/types.js';
import type { Entry } from './entry.js';
import { type Queue, createQueue } from './queue.js';
import { type Relatives, createRelatives } from './relatives.js';

/** Where attempts stand: each in the queue of its state, in the order in which it came there. */
export interface Shelf {
  get(key: string): Entry | undefined;
  /** A new attempt, incomplete until said otherwise. */
  add(record: HandoffRecord, now: number): Entry;
  /** The record is whole and settles. */
  settle(entry: Entry, now: number): void;
  /** It is graded and kept for late evidence. */
  retain(entry: Entry, now: number): void;
  remove(entry: Entry): void;
  readonly size: number;
  readonly incomplete: Queue<Entry>;
  readonly settling: Queue<Entry>;
  readonly retained: Queue<Entry>;
  /** All of them, by receipt. */
  readonly arrivals: Queue<Entry>;
  readonly relatives: Relatives<Entry>;
}

export function createShelf(): Shelf {
  const entries = new Map<string, Entry>();
  const incomplete = createQueue<Entry>();
  const settling = createQueue<Entry>();
  const retained = createQueue<Entry>();
  const arrivals = createQueue<Entry>();
  const relatives = createRelatives<Entry>();

  function queueOf({ gradedAt, wholeAt }: Entry): Queue<Entry> {
    if (gradedAt !== undefined) return retained;
    return wholeAt === undefined ? incomplete : settling;
  }

  return {
    get: (key) => entries.get(key),
    add(record, now) {
      const unplaced = {
        key: recordKey(record),
        record,
        receivedAt: now,
        wholeAt: undefined,
        gradedAt: undefined,
        reviseAt: undefined,
        verdict: undefined,
      };
      const entry = unplaced as unknown as Entry;
      entry.place = incomplete.push(entry);
      entry.arrival = arrivals.push(entry);
      entries.set(entry.key, entry);
      relatives.add(record.handoffId, record.attempt, entry);
      return entry;
    },
    settle(entry, now) {
      incomplete.remove(entry.place);
      entry.wholeAt = now;
      entry.place = settling.push(entry);
    },
    retain(entry, now) {
      queueOf(entry).remove(entry.place);
      entry.gradedAt = now;
      entry.place = retained.push(entry);
    },
    remove(entry) {
      queueOf(entry).remove(entry.place);
      arrivals.remove(entry.arrival);
      entries.delete(entry.key);
      relatives.remove(entry.record.handoffId, entry.record.attempt);
    },
    get size() {
      return entries.size;
    },
    incomplete,
    settling,
    retained,
    arrivals,
    relatives,
  };
}
