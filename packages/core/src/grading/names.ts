import { type Contracts, resolveAgent } from '@seamtrace/contracts';

const NOT_WORDS = /[^\p{L}\p{M}\p{N}]/gu;
const DOTLESS_I = 'ı';

/**
 * Whether two names mean one agent: exactly, once both are agents of the contract file (through their aliases);
 * otherwise after NFKC and full case folding, by letters, marks and digits of any script (wire contract, section 5).
 */
export function sameAgent(a: string, b: string, contracts: Contracts | undefined): boolean {
  const declaredA = declared(a, contracts);
  const declaredB = declared(b, contracts);
  if (declaredA !== undefined && declaredB !== undefined) return declaredA === declaredB;
  return foldName(declaredA ?? a) === foldName(declaredB ?? b) || foldName(a) === foldName(b);
}

/** The declared name that an agent goes by, or the name itself where the file does not know it. */
export function canonicalName(name: string, contracts: Contracts | undefined): string {
  return declared(name, contracts) ?? name;
}

/** The agent is declared in the contract file, by name or alias. */
export function declared(name: string, contracts: Contracts | undefined): string | undefined {
  return contracts === undefined ? undefined : resolveAgent(contracts, name);
}

/** The form in which undeclared names are compared; the name itself where nothing of it would be left. */
export function foldName(name: string): string {
  const folded = foldCase(name.normalize('NFKC')).replace(NOT_WORDS, '');
  return folded === '' ? name : folded;
}

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
