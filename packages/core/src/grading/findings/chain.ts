import { fact, mayReturn, numericFact } from '../subject.js';
import { digestsDiffer } from './keys.js';
import { hopNumber } from '../../tasks/hop.js';
import { inTask } from './whole-task.js';
import type { FindingInput, FindingPass } from './types.js';

/** The hop counter stands at its limit. Returns never count. */
export const hopLimitReached: FindingPass = ({ subject: { record } }) => {
  const index = numericFact(record, 'hopIndex');
  const limit = numericFact(record, 'hopLimit');
  if (index === undefined || limit === undefined || index < limit || mayReturn(record)) return undefined;
  return { id: 'hop_limit_reached', detail: { index, limit } };
};

/** The goal that arrived is not the goal that was sent, or not the one that the chain began with. */
export const goalChanged: FindingPass = (input) => {
  const digests = input.subject.record.facts.goalDigest?.values ?? [];
  const differ = digests.some((a, index) => digests.slice(index + 1).some((b) => digestsDiffer(a, b)));
  if (differ) return { id: 'goal_changed', detail: { digests } };
  const first = firstGoal(input);
  const own = fact(input.subject.record, 'goalDigest');
  if (first === undefined || own === undefined || !digestsDiffer(first, own)) return undefined;
  return { id: 'goal_changed', detail: { digests: [own], first } };
};

/** The goal of the task's first hop, from which the path leads here. */
function firstGoal(input: FindingInput): string | undefined {
  const first = inTask(input)?.chain.before.at(-1);
  if (first === undefined || first.some((hop) => hopNumber(hop, 'hopIndex') !== 1)) return undefined;
  const goals = new Set(first.map((hop) => hop.facts.goalDigest));
  return goals.size === 1 ? [...goals][0] : undefined;
}
