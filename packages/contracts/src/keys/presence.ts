import { firstName } from './path.js';

/** What a capture says about one path. `unknown` means that the capture did not look that deep. */
export type Presence = 'present' | 'absent' | 'unknown';

/**
 * What a complete capture says about a path (wire contract, section 3). `keys` are the names that the span lists,
 * `searched` the union of its `seamtrace.contract.required_keys` and `.permitted_keys`.
 *
 * A listed path is present. A path that was searched, or that is a single name, is absent when it is not listed. Of any
 * other path only the first name is known: absent when that is, else unknown. The answer says nothing about whether
 * the capture itself was complete.
 */
export function presence(path: string, keys: ReadonlySet<string>, searched: ReadonlySet<string>): Presence {
  if (keys.has(path)) return 'present';
  if (searched.has(path)) return 'absent';
  const first = firstName(path);
  if (first === path) return 'absent';
  return keys.has(first) ? 'unknown' : 'absent';
}
