import type { HandoffRecord } from '../evidence/types.js';

/** Records kept unpacked, one for each of so many remainders of a slot. A family of attempts is read again and again. */
const PLACES = 1024;
/** A larger record would make the cache's memory anybody's guess. */
const MAX_PACKED_BYTES = 4096;

/** The records unpacked last, in bounded memory. */
export interface RecordCache {
  get(slot: number): HandoffRecord | undefined;
  set(slot: number, record: HandoffRecord, packedBytes: number): void;
  delete(slot: number): void;
}

export function createRecordCache(): RecordCache {
  const slots = new Int32Array(PLACES).fill(-1);
  const records = new Array<HandoffRecord | undefined>(PLACES).fill(undefined);

  function drop(slot: number): void {
    const place = slot % PLACES;
    if (slots[place] !== slot) return;
    slots[place] = -1;
    records[place] = undefined;
  }

  return {
    get: (slot) => (slots[slot % PLACES] === slot ? records[slot % PLACES] : undefined),
    set(slot, record, packedBytes) {
      if (packedBytes > MAX_PACKED_BYTES) return drop(slot);
      slots[slot % PLACES] = slot;
      records[slot % PLACES] = record;
    },
    delete: drop,
  };
}
