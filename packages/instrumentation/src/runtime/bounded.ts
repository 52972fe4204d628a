/**
 * Puts a value into a map that forgets its oldest entry when it is full, and returns the forgotten key. A key that is
 * already there becomes the newest. A plain `Map` and a function, so that two copies of this package can share one.
 */
export function putBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number): K | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return undefined;
  const oldest = map.keys().next();
  if (oldest.done === true) return undefined;
  map.delete(oldest.value);
  return oldest.value;
}
