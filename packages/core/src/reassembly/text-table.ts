import { NONE, createIntegers, createNumbers, createSlots } from './column.js';
import { createSlab } from './slab.js';
import { textHash } from './text-hash.js';

const SHARDS = 256;
const FEWEST = 8;

/** Lists of texts by their hash, as many as there are texts or up to twice as many. */
interface Shard {
  heads: Int32Array;
  size: number;
}

/**
 * Numbers for texts, from the lowest up and again after they were given back. Millions of texts are held as bytes that no
 * garbage collector looks at, and no step of growing takes longer than a few thousand of them do.
 */
export interface TextTable {
  /** `NONE` where the text has no number. */
  find(text: string): number;
  /** The number of a text, which gets one if it has none. */
  take(text: string): number;
  textOf(number: number): string;
  free(number: number): void;
  readonly size: number;
}

/** @param seed What senders cannot know, so that they cannot choose texts that end up in one list. */
export function createTextTable(seed = 0): TextTable {
  const numbers = createSlots();
  const texts = createNumbers(0);
  const hashes = createIntegers(0);
  const next = createIntegers();
  const slab = createSlab();
  const shards: (Shard | undefined)[] = new Array<undefined>(SHARDS).fill(undefined);

  let lastText: string | undefined;
  let lastHash = 0;
  let lastNumber = NONE;

  /** Which list a text is in: of a shard of the low bits, that of the bits above. */
  const listOf = (hash: number, heads: Int32Array): number => (hash >>> 8) & (heads.length - 1);
  const shardOf = (hash: number): Shard =>
    (shards[hash & (SHARDS - 1)] ??= { heads: new Int32Array(FEWEST).fill(NONE), size: 0 });

  function lookUp(text: string, hash: number): number {
    const { heads } = shardOf(hash);
    let number = heads[listOf(hash, heads)]!;
    while (number !== NONE && (hashes.get(number) !== hash || !slab.holds(texts.get(number), text))) {
      number = next.get(number);
    }
    return number;
  }

  function grow(shard: Shard): void {
    const before = shard.heads;
    const heads = new Int32Array(2 * before.length).fill(NONE);
    for (const head of before) {
      for (let number = head; number !== NONE;) {
        const following = next.get(number);
        const list = listOf(hashes.get(number), heads);
        next.set(number, heads[list]!);
        heads[list] = number;
        number = following;
      }
    }
    shard.heads = heads;
  }

  function unlink(number: number, heads: Int32Array): void {
    const list = listOf(hashes.get(number), heads);
    let before = NONE;
    for (let other = heads[list]!; other !== number; other = next.get(other)) before = other;
    if (before === NONE) heads[list] = next.get(number);
    else next.set(before, next.get(number));
  }

  /** {@link TextTable.find}. One piece of evidence asks for the same text several times, with the same hash. */
  function find(text: string): number {
    if (text === lastText) return lastNumber;
    lastHash = textHash(text, seed) | 0;
    lastText = text;
    lastNumber = lookUp(text, lastHash);
    return lastNumber;
  }

  return {
    find,
    take(text) {
      const known = find(text);
      if (known !== NONE) return known;
      const hash = lastHash;
      const number = numbers.take();
      texts.set(number, slab.putText(text));
      hashes.set(number, hash);
      const shard = shardOf(hash);
      if (shard.size === shard.heads.length) grow(shard);
      shard.size += 1;
      const list = listOf(hash, shard.heads);
      next.set(number, shard.heads[list]!);
      shard.heads[list] = number;
      lastNumber = number;
      return number;
    },
    textOf: (number) => Buffer.from(slab.get(texts.get(number))).toString('utf8'),
    free(number) {
      lastText = undefined;
      const shard = shardOf(hashes.get(number));
      unlink(number, shard.heads);
      shard.size -= 1;
      slab.free(texts.get(number));
      numbers.free(number);
    },
    get size() {
      return numbers.size;
    },
  };
}
