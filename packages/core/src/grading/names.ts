import { type Contracts, resolveAgent } from '@seamtrace/contracts';
import type { Distinct } from '../evidence/distinct.js';
import { foldName } from '../evidence/fold-name.js';

/**
 * Whether two names mean one agent: exactly, once both are agents of the contract file (through their aliases);
 * otherwise after NFKC and full case folding, by letters, marks and digits of any script (wire contract, section 5).
 */
export function sameAgent(a: string, b: string, contracts: Contracts | undefined): boolean {
  if (a === b) return true;
  const declaredA = declared(a, contracts);
  const declaredB = declared(b, contracts);
  if (declaredA !== undefined && declaredB !== undefined) return declaredA === declaredB;
  return foldName(declaredA ?? a) === foldName(declaredB ?? b) || foldName(a) === foldName(b);
}

/** The agent is declared in the contract file, by name or alias. */
export function declared(name: string, contracts: Contracts | undefined): string | undefined {
  return contracts === undefined ? undefined : resolveAgent(contracts, name);
}

/** Every name by which the contract file knows an agent; the name alone where the file does not know it. */
export function spellingsOf(name: string, contracts: Contracts | undefined): readonly string[] {
  const agent = contracts?.agents.get(declared(name, contracts) ?? name);
  return agent === undefined ? [name] : [agent.name, ...agent.aliases];
}

/** All statements of a name mean one agent: spellings of one agent agree, and more statements than are kept do not. */
export function oneAgent(stated: Distinct, contracts: Contracts | undefined): boolean {
  if (stated.more || stated.values.length <= 1) return !stated.more;
  const [first = ''] = stated.values;
  return stated.values.every((value) => sameAgent(value, first, contracts));
}
