import { CONTRACT_KEY_PATTERN, isContractKey, parseKeyPath } from '../keys/path.js';
import { type Fault, type FaultKind, pointerTo } from './fault.js';
import { suggestion } from './suggest.js';
import { describeTree, type MapTree, quote, type Tree } from './tree.js';

/** A part of the document under reading: where it is, and how a message calls it. */
export interface Field {
  readonly tree: Tree;
  readonly offset: number;
  readonly pointer: string;
  /** `"deadline_s" of route "triage_to_billing"`. */
  readonly label: string;
}

/** A value and where it was read, so that rules which compare values can point at them. */
export interface Read<T> {
  readonly value: T;
  readonly field: Field;
}

/** Names of agents, routes, versions, teams and tools: one line of text without space at its ends. */
export const NAME_PATTERN = /^(?!\s)\P{Cc}{1,128}(?<!\s)$/u;

/** Records a fault at a field and returns `undefined`, the value of what cannot be read. */
export function complain(faults: Fault[], kind: FaultKind, field: Field, message: string): undefined {
  faults.push({ kind, offset: field.offset, pointer: field.pointer, message });
  return undefined;
}

const expected = (faults: Fault[], field: Field, what: string): undefined =>
  complain(faults, 'shape', field, `${field.label} must be ${what}; found ${describeTree(field.tree)}`);

/** The entries of a mapping as fields. `owner` names the mapping in their labels: `route "x"`. */
export function entriesOf(field: Field, map: MapTree, owner = field.label): Map<string, Field> {
  const fields = new Map<string, Field>();
  for (const [key, { keyOffset, value }] of map.entries) {
    const label = owner === '' ? quote(key) : `${quote(key)} of ${owner}`;
    fields.set(key, { tree: value, offset: keyOffset, pointer: pointerTo(field.pointer, key), label });
  }
  return fields;
}

export function readMap(faults: Fault[], field: Field): MapTree | undefined {
  return field.tree.kind === 'map' ? field.tree : expected(faults, field, 'a mapping');
}

/** The entries of a mapping whose keys are fixed; every other key is a fault. */
export function readMembers(
  faults: Fault[],
  field: Field,
  known: readonly string[],
  owner = field.label,
): ReadonlyMap<string, Field> | undefined {
  const map = readMap(faults, field);
  if (map === undefined) return undefined;
  const fields = entriesOf(field, map, owner);
  for (const [key, member] of fields) {
    if (known.includes(key)) continue;
    const where = owner === '' ? '' : ` in ${owner}`;
    const hint = suggestion(faults, key, known) || `; known here: ${known.join(', ')}`;
    complain(faults, 'shape', member, `unknown key ${quote(key)}${where}${hint}`);
  }
  return fields;
}

/** The key in a mapping that nobody knows there and that looks like `key` misspelt, if there is one. */
export function misspells(
  faults: readonly Fault[],
  members: ReadonlyMap<string, Field>,
  known: readonly string[],
  key: string,
): string | undefined {
  return [...members.keys()].find(
    (name) => !known.includes(name) && suggestion(faults, name, known).includes(`"${key}"`),
  );
}

/** Reports a member that is missing, unless it stands there misspelt: that slip has its message already. */
export function reportMissing(
  faults: Fault[],
  field: Field,
  members: ReadonlyMap<string, Field>,
  known: readonly string[],
  key: string,
  message: string,
): undefined {
  if (misspells(faults, members, known, key) === undefined) complain(faults, 'shape', field, message);
}

export function readText(faults: Fault[], field: Field): Read<string> | undefined {
  const { tree } = field;
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') return expected(faults, field, 'text');
  return checkName(faults, field, tree.value);
}

/** Names which YAML reads as numbers, such as versions, are taken as they are written. */
export function readVersionName(faults: Fault[], field: Field): Read<string> | undefined {
  const { tree } = field;
  if (tree.kind === 'scalar' && typeof tree.value === 'number') return { value: tree.text, field };
  return readText(faults, field);
}

export function checkName(faults: Fault[], field: Field, name: string): Read<string> | undefined {
  if (NAME_PATTERN.test(name)) return { value: name, field };
  return expected(faults, field, '1 to 128 characters of text on one line, with no space at its ends');
}

export function readBoolean(faults: Fault[], field: Field): Read<boolean> | undefined {
  const { tree } = field;
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return { value: tree.value, field };
  return expected(faults, field, 'true or false');
}

export function readNumber(
  faults: Fault[],
  field: Field,
  what: string,
  fits: (value: number) => boolean,
): Read<number> | undefined {
  const { tree } = field;
  if (tree.kind === 'scalar' && typeof tree.value === 'number' && Number.isFinite(tree.value) && fits(tree.value)) {
    return { value: tree.value, field };
  }
  return expected(faults, field, what);
}

export function readOneOf<T extends string>(faults: Fault[], field: Field, values: readonly T[]): Read<T> | undefined {
  const { tree } = field;
  const written = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : undefined;
  const value = values.find((candidate) => candidate === written);
  if (value !== undefined) return { value, field };
  const hint = written === undefined ? '' : suggestion(faults, written, values);
  const found = describeTree(tree);
  return complain(faults, 'shape', field, `${field.label} must be one of ${values.join(', ')}; found ${found}${hint}`);
}

/** A key path that a contract may list. */
export function readKey(faults: Fault[], field: Field): Read<string> | undefined {
  const { tree } = field;
  if (tree.kind !== 'scalar' || typeof tree.value !== 'string') return expected(faults, field, 'a key, which is text');
  return checkKey(faults, field, tree.value);
}

export function checkKey(faults: Fault[], field: Field, key: string): Read<string> | undefined {
  if (isContractKey(key)) return { value: key, field };
  const parsed = parseKeyPath(key);
  const why =
    parsed.ok || !CONTRACT_KEY_PATTERN.test(key)
      ? 'a key begins with a letter, "_" or "$" and has up to 128 letters, digits and _ $ . - [ ] \\'
      : parsed.message;
  return complain(faults, 'shape', field, `${quote(key)} in ${field.label} is not a key: ${why}`);
}

/** A list without repetition; items that cannot be read are left out of it. */
export function readList(
  faults: Fault[],
  field: Field,
  readItem: (faults: Fault[], field: Field) => Read<string> | undefined,
): Read<readonly Read<string>[]> | undefined {
  const { tree } = field;
  if (tree.kind !== 'list') return expected(faults, field, 'a list');
  const seen = new Set<string>();
  const items: Read<string>[] = [];
  tree.items.forEach((item, index) => {
    const pointer = pointerTo(field.pointer, index);
    const read = readItem(faults, { tree: item, offset: item.offset, pointer, label: field.label });
    if (read === undefined) return;
    if (seen.has(read.value)) {
      complain(faults, 'shape', read.field, `${quote(read.value)} stands twice in ${field.label}; remove one`);
    } else items.push(read);
    seen.add(read.value);
  });
  return { value: items, field };
}
