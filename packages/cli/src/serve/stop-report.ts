import type { StopReport } from '@seamtrace/analyzer';
import { count } from '../count.js';
import { type CliIo, say } from '../io.js';

/** Says what a stop graded, what the next start takes up and, by reason, what was left without a verdict. */
export function sayStop(io: CliIo, { graded, ungraded, journaled, undelivered }: StopReport): void {
  if (journaled > 0)
    say(io, `stopped; ${count(journaled, 'handoff')} in the journal, for the next start to go on with`);
  else say(io, `stopped; ${graded} graded at the stop, ${ungraded.count} left without a verdict`);
  for (const [reason, count] of Object.entries(ungraded.reasons)) say(io, `  ${count} waited for: ${reason}`);
  for (const { handoffId, attempt, waitingFor } of ungraded.examples) {
    say(io, `  ${handoffId} attempt ${attempt}: ${waitingFor}`);
  }
  if (undelivered.lines + undelivered.events > 0) {
    say(
      io,
      `  not delivered: ${count(undelivered.lines, 'verdict line')}, ${count(undelivered.events, 'verdict event')}`,
    );
  }
}
