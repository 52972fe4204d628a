import { STAGES } from '@seamtrace/semconv';
import { agreed } from './distinct.js';
import type { HandoffRecord } from './types.js';

/**
 * Nothing more is needed to grade: all three stages have spoken, completely or not, and the destination is known; or
 * the dispatch never left the producer (wire contract, section 4).
 */
export function isWhole(record: HandoffRecord): boolean {
  const outcome = agreed(record.facts.dispatchOutcome);
  if (outcome === 'prevented' || outcome === 'dropped') return true;
  const destinationKnown = (record.facts.destination ?? record.facts.destinationAgent) !== undefined;
  return destinationKnown && STAGES.every((stage) => record.stages[stage].executions.length > 0);
}
