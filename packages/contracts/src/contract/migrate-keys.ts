import { sortUnique } from '../keys/order.js';
import type { Migration } from '../types.js';
import { isWithin } from './within.js';

/** The new path of a key: that of the longest renamed path which it is or lies within, else its own. */
export function renamePath(path: string, rename: ReadonlyMap<string, string>): string {
  let from = '';
  let to = path;
  for (const [source, target] of rename) {
    if (source.length > from.length && isWithin(path, source)) {
      from = source;
      to = target + path.slice(source.length);
    }
  }
  return to;
}

/**
 * Key names of the old version as the new one names them: rename, then drop, then add (wire contract, section 11).
 * Renames apply at once, so two keys can change places; what lies within a renamed or dropped path goes with it.
 * Sorted, without repetition.
 */
export function migrateKeys(keys: Iterable<string>, migration: Pick<Migration, 'rename' | 'add' | 'drop'>): string[] {
  const renamed = [...keys].map((key) => renamePath(key, migration.rename));
  const kept = renamed.filter((key) => !migration.drop.some((dropped) => isWithin(key, dropped)));
  return sortUnique([...kept, ...migration.add]);
}
