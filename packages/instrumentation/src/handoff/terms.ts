import type { ContractVersion, Route } from '@seamtrace/contracts';
import type { ContractTerms } from './state.js';

/** The terms by which a side captures, from parts. All lists are frozen, since captures keep a plan for each. */
export function createTerms(parts: Omit<ContractTerms, 'paths'>): ContractTerms {
  const paths = Object.freeze([...new Set([...parts.required, ...(parts.permitted ?? [])])]);
  return Object.freeze({ ...parts, paths });
}

const termsOfVersion = new WeakMap<ContractVersion, ContractTerms>();

/** The terms of one version of a route. The same version gives the same object. */
export function routeTerms(route: Route, version: ContractVersion): ContractTerms {
  const known = termsOfVersion.get(version);
  if (known !== undefined) return known;
  const { required, permitted, nullable, integrity } = version;
  const terms = createTerms({
    version: version.version,
    required,
    permitted,
    nullable,
    integrity,
    stateRef: route.stateRef,
  });
  termsOfVersion.set(version, terms);
  return terms;
}

/** Whether two sides hold the same contract, so that evidence captured by one can be read under the other. */
export function sameTerms(a: ContractTerms | undefined, b: ContractTerms | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.version === b.version && sameList(a.required, b.required) && sameList(a.permitted, b.permitted);
}

/** Order and repetition say nothing about a contract. */
function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const left = new Set(a);
  const right = new Set(b);
  return left.size === right.size && [...left].every((key) => right.has(key));
}
