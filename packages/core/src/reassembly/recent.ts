/** Remembers names for a while, in bounded memory. */
export interface RecentSet {
  add(name: string): void;
  has(name: string): boolean;
  readonly size: number;
}

/**
 * A set of at most `max` names in two generations: when the young one holds half of them, it becomes the old one and
 * the old one is forgotten. So at least the `max / 2` names added last are known, and adding one again keeps it.
 */
export function createRecentSet(max: number): RecentSet {
  const half = Math.max(1, Math.floor(max / 2));
  let young = new Set<string>();
  let old = new Set<string>();
  return {
    add(name) {
      if (young.has(name)) return;
      if (young.size >= half) {
        old = young;
        young = new Set();
      }
      young.add(name);
      old.delete(name);
    },
    has: (name) => young.has(name) || old.has(name),
    get size() {
      return young.size + old.size;
    },
  };
}
