import { isContractKey, sortUnique } from '@seamtrace/contracts';
import { elements } from '../hooks/own-data.js';
import { warnOnce } from '../runtime/report.js';

const MAX_KEYS = 256;

/**
 * The keys that a destination is known to read, as `seamtrace.destination.read_keys` lists them: key paths, sorted and unique.
 * What is no key path is left out, since it might be a value; beyond 256 nothing is said, since a list that was cut would name
 * some readers and pass over others.
 */
export function readKeys(reads: unknown): readonly string[] | undefined {
  if (reads === undefined || reads === null) return undefined;
  if (!Array.isArray(reads)) {
    warnOnce('option:reads', 'ingested: `reads` must be a list of key names; it is left out');
    return undefined;
  }
  const keys = sortUnique(
    elements(reads).filter((key): key is string => typeof key === 'string' && isContractKey(key)),
  );
  return keys.length === 0 || keys.length > MAX_KEYS ? undefined : keys;
}
