import type { HandoffRecord } from '../evidence/types.js';
import { textUnits } from './text-units.js';

/** Records kept unpacked, one for each of so many remainders of a slot. A family of attempts is read again and again. */
const PLACES = 1024;
/** A larger record would make the cache's memory anybody's guess. */
const MAX_UNITS = 4096;

/**
 * The records used last, unpacked, in bounded memory. Most handoffs are complete soon after they began: a record is
 * packed when another one takes its place, and not with every span that adds to it.
 */
export interface RecordCache {
  get(slot: number): HandoffRecord | undefined;
  /** Keeps a record that is packed already, if it is small. */
  keep(slot: number, record: HandoffRecord): void;
  /** Takes a record that is not packed yet. */
  change(slot: number, record: HandoffRecord): void;
  /** Has the record packed, if it is not yet. */
  settle(slot: number): void;
  delete(slot: number): void;
  /** UTF-16 units of the texts of records that are not packed yet. */
  readonly unpacked: number;
}

/** @param pack Told of each record that was changed, once it has to be packed. */
export function createRecordCache(pack: (slot: number, record: HandoffRecord) => void): RecordCache {
  const slots = new Int32Array(PLACES).fill(-1);
  const records = new Array<HandoffRecord | undefined>(PLACES).fill(undefined);
  /** Units of a record that is not packed yet, else 0. */
  const changed = new Int32Array(PLACES);
  let unpacked = 0;

  function take(slot: number, record: HandoffRecord): void {
    const place = slot % PLACES;
    const other = slots[place] as number;
    if (other !== slot) settlePlace(place);
    slots[place] = slot;
    records[place] = record;
  }

  function settlePlace(place: number): void {
    if (changed[place] === 0) return;
    pack(slots[place] as number, records[place] as HandoffRecord);
    count(place, 0);
  }

  function count(place: number, units: number): void {
    unpacked += units - (changed[place] as number);
    changed[place] = units;
  }

  function remove(slot: number): void {
    const place = slot % PLACES;
    if (slots[place] !== slot) return;
    count(place, 0);
    slots[place] = -1;
    records[place] = undefined;
  }

  return {
    get: (slot) => (slots[slot % PLACES] === slot ? records[slot % PLACES] : undefined),
    keep(slot, record) {
      if (textUnits(record) <= MAX_UNITS) take(slot, record);
    },
    change(slot, record) {
      const units = textUnits(record);
      if (units > MAX_UNITS) {
        remove(slot);
        pack(slot, record);
        return;
      }
      take(slot, record);
      count(slot % PLACES, units);
    },
    settle(slot) {
      if (slots[slot % PLACES] === slot) settlePlace(slot % PLACES);
    },
    delete: remove,
    get unpacked() {
      return unpacked;
    },
  };
}
