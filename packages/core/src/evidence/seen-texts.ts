/** The texts of one piece, in the order in which they were first seen. */
export interface SeenTexts {
  /** The number of a text: below zero for a term, else the place of its first occurrence; `undefined` if this is it. */
  see(text: string): number | undefined;
  /** Begins another piece. */
  reset(): void;
}

interface Entry {
  /** The piece in which the text was seen last, and its place in it. A term is of every piece. */
  piece: number;
  place: number;
}

const EVERY_PIECE = -1;
/** Texts and UTF-16 units that are remembered at once. */
const MAX_TEXTS = 2048;
const MAX_UNITS = 256 * 1024;

/**
 * Most texts of a piece stood in those before it, so that they are found again, not entered once more: a map of the
 * texts of each piece would grow anew for each. What is remembered changes no answer.
 */
export function createSeenTexts(terms: readonly string[], codeOf: (at: number) => number): SeenTexts {
  const entries = new Map<string, Entry>();
  let units = 0;
  let piece = 0;
  let seen = 0;

  function forget(): void {
    entries.clear();
    units = 0;
    for (const [at, term] of terms.entries()) entries.set(term, { piece: EVERY_PIECE, place: codeOf(at) });
  }

  forget();
  return {
    see(text) {
      const known = entries.get(text);
      if (known === undefined) {
        entries.set(text, { piece, place: seen++ });
        units += text.length;
        return undefined;
      }
      if (known.piece === piece || known.piece === EVERY_PIECE) return known.place;
      known.piece = piece;
      known.place = seen++;
      return undefined;
    },
    reset() {
      if (entries.size > MAX_TEXTS || units > MAX_UNITS) forget();
      piece += 1;
      seen = 0;
    },
  };
}
