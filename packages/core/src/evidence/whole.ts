import { STAGES } from '@seamtrace/semconv';
import { agreed } from './distinct.js';
import type { HandoffRecord } from './types.js';

/**
 * Nothing more is needed to grade: all three stages have spoken, completely or not, and the destination is known; or
 * the dispatch never left the producer (wire contract, section 4). Of one that is inferred all is known that ever will be.
 */
export function isWhole(record: HandoffRecord): boolean {
  const outcome = agreed(record.facts.dispatchOutcome);
  if (outcome === 'prevented' || outcome === 'dropped') return true;
  if (isInferred(record)) return true;
  const destinationKnown = (record.facts.destination ?? record.facts.destinationAgent) !== undefined;
  return destinationKnown && STAGES.every((stage) => record.stages[stage].executions.length > 0);
}

/** Only spans of foreign dialects tell of it. */
export function isInferred({ facts }: Pick<HandoffRecord, 'facts'>): boolean {
  return facts.evidence !== undefined;
}
