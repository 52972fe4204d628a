import { sortUnique } from '../keys/order.js';
import type { ContractVersion } from '../types.js';
import { isWithin } from './within.js';

/** What may cross: the permitted list, or the required keys where none is written. Never everything. */
export function permittedFor(version: ContractVersion): readonly string[] {
  return version.permitted ?? version.required;
}

/**
 * Whether a captured name may stand in a payload under a list of permitted paths: it is one of them, lies within one
 * (`order.id` when `order` is permitted), or only holds one (`order` when `order.id` is). A masked name never is.
 */
export function isPermittedKey(key: string, permitted: Iterable<string>): boolean {
  for (const path of permitted) if (isWithin(key, path) || isWithin(path, key)) return true;
  return false;
}

const searched = new WeakMap<ContractVersion, readonly string[]>();

/**
 * Every path that a capture for this version looks for: required and permitted together, sorted, frozen, and the same
 * list each time, so that `captureKeys` plans it once.
 */
export function contractPaths(version: ContractVersion): readonly string[] {
  const known = searched.get(version);
  if (known !== undefined) return known;
  const paths = Object.freeze(sortUnique([...version.required, ...permittedFor(version)]));
  searched.set(version, paths);
  return paths;
}
