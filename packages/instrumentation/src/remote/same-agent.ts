import { type Contracts, resolveAgent } from '@seamtrace/contracts';

/**
 * Whether two names mean one agent (wire contract, section 5): exactly, once both are agents of the contract file; otherwise
 * by their letters, marks and digits, whatever the case.
 */
export function sameAgent(a: string, b: string, contracts: Contracts | undefined): boolean {
  if (a === b) return true;
  const [declaredA, declaredB] = [a, b].map((name) =>
    contracts === undefined ? undefined : resolveAgent(contracts, name),
  );
  if (declaredA !== undefined && declaredB !== undefined) return declaredA === declaredB;
  return fold(declaredA ?? a) === fold(declaredB ?? b) || fold(a) === fold(b);
}

/** The name as it is, where nothing of it is a letter, a mark or a digit. */
function fold(name: string): string {
  const folded = name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
  const kept = folded.replace(/[^\p{L}\p{M}\p{N}]/gu, '');
  return kept === '' ? name : kept;
}
