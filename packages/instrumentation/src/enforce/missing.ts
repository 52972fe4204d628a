import { type KeyCapture, parseKeyPath, presence } from '@seamtrace/contracts';
import type { ContractTerms } from '../handoff/state.js';

/** Required keys that a complete capture proves absent. Of an incomplete one nothing is proven, so none is named. */
export function provenMissing(capture: KeyCapture, terms: ContractTerms | undefined): readonly string[] {
  if (terms === undefined || !capture.complete) return [];
  const keys = new Set(capture.keys);
  const searched = new Set(terms.paths);
  return terms.required.filter((path) => presence(path, keys, searched) === 'absent');
}

/** A missing key as `seamtrace.ingest.violations` lists it: a JSON pointer with `*` for list elements, and a code. */
export function violation(path: string): string {
  const parsed = parseKeyPath(path);
  if (!parsed.ok) return '/_unknown required';
  const pointer = parsed.steps
    .map((step) => ('name' in step ? step.name.replaceAll('~', '~0').replaceAll('/', '~1') : '*'))
    .join('/');
  return `/${pointer} required`;
}
