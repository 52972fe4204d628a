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

/** The union of two sets of stated values. */
export function union(a: Distinct, b: Distinct, max: number = MAX_DISTINCT): Distinct {
  const values = lowest([...a.values, ...b.values], max);
  const total = new Set([...a.values, ...b.values]).size;
  return { values, more: a.more || b.more || total > max };
}

/** The value that everybody stated, or `undefined` where nothing was stated or two statements differ. */
export function agreed(fact: Distinct | undefined): string | undefined {
  return fact !== undefined && !fact.more && fact.values.length === 1 ? fact.values[0] : undefined;
}

/** Two statements of the fact differ. */
export function disputed(fact: Distinct | undefined): boolean {
  return fact !== undefined && (fact.more || fact.values.length > 1);
}

function lowest(values: readonly string[], max: number): string[] {
  return [...new Set(values)].sort(byCodeUnit).slice(0, max);
}

/** A total order on strings that does not depend on locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
