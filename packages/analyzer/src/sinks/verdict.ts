import type { Due, GradedHandoff } from '@seamtrace/core';

/** A verdict with the identity under which it is delivered; a second delivery has the same. */
export interface Verdict extends Due {
  readonly verdictId: string;
  /** When it was reached, in milliseconds since the epoch. */
  readonly reachedAt: number;
}

/** One line of `serve`: the shape of `grade`, and behind it `verdict_id` and `revision` (wire contract, section 10). */
export function verdictLine({ graded, verdictId, revision }: Verdict): string {
  const line: GradedHandoff & { verdict_id: string; revision: number } = { ...graded, verdict_id: verdictId, revision };
  return `${JSON.stringify(line)}\n`;
}
