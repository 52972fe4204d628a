import { packRecord, unpackRecord } from '../evidence/codec.js';
import type { HandoffRecord } from '../evidence/types.js';
import type { GradedHandoff } from '../grading/types.js';
import { type Column, NONE, createIntegers, createNumbers, createSlots } from './column.js';
import { type Lane, createLane } from './lane.js';
import { createLists } from './lists.js';
import { createRecordCache } from './record-cache.js';
import { createSlab } from './slab.js';
import { createTextTable } from './text-table.js';
import { createVerdictBytes } from './verdict-bytes.js';

/** The last verdict of an attempt, and the record it rested on. */
export interface KeptVerdict {
  readonly graded: GradedHandoff;
  readonly record: HandoffRecord;
}

/**
 * Attempts in memory, each a slot of columns and a packed record outside the garbage collector's heap. A slot belongs to
 * an attempt until it is removed, and then to another one.
 */
export interface Store {
  /** `NONE` where the attempt is not kept. */
  find(handoffId: string, attempt: number): number;
  /** Attempts of one id in the order they came. */
  attemptsOf(handoffId: string): readonly (readonly [attempt: number, slot: number])[];
  /** Slots of the attempts of one id in the order they came. */
  slotsOf(handoffId: string): readonly number[];
  /** The attempt is the only one of its id. */
  isAlone(slot: number): boolean;
  /** A new attempt, incomplete until said otherwise. */
  add(record: HandoffRecord, now: number): number;
  recordOf(slot: number): HandoffRecord;
  /** The record differs from the one before; what a verdict rested on is kept. */
  setRecord(slot: number, record: HandoffRecord): void;
  /** The record is whole and settles. */
  settle(slot: number, now: number): void;
  /** It is graded and kept for late evidence. */
  retain(slot: number, at: number): void;
  /**
   * Notes a verdict on the record as it is now. Says what it replaces; `same` where it says what the last one said, which
   * then rests on the record as it is now.
   */
  noteVerdict(slot: number, graded: GradedHandoff): 'same' | { readonly previous: KeptVerdict | undefined };
  remove(slot: number): void;
  readonly size: number;
  /** Bytes of records and verdicts, and an allowance for what stands beside each. */
  readonly bytes: number;
  /** `NaN` where it has not happened: whole, first graded; when late evidence is graded, when a change among relatives is. */
  readonly receivedAt: Column;
  readonly wholeAt: Column;
  readonly gradedAt: Column;
  readonly reviseAt: Column;
  readonly recheckAt: Column;
  /** How many verdicts there were. */
  readonly revision: Column;
  readonly incomplete: Lane;
  readonly settling: Lane;
  readonly retained: Lane;
  /** All of them, by receipt. */
  readonly arrivals: Lane;
}

/** Columns, the id and where to find it, deadlines and crowds of one attempt, measured and rounded up. */
export const ENTRY_BYTES = 384;

