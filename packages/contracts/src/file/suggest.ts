/** Edit distance, counting a swap of neighbours as one edit. Both words are short: callers bound them. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_ ]/g, '');

/** A text with more faults than this is no contract with a slip in it, and finding a word for each takes time. */
const MAX_SUGGESTED = 100;

/**
 * `; did you mean "required"?` where a known word is close to what was written, else the empty text. After the first
 * 100 faults none is looked for.
 */
export function suggestion(faults: readonly unknown[], written: string, known: Iterable<string>): string {
  if (written.length > 64 || faults.length >= MAX_SUGGESTED) return '';
  let best: string | undefined;
  let least = Infinity;
  let looked = 0;
  for (const word of known) {
    looked += 1;
    if (looked > 256) break;
    if (word.length > 64) continue;
    const edits = plain(word) === plain(written) ? 0 : distance(plain(written), plain(word));
    if (edits < least && edits <= Math.max(1, Math.floor(word.length / 3))) {
      least = edits;
      best = word;
    }
  }
  return best === undefined ? '' : `; did you mean ${JSON.stringify(best)}?`;
}
