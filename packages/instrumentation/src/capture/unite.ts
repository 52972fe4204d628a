import { mergeCaptures } from '@seamtrace/contracts';
import type { ContractTerms } from '../handoff/state.js';
import type { StageCapture } from './stage-capture.js';

/** One stage of several carriers, or of one carrier before and after a callback of the application's: the names of both. */
export function unite(a: StageCapture, b: StageCapture, terms: ContractTerms | undefined): StageCapture {
  return {
    keys: mergeCaptures(a.keys, b.keys, { paths: terms?.paths }),
    stateRef: a.stateRef ?? b.stateRef,
    valueDigests: uniteDigests(a.valueDigests, b.valueDigests),
  };
}

/** Where both hold a key, the first one's value is stated. */
function uniteDigests(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): readonly string[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const key = (digest: string): string => digest.slice(0, digest.indexOf('='));
  const stated = new Set(a.map(key));
  return [...a, ...b.filter((digest) => !stated.has(key(digest)))];
}
