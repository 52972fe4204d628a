/** How many distinct values of one fact are kept; more than that is known only as "more". */
export const MAX_DISTINCT = 4;

/**
 * The distinct values that spans stated for one fact: the lowest {@link MAX_DISTINCT} in code unit order. Keeping the
 * lowest, and not the first, makes the union commutative, associative and idempotent, so that the order in which
 * spans arrive cannot change a record.
 */
export interface Distinct {
  readonly values: readonly string[];
  /** More distinct values were stated than are kept. */
  readonly more: boolean;
}

/** A fact that exactly one span stated once. */
export function one(value: string): Distinct {
  return { values: [value], more: false };
}

/** The union of two sets of stated values; `a` itself where `b` adds nothing to it. */
export function union(a: Distinct, b: Distinct, max: number = MAX_DISTINCT): Distinct {
  if ((a.more || !b.more) && sameList(a.values, b.values)) return a;
  const all = [...new Set([...a.values, ...b.values])].sort(byCodeUnit);
  const values = all.slice(0, max);
  const more = a.more || b.more || all.length > max;
  return more === a.more && sameList(a.values, values) ? a : { values, more };
}

/** The very same elements in the same order. */
export function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

/** The value that everybody stated, or `undefined` where nothing was stated or two statements differ. */
export function agreed(fact: Distinct | undefined): string | undefined {
  return fact !== undefined && !fact.more && fact.values.length === 1 ? fact.values[0] : undefined;
}

/** Two statements of the fact differ. */
export function disputed(fact: Distinct | undefined): boolean {
  return fact !== undefined && (fact.more || fact.values.length > 1);
}

/** A total order on strings that does not depend on locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
