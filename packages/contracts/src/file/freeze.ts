const refuse = (): never => {
  throw new TypeError('contracts are frozen; build new ones instead');
};

/** A map that refuses to change. `Object.freeze` alone leaves the entries of a Map open. */
export function frozenMap<K, V>(entries: Iterable<readonly [K, V]>): ReadonlyMap<K, V> {
  const map = new Map(entries);
  return Object.freeze(Object.assign(map, { set: refuse, delete: refuse, clear: refuse }));
}
