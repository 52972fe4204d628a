/** Remembers names for a while, in bounded memory. */
export interface RecentSet<T> {
  add(name: T): void;
  has(name: T): boolean;
  readonly size: number;
}

/**
 * A set of at most `max` names in two generations: when the young one holds half of them, it becomes the old one and
 * the old one is forgotten. So at least the `max / 2` names added last are known, and adding one again keeps it.
 */
export function createRecentSet<T = string>(max: number): RecentSet<T> {
  const half = Math.max(1, Math.floor(max / 2));
  let young = new Set<T>();
  let old = new Set<T>();
  return {
    add(name) {
      if (young.has(name)) return;
      if (young.size >= half) {
        old = young;
        young = new Set<T>();
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
