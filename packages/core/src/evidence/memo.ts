import { sameList } from './distinct.js';

/** What is longer than this is worked out each time, so that what a memo holds is bounded by its entries. */
const MAX_KEY = 1024;

/**
 * A pure function of a text that remembers its last results, for what spans repeat over and over. Results are shared, so
 * they must not be changed. Once `max` results are held, all are let go.
 */
export function memoize<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    remember(results, max, text, result);
    return result;
  };
}

/** {@link memoize} of a list of texts, such as the keys of a capture. Lists that differ in anything are told apart. */
export function memoizeList<T>(max: number, compute: (list: readonly string[]) => T): (list: readonly string[]) => T {
  const results = new Map<string, { readonly list: readonly string[]; readonly result: T }>();
  let last: { readonly list: readonly string[]; readonly result: T } | undefined;
  return (list) => {
    // The decoder gives equal lists of one request as one.
    if (last?.list === list) return last.result;
    last = { list, result: byText(list) };
    return last.result;
  };

  function byText(list: readonly string[]): T {
    // Two lists may come to one text, of which the first is remembered.
    const text = list.join('\n');
    const known = results.get(text);
    if (known !== undefined && sameList(known.list, list)) return known.result;
    const result = compute(list);
    if (known === undefined) remember(results, max, text, { list, result });
    return result;
  }
}

function remember<T>(results: Map<string, T>, max: number, key: string, result: T): void {
  if (key.length > MAX_KEY) return;
  if (results.size === max) results.clear();
  results.set(key, result);
}