export function createStore(hashSeed?: number): Store {
  const slots = createSlots();
  const ids = createTextTable(hashSeed);
  const idOf = createIntegers();
  const firstOfId = createIntegers();
  const nextOfId = createIntegers();
  const attempts = createNumbers();
  const receivedAt = createNumbers();
  const wholeAt = createNumbers();
  const gradedAt = createNumbers();
  const reviseAt = createNumbers();
  const recheckAt = createNumbers();
  const revision = createIntegers(0);
  // Handles. A record of 0 was not packed yet. A basis of 0 is the record itself: most verdicts rest on what is still all
  // that is known.
  const records = createNumbers(0);
  const verdicts = createNumbers(0);
  const bases = createNumbers(0);
  const slab = createSlab();
  const cache = createRecordCache(pack);
  const verdictBytes = createVerdictBytes();
  const states = createLists();
  const incomplete = createLane(states, 0);
  const settling = createLane(states, 1);
  const retained = createLane(states, 2);
  const arrivals = createLane(createLists(), 0);

  function laneOf(slot: number): Lane {
    if (!Number.isNaN(gradedAt.get(slot))) return retained;
    return Number.isNaN(wholeAt.get(slot)) ? incomplete : settling;
  }

  function pack(slot: number, record: HandoffRecord): void {
    const packed = packRecord(record);
    const known = records.get(slot);
    records.set(slot, known === 0 ? slab.put(packed) : slab.replace(known, packed));
  }

  const firstOf = (id: number): number => (id === NONE ? NONE : firstOfId.get(id));

  function slotsOf(handoffId: string): readonly number[] {
    let slot = firstOf(ids.find(handoffId));
    if (slot === NONE) return NOBODY;
    const slots: number[] = [];
    for (; slot !== NONE; slot = nextOfId.get(slot)) slots.push(slot);
    return slots;
  }

  function chainUp(handoffId: string, slot: number): void {
    const known = ids.find(handoffId);
    const id = known === NONE ? ids.take(handoffId) : known;
    let last = NONE;
    for (let other = firstOf(known); other !== NONE; other = nextOfId.get(other)) last = other;
    if (last === NONE) firstOfId.set(id, slot);
    else nextOfId.set(last, slot);
    nextOfId.set(slot, NONE);
    idOf.set(slot, id);
  }

  function unchain(slot: number): void {
    const id = idOf.get(slot);
    let before = NONE;
    for (let known = firstOfId.get(id); known !== slot; known = nextOfId.get(known)) before = known;
    const after = nextOfId.get(slot);
    if (before !== NONE) nextOfId.set(before, after);
    else if (after !== NONE) firstOfId.set(id, after);
    else ids.free(id);
  }

  function recordOf(slot: number): HandoffRecord {
    const known = cache.get(slot);
    if (known !== undefined) return known;
    const record = unpackRecord(slab.get(records.get(slot)));
    cache.keep(slot, record);
    return record;
  }

  function dropBasis(slot: number): void {
    const basis = bases.get(slot);
    if (basis !== 0) slab.free(basis);
    bases.set(slot, 0);
  }

  function previousOf(slot: number): KeptVerdict | undefined {
    const verdict = verdicts.get(slot);
    if (verdict === 0) return undefined;
    const basis = bases.get(slot);
    return {
      graded: verdictBytes.unpack(slab.get(verdict)),
      record: basis === 0 ? recordOf(slot) : unpackRecord(slab.get(basis)),
    };
  }

  return {
    find(handoffId, attempt) {
      let slot = firstOf(ids.find(handoffId));
      while (slot !== NONE && attempts.get(slot) !== attempt) slot = nextOfId.get(slot);
      return slot;
    },
    attemptsOf: (handoffId) => slotsOf(handoffId).map((slot) => [attempts.get(slot), slot] as const),
    slotsOf,
    isAlone: (slot) => nextOfId.get(slot) === NONE && firstOfId.get(idOf.get(slot)) === slot,
    add(record, now) {
      const slot = slots.take();
      attempts.set(slot, record.attempt);
      receivedAt.set(slot, now);
      for (const time of [wholeAt, gradedAt, reviseAt, recheckAt]) time.set(slot, NaN);
      revision.set(slot, 0);
      records.set(slot, 0);
      verdicts.set(slot, 0);
      bases.set(slot, 0);
      cache.change(slot, record);
      chainUp(record.handoffId, slot);
      incomplete.push(slot);
      arrivals.push(slot);
      return slot;
    },
    recordOf,
    setRecord(slot, record) {
      // The first change after a verdict leaves the verdict its record.
      if (verdicts.get(slot) !== 0 && bases.get(slot) === 0) {
        cache.settle(slot);
        bases.set(slot, records.get(slot));
        records.set(slot, 0);
      }
      cache.change(slot, record);
    },
    settle(slot, now) {
      incomplete.remove(slot);
      wholeAt.set(slot, now);
      settling.push(slot);
    },
    retain(slot, at) {
      laneOf(slot).remove(slot);
      gradedAt.set(slot, at);
      retained.push(slot);
    },
    noteVerdict(slot, graded) {
      const packed = verdictBytes.pack(graded);
      const known = verdicts.get(slot);
      if (known !== 0 && Buffer.compare(slab.get(known), packed) === 0) {
        dropBasis(slot);
        return 'same';
      }
      const previous = previousOf(slot);
      dropBasis(slot);
      verdicts.set(slot, known === 0 ? slab.put(packed) : slab.replace(known, packed));
      revision.set(slot, revision.get(slot) + 1);
      return { previous };
    },
    remove(slot) {
      unchain(slot);
      laneOf(slot).remove(slot);
      arrivals.remove(slot);
      dropBasis(slot);
      if (records.get(slot) !== 0) slab.free(records.get(slot));
      if (verdicts.get(slot) !== 0) slab.free(verdicts.get(slot));
      cache.delete(slot);
      slots.free(slot);
    },
    get size() {
      return slots.size;
    },
    get bytes() {
      return slab.bytes + cache.unpacked + ENTRY_BYTES * slots.size;
    },
    receivedAt,
    wholeAt,
    gradedAt,
    reviseAt,
    recheckAt,
    revision,
    incomplete,
    settling,
    retained,
    arrivals,
  };
}

const NOBODY: readonly number[] = [];
