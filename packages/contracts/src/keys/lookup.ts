import { readElement, readList, readMember } from './member.js';
import type { PathStep } from './path.js';

/** What a walk along a path found. `exhausted`: the lists on the way hold more elements than the walk may visit. */
export type Found = 'present' | 'absent' | 'opaque' | 'exhausted';

/** How many members a capture may still visit, shared by all its paths. */
export interface Budget {
  left: number;
}

/**
 * Walks a path through a value. `undefined` is absent, `null` too unless `nullable`. With `[]` the path is present when
 * every element has it, so an empty list has it; one element without it settles that it is absent.
 */
export function lookUp(
  value: unknown,
  steps: readonly PathStep[],
  nullable: boolean,
  budget: Budget,
  depth = 0,
): Found {
  const step = steps[depth];
  if (step === undefined) return value === undefined || (value === null && !nullable) ? 'absent' : 'present';
  budget.left -= 1;
  if (budget.left < 0) return 'exhausted';
  if ('name' in step) {
    const member = readMember(value, step.name);
    return member.kind === 'value' ? lookUp(member.value, steps, nullable, budget, depth + 1) : member.kind;
  }
  const read = readList(value);
  if (read.kind !== 'list') return read.kind === 'value' ? 'opaque' : read.kind;
  let unclear: Found = 'present';
  for (let index = 0; index < read.list.length; index += 1) {
    budget.left -= 1;
    if (budget.left < 0) return 'exhausted';
    const element = readElement(read.list, index);
    const found = element.kind === 'value' ? lookUp(element.value, steps, nullable, budget, depth + 1) : element.kind;
    if (found === 'absent' || found === 'exhausted') return found;
    if (found === 'opaque') unclear = 'opaque';
  }
  return unclear;
}
