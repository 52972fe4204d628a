/** Texts longer than this are worked out each time, so that what a memo holds is bounded by its entries. */
const MAX_KEY = 1024;

/**
 * A pure function of a text that remembers its last results, for what spans repeat over and over: lists of keys, names.
 * Results are shared, so they must not be changed. Once `max` results are held, all are let go.
 */
export function memoize<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (text.length <= MAX_KEY) {
      if (results.size === max) results.clear();
      results.set(text, result);
    }
    return result;
  };
}

/** {@link memoize} of a list of texts. Lists that differ in anything, order included, are told apart. */
export function memoizeList<T>(max: number, compute: (list: readonly string[]) => T): (list: readonly string[]) => T {
  let current: readonly string[] = [];
  let last: { readonly list: readonly string[]; readonly result: T } | undefined;
  const byText = memoize(max, () => compute(current));
  return (list) => {
    // The stages of one span mostly have equal lists.
    if (last !== undefined && sameList(last.list, list)) return last.result;
    current = list;
    last = { list, result: byText(JSON.stringify(list)) };
    return last.result;
  };
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
