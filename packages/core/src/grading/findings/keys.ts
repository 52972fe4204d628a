import { STAGES } from '@seamtrace/semconv';
import { isContractKey, isPermittedKey, sortUnique } from '@seamtrace/contracts';
import { permittedKeys } from '../contract.js';
import { fact } from '../subject.js';
import type { FindingPass } from './types.js';

/** Payload keys outside the permitted list. Not on text channels, nor where no list is written. */
export const unpermittedKeys: FindingPass = ({ subject }) => {
  const { record, route, stages, contract } = subject;
  if (fact(record, 'payloadChannel') === 'text' || !stages.payload.known || !contract.ok) return undefined;
  const { version, required, confirmed } = contract.producer;
  const permitted = permittedKeys(record, route, version);
  // A list without a required key was shortened on its way here or contradicts itself: it accuses nobody.
  if (permitted === undefined || required.some((key) => !isPermittedKey(key, permitted))) return undefined;
  const keys = stages.payload.capture.keys.filter(
    (key) => !isPermittedKey(key, permitted) && (confirmed || !permitted.some((entry) => key.startsWith(entry))),
  );
  return keys.length === 0 ? undefined : { id: 'unpermitted_keys', detail: { keys } };
};

/**
 * With shared state, the destination reads keys that its contract does not permit: it depends on what nobody promised. Only
 * what it is known to read counts, and only where a permitted list is written.
 */
export const undeclaredDependency: FindingPass = ({ subject }) => {
  const { record, route, contract } = subject;
  if (fact(record, 'payloadChannel') !== 'shared_state' || !contract.ok) return undefined;
  const { version, required, confirmed } = contract.consumer;
  const permitted = permittedKeys(record, route, version);
  if (permitted === undefined || required.some((key) => !isPermittedKey(key, permitted))) return undefined;
  const reads = record.facts.destinationReads?.values.flatMap(readNames) ?? [];
  const keys = sortUnique(reads).filter(
    (key) => !isPermittedKey(key, permitted) && (confirmed || !permitted.some((entry) => key.startsWith(entry))),
  );
  return keys.length === 0 ? undefined : { id: 'undeclared_dependency', detail: { keys } };
};

/** Names that a contract could list; a masked name accuses nobody. */
function readNames(json: string): readonly string[] {
  const list = JSON.parse(json) as unknown;
  return Array.isArray(list)
    ? list.filter((name): name is string => typeof name === 'string' && isContractKey(name))
    : [];
}

/** Keyed digests of one key's value differ between two stages. Needs `integrity` in the contract. */
export const valueChanged: FindingPass = ({ subject }) => {
  const stated = new Map<string, string[]>();
  for (const stage of STAGES) {
    const view = subject.stages[stage];
    const digests = view.known ? view.execution.valueDigests : undefined;
    if (digests === undefined || digests.more) continue;
    for (const [key, digest] of singleDigests(digests.values)) stated.set(key, [...(stated.get(key) ?? []), digest]);
  }
  const keys = [...stated].filter(([, digests]) => comparable(digests)).map(([key]) => key);
  if (keys.length === 0) return undefined;
  const changed = sortUnique(keys);
  return { id: 'value_changed', detail: { keys: changed } };
};

/** The digest of each key at one stage; a key of which its spans state two has none. */
function singleDigests(entries: readonly string[]): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  const twice = new Set<string>();
  for (const entry of entries) {
    const split = entry.lastIndexOf('=');
    if (split <= 0) continue;
    const key = entry.slice(0, split);
    if (digests.has(key)) twice.add(key);
    digests.set(key, entry.slice(split + 1));
  }
  for (const key of twice) digests.delete(key);
  return digests;
}

/** Two digests of one secret that differ; digests under other secrets, or shortened ones, say nothing. */
function comparable(digests: readonly string[]): boolean {
  return digests.some((a, index) => digests.slice(index + 1).some((b) => digestsDiffer(a, b)));
}

const KEYED_DIGEST = /^(hmac-sha256:[^:]+:)([0-9a-f]{64}|[0-9a-f]{32}|[0-9a-f]{16})$/;

/** A keyed digest that nothing shortened, by the key it was made under; `undefined` for any other text. */
export function wholeDigest(digest: string | undefined): { readonly prefix: string; readonly hex: string } | undefined {
  const parts = digest === undefined ? null : KEYED_DIGEST.exec(digest);
  return parts === null ? undefined : { prefix: parts[1]!, hex: parts[2]! };
}

/** Both are whole keyed digests under one key id, and not equal. */
export function digestsDiffer(a: string, b: string): boolean {
  const [left, right] = [wholeDigest(a), wholeDigest(b)];
  return (
    left !== undefined &&
    right !== undefined &&
    left.prefix === right.prefix &&
    left.hex.length === right.hex.length &&
    left.hex !== right.hex
  );
}

/** Both are whole keyed digests under one key id, and equal. */
export function digestsEqual(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b && wholeDigest(a) !== undefined;
}
