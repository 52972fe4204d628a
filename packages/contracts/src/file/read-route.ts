import { VERDICTS } from '@seamtrace/semconv';
import type { EnforceMode, GateMode, OnViolation } from '../types.js';
import type { DraftRoute, DraftVersion } from './draft.js';
import type { Fault } from './fault.js';
import {
  complain,
  entriesOf,
  type Field,
  type Read,
  readBoolean,
  readKey,
  readList,
  readMap,
  readMembers,
  readNumber,
  readOneOf,
  readText,
  readVersionName,
  misspells,
  reportMissing,
} from './read.js';
import { readMigrations, readVersion, readVersions, VERSION_KEYS } from './read-versions.js';
import { suggestion } from './suggest.js';
import { quote } from './tree.js';

const SHORT_KEYS = [...VERSION_KEYS, 'version'];
const ROUTE_KEYS = [
  'from',
  'to',
  'purpose',
  'reviewed_by',
  'current',
  'versions',
  ...SHORT_KEYS,
  'migrations',
  'enforce',
  'on_violation',
  'gate',
  'read_back',
  'hop_limit',
  'deadline_s',
  'replan_ignore',
  'idempotent',
  'state_ref',
  'owners',
];
const ENFORCE_MODES: readonly EnforceMode[] = ['observe', 'warn', 'enforce'];
const ON_VIOLATION: readonly OnViolation[] = ['ask', 'human', 'fail'];
const GATES: readonly GateMode[] = ['required', 'advisory'];
/** Metric labels that stand for routes which have no name of their own (wire contract, section 7). */
const RESERVED = ['_undeclared', '_other'];

type Members = ReadonlyMap<string, Field>;

function readShortVersion(
  faults: Fault[],
  field: Field,
  members: Members,
  route: string,
): Map<string, DraftVersion> | undefined {
  const named = members.get('version');
  const name = named === undefined ? '1' : readVersionName(faults, named)?.value;
  const version = readVersion(faults, named ?? field, members, ROUTE_KEYS, route);
  return name === undefined ? undefined : new Map([[name, version]]);
}

/** Versions in the long form (`versions:`) or the short one (`required:` directly under the route), never both. */
function readForms(
  faults: Fault[],
  field: Field,
  members: Members,
  route: string,
): Map<string, DraftVersion> | undefined {
  const long = members.get('versions');
  const short = SHORT_KEYS.filter((key) => members.has(key));
  const [first] = short;
  if (long === undefined) {
    if (first !== undefined) return readShortVersion(faults, field, members, route);
    const hint = 'write "required" with its keys, or "versions"';
    const message = `${route} has no contract; ${hint}`;
    return ['versions', 'required'].every((key) => misspells(faults, members, ROUTE_KEYS, key) === undefined)
      ? complain(faults, 'shape', field, message)
      : undefined;
  }
  if (first !== undefined) {
    const names = short.map(quote).join(', ');
    const where = members.get(first) ?? field;
    complain(faults, 'shape', where, `${route} has both "versions" and ${names}; move the lists into a version`);
  }
  return readVersions(faults, long, route);
}

function readOwners(faults: Fault[], field: Field | undefined): Map<string, Read<string>> {
  const owners = new Map<string, Read<string>>();
  const map = field && readMap(faults, field);
  if (field === undefined || map === undefined) return owners;
  const verdicts: readonly string[] = VERDICTS;
  for (const [verdict, entry] of entriesOf(field, map)) {
    const team = readText(faults, entry);
    if (!verdicts.includes(verdict)) {
      const hint = suggestion(faults, verdict, verdicts) || `; verdicts are ${verdicts.join(', ')}`;
      complain(faults, 'shape', entry, `${quote(verdict)} in ${field.label} is not a verdict${hint}`);
    } else if (team !== undefined) owners.set(verdict, team);
  }
  return owners;
}

function readStateRef(faults: Fault[], field: Field): Read<string> | undefined {
  const key = readKey(faults, field);
  if (key === undefined || !key.value.includes('[]')) return key;
  return complain(faults, 'shape', field, `${field.label} must name one member, not every element of a list`);
}

/** One entry of `routes:`. */
export function readRoute(faults: Fault[], name: string, field: Field): DraftRoute | undefined {
  const label = `route ${quote(name)}`;
  if (RESERVED.includes(name)) complain(faults, 'shape', field, `${label} has a name that metrics use; choose another`);
  const members = readMembers(faults, field, ROUTE_KEYS, label);
  if (members === undefined) return undefined;
  const read = <T>(key: string, reader: (faults: Fault[], field: Field) => T): T | undefined => {
    const member = members.get(key);
    return member && reader(faults, member);
  };
  const end = (key: 'from' | 'to') => {
    if (members.has(key)) return read(key, readText);
    const message = `"${key}" is missing in ${label}; name the agent it leads ${key}`;
    return reportMissing(faults, field, members, ROUTE_KEYS, key, message);
  };
  const names = (list: Fault[], member: Field) => readList(list, member, readText);
  const sides = read('enforce', (list, member) => readMembers(list, member, ['producer', 'consumer']));
  const side = (key: string) => {
    const member = sides?.get(key);
    return member && readOneOf(faults, member, ENFORCE_MODES);
  };
  const versions = readForms(faults, field, members, label);
  return {
    field: { ...field, label },
    from: end('from'),
    to: end('to'),
    purpose: read('purpose', readText),
    reviewedBy: read('reviewed_by', readText),
    current: read('current', readVersionName),
    versions: versions ?? new Map(),
    versionsPartial: versions === undefined,
    migrations: read('migrations', (list, member) => readMigrations(list, member, label)) ?? [],
    producer: side('producer'),
    consumer: side('consumer'),
    onViolation: read('on_violation', (list, member) => readOneOf(list, member, ON_VIOLATION)),
    gate: read('gate', (list, member) => readOneOf(list, member, GATES)),
    readBack: read('read_back', readBoolean),
    hopLimit: read('hop_limit', (list, member) =>
      readNumber(list, member, 'a whole number, 1 or more', (value) => Number.isInteger(value) && value >= 1),
    ),
    deadlineSeconds: read('deadline_s', (list, member) =>
      readNumber(list, member, 'a number of seconds above 0', (value) => value > 0),
    ),
    replanIgnore: read('replan_ignore', names),
    idempotent: read('idempotent', names),
    stateRef: read('state_ref', readStateRef),
    owners: readOwners(faults, members.get('owners')),
  };
}
