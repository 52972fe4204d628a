import type { RecentSet } from './recent.js';
import { textHash } from './text-hash.js';

const SHARDS = 256;
const FEWEST = 8;
/** Longest walk from a name's home. A table whose names were made to collide forgets some instead of slowing down. */
const MAX_WALK = 64;

/** 64 bits for each name, in tables that are at most half full. */
interface Shard {
  words: Uint32Array;
  size: number;
}

interface Generation {
  readonly shards: Shard[];
  size: number;
}

/**
 * A {@link RecentSet} of millions of names in 16 to 32 bytes each, which no garbage collector looks at. Two different names
 * are taken for one with a chance of one in 2^64 for each pair.
 */
export function createFingerprints(max: number): RecentSet<string> {
  const half = Math.max(1, Math.floor(max / 2));
  let young = createGeneration();
  let old = createGeneration();
  return {
    add(name) {
      const low = textHash(name, 1);
      const high = textHash(name, 2) || 1;
      if (find(young, low, high)) return;
      if (young.size >= half) {
        old = young;
        young = createGeneration();
      }
      insert(young, low, high);
    },
    has(name) {
      const low = textHash(name, 1);
      const high = textHash(name, 2) || 1;
      return find(young, low, high) || find(old, low, high);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

function createGeneration(): Generation {
  return { shards: Array.from({ length: SHARDS }, () => ({ words: new Uint32Array(0), size: 0 })), size: 0 };
}

function find({ shards }: Generation, low: number, high: number): boolean {
  const { words } = shards[low % SHARDS]!;
  const mask = words.length / 2 - 1;
  if (mask < 0) return false;
  for (let walk = 0, at = (low >>> 8) & mask; walk < MAX_WALK; walk += 1, at = (at + 1) & mask) {
    const known = words[2 * at + 1]!;
    if (known === 0) return false;
    if (known === high && words[2 * at] === low) return true;
  }
  return false;
}

/** A name that is not there yet. */
function insert(generation: Generation, low: number, high: number): void {
  const shard = generation.shards[low % SHARDS]!;
  if (4 * (shard.size + 1) > shard.words.length) grow(shard);
  if (!place(shard.words, low, high)) return;
  shard.size += 1;
  generation.size += 1;
}

/** Whether the name took a free place; else it took that of another one. */
function place(words: Uint32Array, low: number, high: number): boolean {
  const mask = words.length / 2 - 1;
  let at = (low >>> 8) & mask;
  for (let walk = 1; walk < MAX_WALK && words[2 * at + 1] !== 0; walk += 1) at = (at + 1) & mask;
  const free = words[2 * at + 1] === 0;
  words[2 * at] = low;
  words[2 * at + 1] = high;
  return free;
}

function grow(shard: Shard): void {
  const before = shard.words;
  shard.words = new Uint32Array(Math.max(2 * FEWEST, 2 * before.length));
  shard.size = 0;
  for (let at = 0; at < before.length; at += 2) {
    if (before[at + 1] !== 0 && place(shard.words, before[at]!, before[at + 1]!)) shard.size += 1;
  }
}
