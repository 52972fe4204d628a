// 16 digits and more may not fit a double; everything shorter does.
const SUSPECT = /[[:,\s]-?[0-9]{16}/;
const LONG_INTEGER = /(?<![0-9.eE+-])-?[0-9]{16,}(?![0-9.eE])/g;

/**
 * Puts quotes around integers that `JSON.parse` would round, such as times in Unix nanoseconds written as numbers.
 * Where OTLP has a 64-bit integer it may stand as a string, so nothing else changes. Strings are left as they are.
 */
export function quoteLongIntegers(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const parts: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    parts.push(text.slice(at, end).replace(LONG_INTEGER, '"$&"'));
    if (quote < 0) break;
    at = stringEnd(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}

/** Offset behind the string that opens at `quote`; the text's end where it never closes. */
function stringEnd(text: string, quote: number): number {
  for (let from = quote + 1; ;) {
    const close = text.indexOf('"', from);
    if (close < 0) return text.length;
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return close + 1;
    from = close + 1;
  }
}
