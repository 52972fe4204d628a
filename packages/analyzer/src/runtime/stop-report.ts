import type { Undecided } from '@seamtrace/core';
import type { StopReport } from './types.js';

const EXAMPLES = 10;

/** What a stop did, and what of the handoffs that it left was still missing. */
export function stopReport(
  graded: number,
  undecided: readonly Undecided[],
  journaled: number,
  undelivered: StopReport['undelivered'],
): StopReport {
  const reasons: Record<string, number> = {};
  for (const handoff of undecided) {
    const waitingFor = describe(handoff);
    reasons[waitingFor] = (reasons[waitingFor] ?? 0) + 1;
  }
  const examples = undecided
    .slice(0, EXAMPLES)
    .map((handoff) => ({ handoffId: handoff.handoffId, attempt: handoff.attempt, waitingFor: describe(handoff) }));
  return { graded, ungraded: { count: undecided.length, reasons, examples }, journaled, undelivered };
}

function describe({ silent, destinationKnown }: Undecided): string {
  const missing = [...silent.map((stage) => `${stage} evidence`), ...(destinationKnown ? [] : ['a named destination'])];
  return missing.join(', ');
}
