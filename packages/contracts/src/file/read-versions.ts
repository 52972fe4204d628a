import { toolKey } from '../contract/tool-keys.js';
import type { DraftMigration, DraftVersion } from './draft.js';
import type { Fault } from './fault.js';
import {
  checkKey,
  checkName,
  complain,
  entriesOf,
  type Field,
  type Read,
  readKey,
  readList,
  readMap,
  readMembers,
  readVersionName,
  readText,
  reportMissing,
} from './read.js';
import { quote } from './tree.js';

/** What a version lists; the short form writes the same directly under the route. */
export const VERSION_KEYS = ['required', 'permitted', 'nullable', 'integrity', 'tools'] as const;

type Members = ReadonlyMap<string, Field>;

/** The lists of one version. `owner` names what they stand under. */
export function readVersion(
  faults: Fault[],
  field: Field,
  members: Members,
  known: readonly string[],
  owner: string,
): DraftVersion {
  const before = faults.length;
  const list = (key: (typeof VERSION_KEYS)[number], read = readKey) => {
    const member = members.get(key);
    return member && readList(faults, member, read);
  };
  const [required, permitted, nullable, integrity] = (['required', 'permitted', 'nullable', 'integrity'] as const).map(
    (key) => list(key),
  );
  const tools = list('tools', readTool);
  if (!members.has('required')) {
    const message = `"required" is missing in ${owner}; list its keys, or write "required: []"`;
    reportMissing(faults, field, members, known, 'required', message);
  }
  const partial = required === undefined || faults.length > before;
  return { field: { ...field, label: owner }, required, permitted, nullable, integrity, tools, partial };
}

/** The name of a tool that the destination needs. */
function readTool(faults: Fault[], field: Field): Read<string> | undefined {
  const name = readText(faults, field);
  if (name === undefined || toolKey(name.value) !== undefined) return name;
  const why = 'it has up to 64 letters, digits and _ $ . -';
  return complain(faults, 'shape', field, `${quote(name.value)} in ${field.label} is not a name of a tool: ${why}`);
}

/** The `versions` of a route. */
export function readVersions(faults: Fault[], field: Field, route: string): Map<string, DraftVersion> | undefined {
  const map = readMap(faults, field);
  if (map === undefined) return undefined;
  const versions = new Map<string, DraftVersion>();
  if (map.entries.size === 0) complain(faults, 'shape', field, `${field.label} declares no version`);
  for (const [name, entry] of entriesOf(field, map)) {
    const label = `version ${quote(name)} of ${route}`;
    const version = { ...entry, label };
    if (checkName(faults, version, name) === undefined) continue;
    const members = readMembers(faults, version, VERSION_KEYS);
    if (members !== undefined) versions.set(name, readVersion(faults, version, members, VERSION_KEYS, label));
  }
  return versions;
}

const MIGRATION_KEYS = ['from', 'to', 'rename', 'add', 'drop'];

function readRename(faults: Fault[], field: Field | undefined): Map<string, Read<string>> {
  const renames = new Map<string, Read<string>>();
  const map = field && readMap(faults, field);
  if (field === undefined || map === undefined) return renames;
  for (const [from, entry] of entriesOf(field, map)) {
    const target = readKey(faults, { ...entry, label: field.label });
    const source = checkKey(faults, { ...entry, label: field.label }, from);
    if (source !== undefined && target !== undefined) renames.set(from, target);
  }
  return renames;
}

function readMigration(faults: Fault[], field: Field): DraftMigration | undefined {
  const before = faults.length;
  const members = readMembers(faults, field, MIGRATION_KEYS);
  if (members === undefined) return undefined;
  const end = (key: 'from' | 'to') => {
    const member = members.get(key);
    if (member !== undefined) return readVersionName(faults, member);
    const message = `"${key}" is missing in ${field.label}; name the version it migrates ${key}`;
    return reportMissing(faults, field, members, MIGRATION_KEYS, key, message);
  };
  const keys = (key: 'add' | 'drop') => {
    const member = members.get(key);
    return (member && readList(faults, member, readKey)?.value) ?? [];
  };
  const from = end('from');
  const to = end('to');
  const rename = readRename(faults, members.get('rename'));
  const add = keys('add');
  const drop = keys('drop');
  return {
    field,
    from,
    to,
    rename,
    add,
    drop,
    partial: from === undefined || to === undefined || faults.length > before,
  };
}

/** The `migrations` of a route. */
export function readMigrations(faults: Fault[], field: Field, route: string): DraftMigration[] {
  const { tree } = field;
  if (tree.kind !== 'list') {
    complain(faults, 'shape', field, `${field.label} must be a list of { from, to, rename, add, drop }`);
    return [];
  }
  return tree.items.flatMap((item, index) => {
    const label = `migration ${index + 1} of ${route}`;
    return (
      readMigration(faults, { tree: item, offset: item.offset, pointer: `${field.pointer}/${index}`, label }) ?? []
    );
  });
}
