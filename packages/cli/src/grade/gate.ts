import type { Contracts } from '@seamtrace/contracts';
import type { GradedHandoff } from '@seamtrace/core';
import { EXIT, type ExitCode } from '../exit.js';

export interface GateResult {
  readonly code: ExitCode;
  /** One line for each gated route that did not pass, in the order of the contract file. */
  readonly lines: readonly string[];
}

/**
 * Judges the routes with `gate: required`: a failed handoff fails the gate; a route with no graded handoff, or with one
 * that could not be decided, leaves it undecided, which is exit code 3 or, with `undecided: warn`, a warning. Routes
 * with `gate: advisory` and undeclared ones never count.
 */
export function judgeGate(
  contracts: Contracts | undefined,
  graded: readonly GradedHandoff[],
  undecided: 'fail' | 'warn',
): GateResult {
  const lines: string[] = [];
  let failed = false;
  let open = false;
  for (const route of contracts?.routes.values() ?? []) {
    if (route.gate !== 'required') continue;
    const own = graded.filter((one) => one.route === route.name);
    const faults = own.filter((one) => one.verdict !== 'passed' && one.verdict !== 'insufficient_evidence');
    const unknown = own.filter((one) => one.verdict === 'insufficient_evidence');
    if (faults.length > 0) {
      failed = true;
      lines.push(`gated route ${route.name} failed: ${name(faults)}`);
    }
    if (unknown.length > 0) lines.push(`gated route ${route.name} is undecided: ${name(unknown)}`);
    if (own.length === 0) lines.push(`gated route ${route.name} is undecided: no handoff of it was found`);
    open ||= unknown.length > 0 || own.length === 0;
  }
  if (failed) return { code: EXIT.failed, lines };
  if (!open) return { code: EXIT.ok, lines };
  if (undecided === 'fail') return { code: EXIT.undecided, lines };
  return { code: EXIT.ok, lines: lines.map((line) => `warning: ${line} (gate.undecided: warn)`) };
}

const MAX_NAMED = 5;

function name(graded: readonly GradedHandoff[]): string {
  const named = graded.slice(0, MAX_NAMED).map(({ handoff_id, attempt, verdict, missing_keys, reason }) => {
    const why = missing_keys.length > 0 ? ` of ${missing_keys.join(', ')}` : reason === null ? '' : ` (${reason})`;
    return `${handoff_id}${attempt === 1 ? '' : ` attempt ${attempt}`} ${verdict}${why}`;
  });
  const rest = graded.length - named.length;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}
