import { textHash } from './text-hash.js';

const SHARDS = 1024;

/** What of a `Map` with texts as keys is needed here. */
export interface ShardedMap<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  readonly size: number;
}

/**
 * A map that does not stop the world when it grows: a single `Map` of a million keys is copied as a whole with every
 * doubling, which takes longer than a whole batch may.
 */
export function createShardedMap<V>(): ShardedMap<V> {
  const shards: (Map<string, V> | undefined)[] = new Array<undefined>(SHARDS).fill(undefined);
  let size = 0;
  const shardOf = (key: string): number => textHash(key) % SHARDS;
  return {
    get: (key) => shards[shardOf(key)]?.get(key),
    set(key, value) {
      const shard = (shards[shardOf(key)] ??= new Map<string, V>());
      if (shard.has(key)) shard.set(key, value);
      else {
        shard.set(ownText(key), value);
        size += 1;
      }
    },
    delete(key) {
      if (shards[shardOf(key)]?.delete(key) === true) size -= 1;
    },
    get size() {
      return size;
    },
  };
}

/** A text that shares no memory with another one: a short piece cut from a request would keep all of it. */
function ownText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
