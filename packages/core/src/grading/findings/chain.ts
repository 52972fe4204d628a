import { BUDGET_COUNTERS } from '@seamtrace/semconv';
import { fact, numericFact } from '../subject.js';
import { digestsDiffer } from './keys.js';
import type { FindingPass } from './types.js';

/** The hop counter stands at its limit. Returns never count. */
export const hopLimitReached: FindingPass = ({ subject: { record } }) => {
  const index = numericFact(record, 'hopIndex');
  const limit = numericFact(record, 'hopLimit');
  if (index === undefined || limit === undefined || index < limit || fact(record, 'leg') === 'return') return undefined;
  return { id: 'hop_limit_reached', detail: { index, limit } };
};

/** A budget counter stands at or over its limit. */
export const budgetExhausted: FindingPass = ({ subject: { record } }) => {
  const counters = BUDGET_COUNTERS.filter((counter) => {
    const consumed = numericFact(record, `budget.consumed.${counter}`);
    const limit = numericFact(record, `budget.limit.${counter}`);
    return consumed !== undefined && limit !== undefined && consumed >= limit;
  });
  return counters.length === 0 ? undefined : { id: 'budget_exhausted', detail: { counters: [...counters].sort() } };
};

/** The goal that arrived is not the goal that was sent. */
export const goalChanged: FindingPass = ({ subject: { record } }) => {
  const digests = record.facts.goalDigest?.values ?? [];
  const differ = digests.some((a, index) => digests.slice(index + 1).some((b) => digestsDiffer(a, b)));
  return differ ? { id: 'goal_changed', detail: { digests } } : undefined;
};
