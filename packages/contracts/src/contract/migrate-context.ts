import { readElement, readList, readMember } from '../keys/member.js';
import { parseKeyPath, type PathStep } from '../keys/path.js';
import type { Migration } from '../types.js';
import { type PlainRecord, setMember } from './plain-record.js';

const isRecord = (value: unknown): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function stepsOf(path: string): readonly PathStep[] {
  const parsed = parseKeyPath(path);
  return parsed.ok ? parsed.steps : [];
}

/** Copies the containers along a path, so that they can be changed without changing the caller's. */
function ownContainers(value: unknown, steps: readonly PathStep[], depth: number): unknown {
  const step = steps[depth];
  if (step === undefined) return value;
  if ('every' in step) {
    const read = readList(value);
    if (read.kind !== 'list') return value;
    return Array.from({ length: read.list.length }, (_, index) => {
      const element = readElement(read.list, index);
      return element.kind === 'value' ? ownContainers(element.value, steps, depth + 1) : undefined;
    });
  }
  const member = readMember(value, step.name);
  if (member.kind !== 'value' || !isRecord(value)) return value;
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(value)) as PlainRecord;
  setMember(copy, step.name, ownContainers(member.value, steps, depth + 1));
  return copy;
}

/** The records in which a path's last name is a member: one, or one for each element of the lists on the way. */
function holders(root: PlainRecord, steps: readonly PathStep[], create: boolean): PlainRecord[] {
  let current: unknown[] = [root];
  for (const step of steps.slice(0, -1)) {
    current = current.flatMap((value): unknown[] => {
      if ('every' in step) return Array.isArray(value) ? value : [];
      if (!isRecord(value)) return [];
      const member = readMember(value, step.name);
      if (member.kind === 'value') return [member.value];
      if (!create) return [];
      const made: PlainRecord = {};
      setMember(value, step.name, made);
      return [made];
    });
  }
  return current.filter(isRecord);
}

interface Move {
  readonly target: readonly PathStep[];
  /** One for each holder, in order; `undefined` where the holder lacked the member. */
  readonly values: readonly ({ readonly value: unknown } | undefined)[];
}

function take(root: PlainRecord, path: string): Move['values'] {
  const steps = stepsOf(path);
  const last = steps.at(-1);
  if (last === undefined || !('name' in last)) return [];
  return holders(root, steps, false).map((holder) => {
    const member = readMember(holder, last.name);
    if (member.kind !== 'value') return undefined;
    delete holder[last.name];
    return { value: member.value };
  });
}

function put(root: PlainRecord, { target, values }: Move): void {
  const last = target.at(-1);
  if (last === undefined || !('name' in last) || values.every((value) => value === undefined)) return;
  holders(root, target, true).forEach((holder, index) => {
    const taken = values[index];
    if (taken !== undefined) setMember(holder, last.name, taken.value);
  });
}

/**
 * Context of the old version as the new one names it: rename, then drop; `add` names keys whose values no migration can
 * know, so they are left to the caller. Renames apply at once, so two keys can change places. Below `[]` a member is
 * renamed within each element. The context itself is not changed; values that stay where they are, are shared.
 */
export function migrateContext(
  context: Readonly<Record<string, unknown>>,
  migration: Pick<Migration, 'rename' | 'drop'>,
): Record<string, unknown> {
  let copy: unknown = { ...context };
  for (const path of [...migration.rename.keys(), ...migration.rename.values(), ...migration.drop]) {
    copy = ownContainers(copy, stepsOf(path), 0);
  }
  const root = copy as PlainRecord;
  // The deepest first: a path within a renamed one has its own new place.
  const renames = [...migration.rename].sort(([a], [b]) => b.length - a.length);
  const moves = renames.map(([source, target]): Move => ({ target: stepsOf(target), values: take(root, source) }));
  for (const move of moves.reverse()) put(root, move);
  for (const path of migration.drop) take(root, path);
  return root;
}
