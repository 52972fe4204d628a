import { STAGES } from '@seamtrace/semconv';
import type { Entry } from './entry.js';
import type { Undecided } from './types.js';

/** What an attempt that stays ungraded was still waiting for. */
export function undecidedOf({ record }: Entry): Undecided {
  return {
    handoffId: record.handoffId,
    attempt: record.attempt,
    silent: STAGES.filter((stage) => record.stages[stage].executions.length === 0),
    destinationKnown: (record.facts.destination ?? record.facts.destinationAgent) !== undefined,
  };
}
