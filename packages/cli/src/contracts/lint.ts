import type { Contracts, Route } from '@seamtrace/contracts';
import { VERDICTS } from '@seamtrace/semconv';

export interface LintResult {
  /** What must be written before the file may enforce anything. */
  readonly refusals: readonly string[];
  /** What nobody looks after; allowed, but somebody should know. */
  readonly notes: readonly string[];
}

/**
 * Looks at a valid contract file as a reviewer would (wire contract, section 11): refuses enforcement that nobody
 * reviewed, owns or decided the consequence of, and notes verdicts without an owner and agents from which no task can
 * end. Both lists are in the order of the file.
 */
export function lintContractFile(contracts: Contracts): LintResult {
  const routes = [...contracts.routes.values()];
  return {
    refusals: routes.flatMap(refuseBlindEnforcement),
    notes: [...routes.flatMap(noteUnowned), ...noteEndless(contracts)],
  };
}

function refuseBlindEnforcement(route: Route): string[] {
  const sides = (['producer', 'consumer'] as const).filter((side) => route.enforce[side] === 'enforce');
  if (sides.length === 0) return [];
  const missing: string[] = [];
  if (route.onViolation === undefined) missing.push('on_violation');
  if (route.purpose === undefined) missing.push('purpose');
  if (route.owners.size === 0) missing.push('owners');
  if (route.reviewedBy === undefined) missing.push('reviewed_by');
  return missing.length === 0
    ? []
    : [`route ${route.name} enforces (${sides.join(', ')}) without ${missing.join(', ')}; write them, or observe`];
}

function noteUnowned(route: Route): string[] {
  const unowned = VERDICTS.filter((verdict) => verdict !== 'passed' && !route.owners.has(verdict));
  return unowned.length === 0 ? [] : [`route ${route.name}: nobody owns ${unowned.join(', ')}`];
}

function noteEndless(contracts: Contracts): string[] {
  const routes = [...contracts.routes.values()];
  const ends = new Set([...contracts.agents.values()].filter((agent) => agent.terminal).map(({ name }) => name));
  for (let grown = true; grown;) {
    const before = ends.size;
    for (const { from, to } of routes) if (ends.has(to)) ends.add(from);
    grown = ends.size > before;
  }
  const agents = new Set([...contracts.agents.keys(), ...routes.flatMap(({ from, to }) => [from, to])]);
  return [...agents]
    .filter((agent) => !ends.has(agent))
    .map(
      (agent) => `agent ${agent}: no terminal agent can be reached from it; mark where a task can end (terminal: true)`,
    );
}
