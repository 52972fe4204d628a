const NAMED = 5;
const MAX_REASON_CHARACTERS = 300;

/** Says which of the `received` spans of a request were rejected: one reason for each, of which the first few are named. */
export function sayRejected(reasons: readonly string[], received: number): string {
  const named = reasons.slice(0, NAMED).map((reason) => reason.slice(0, MAX_REASON_CHARACTERS));
  const more = reasons.length > NAMED ? `; and ${reasons.length - NAMED} more` : '';
  const rest = reasons.length < received ? ', the rest was used' : '';
  return `${reasons.length} of ${received} ${received === 1 ? 'span' : 'spans'} rejected${rest}: ${named.join('; ')}${more}`;
}
