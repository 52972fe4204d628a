import { readElement, readList, readMember } from './member.js';
import { parseKeyPath, type PathStep } from './path.js';

/** What stands at a path. `unreadable`: only running code of the user's, or more than the walk may visit, could tell. */
export type ValueAt =
  | { readonly status: 'present'; readonly value: unknown }
  | { readonly status: 'absent' }
  | { readonly status: 'unreadable' };

const NOTHING: ValueAt = Object.freeze({ status: 'absent' });
const UNREADABLE: ValueAt = Object.freeze({ status: 'unreadable' });
const MAX_VISITS = 65_536;

function walk(value: unknown, steps: readonly PathStep[], depth: number, budget: { left: number }): ValueAt {
  const step = steps[depth];
  if (step === undefined) return value === undefined ? NOTHING : { status: 'present', value };
  budget.left -= 1;
  if (budget.left < 0) return UNREADABLE;
  if ('name' in step) {
    const member = readMember(value, step.name);
    if (member.kind === 'value') return walk(member.value, steps, depth + 1, budget);
    return member.kind === 'absent' ? NOTHING : UNREADABLE;
  }
  const read = readList(value);
  if (read.kind !== 'list') return read.kind === 'absent' ? NOTHING : UNREADABLE;
  const values: unknown[] = [];
  for (let index = 0; index < read.list.length; index += 1) {
    const element = readElement(read.list, index);
    if (element.kind !== 'value') return element.kind === 'absent' ? NOTHING : UNREADABLE;
    const found = walk(element.value, steps, depth + 1, budget);
    if (found.status !== 'present') return found;
    values.push(found.value);
  }
  return { status: 'present', value: values };
}

/**
 * The value at a key path, read from own data members, Map entries and list elements only: no getter, Proxy trap or
 * other code of the user's runs, and nothing throws. Below `[]` the values of all elements are collected in a list (one
 * element without the path makes it absent). `undefined` and a malformed path are absent; `null` is present, since only
 * the caller knows whether the contract lists the path as nullable.
 */
export function valueAt(value: unknown, path: string): ValueAt {
  const parsed = parseKeyPath(path);
  if (!parsed.ok) return NOTHING;
  try {
    return walk(value, parsed.steps, 0, { left: MAX_VISITS });
  } catch {
    return UNREADABLE;
  }
}
