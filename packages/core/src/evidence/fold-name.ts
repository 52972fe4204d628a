import { memoize } from './memo.js';

const NOT_WORDS = /[^\p{L}\p{M}\p{N}]/gu;
const ASCII = /^[\0-\x7f]*$/;
const NOT_ASCII_WORDS = /[^0-9a-z]+/g;
const DOTLESS_I = 'ı';

/**
 * The form in which undeclared names are compared; the name itself where nothing of it would be left. Every span and hop
 * of an agent repeats its name, so the last ones are remembered.
 */
export const foldName: (name: string) => string = memoize(4096, (name) => {
  const folded = ASCII.test(name)
    ? name.toLowerCase().replace(NOT_ASCII_WORDS, '')
    : foldCase(name.normalize('NFKC')).replace(NOT_WORDS, '');
  return folded === '' ? name : folded;
});

/**
 * Full case folding, code point by code point: the case conversions of the runtime's Unicode tables are not
 * contextual then, and upper-casing in between expands what folding expands (ß, ẞ, ligatures). Dotless i folds to itself.
 */
function foldCase(text: string): string {
  let folded = '';
  for (const character of text) {
    folded += character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase();
  }
  // Σ at the end of a word lower-cases to ς where the string is longer than one code point.
  return folded.replaceAll('ς', 'σ').normalize('NFKC');
}
