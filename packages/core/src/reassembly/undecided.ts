import { STAGES } from '@seamtrace/semconv';
import type { HandoffRecord } from '../evidence/types.js';
import type { Undecided } from './types.js';

/** What an attempt that stays ungraded was still waiting for. */
export function undecidedOf(record: HandoffRecord): Undecided {
  return {
    handoffId: record.handoffId,
    attempt: record.attempt,
    silent: STAGES.filter((stage) => record.stages[stage].executions.length === 0),
    destinationKnown: (record.facts.destination ?? record.facts.destinationAgent) !== undefined,
  };
}
