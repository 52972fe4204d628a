import { isToolKey } from '../contract/tool-keys.js';
import { lookUp } from '../keys/lookup.js';
import { parseKeyPath } from '../keys/path.js';
import { sortUnique } from '../keys/order.js';
import type { ContractVersion } from '../types.js';

const MAX_VISITS = 1_048_576;

/** Required keys that a state does not show. */
export interface Missing {
  /** All of them, sorted. */
  readonly keys: readonly string[];
  /** Those that may be there, where only running user code could tell. */
  readonly unreadable: readonly string[];
}

/**
 * Looks for the required keys of a version in a state, by the key rules of the wire contract, section 3. Tools are not the
 * state's to hold.
 */
export function findMissing(state: unknown, version: ContractVersion): Missing {
  const budget = { left: MAX_VISITS };
  const keys: string[] = [];
  const unreadable: string[] = [];
  for (const key of version.required) {
    if (isToolKey(key)) continue;
    const parsed = parseKeyPath(key);
    const found = parsed.ok ? lookUp(state, parsed.steps, version.nullable.includes(key), budget) : 'absent';
    if (found === 'present') continue;
    keys.push(key);
    if (found !== 'absent') unreadable.push(key);
  }
  return { keys: sortUnique(keys), unreadable: sortUnique(unreadable) };
}
