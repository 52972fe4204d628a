import { sortUnique } from '../keys/order.js';
import type { Migration } from '../types.js';
import { containersOf } from './within.js';

/** The new path of a key: that of the longest renamed path which it is or lies within, else its own. */
function renamePath(path: string, rename: ReadonlyMap<string, string>): string {
  for (const container of containersOf(path)) {
    const target = rename.get(container);
    if (target !== undefined) return target + path.slice(container.length);
  }
  return path;
}

/**
 * Key names of the old version as the new one names them: rename, then drop, then add (wire contract, section 11).
 * Renames apply at once, so two keys can change places; what lies within a renamed or dropped path goes with it.
 * Sorted, without repetition.
 */
export function migrateKeys(keys: Iterable<string>, migration: Pick<Migration, 'rename' | 'add' | 'drop'>): string[] {
  const renamed = [...keys].map((key) => renamePath(key, migration.rename));
  const dropped = new Set(migration.drop);
  const kept = renamed.filter((key) => ![...containersOf(key)].some((container) => dropped.has(container)));
  return sortUnique([...kept, ...migration.add]);
}
