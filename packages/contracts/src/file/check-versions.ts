import { migrateKeys } from '../contract/migrate-keys.js';
import { containersOf } from '../contract/within.js';
import type { DraftMigration, DraftRoute, DraftVersion } from './draft.js';
import type { Fault } from './fault.js';
import { complain, type Read } from './read.js';
import { suggestion } from './suggest.js';
import { quote } from './tree.js';

const values = (list: { readonly value: readonly Read<string>[] } | undefined): string[] =>
  (list?.value ?? []).map((item) => item.value);

/** At most ten names, so that a message stays one that a person reads. */
function listNames(names: Iterable<string>, count: number): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.length === 10) return `${shown.join(', ')} and ${count - 10} more`;
    shown.push(name);
  }
  return shown.join(', ') || 'nothing';
}

function checkVersion(faults: Fault[], version: DraftVersion, owner: string): void {
  const required = values(version.required);
  if (version.permitted !== undefined) {
    const permitted = new Set(values(version.permitted));
    for (const key of version.required?.value ?? []) {
      if ([...containersOf(key.value)].some((path) => permitted.has(path))) continue;
      const advice = 'so the builder would drop it; permit it, or stop requiring it';
      complain(
        faults,
        'projection',
        key.field,
        `${quote(key.value)} is required and not permitted in ${owner}, ${advice}`,
      );
    }
  }
  if (version.partial) return;
  const known = new Set([...required, ...values(version.permitted)]);
  for (const list of ['nullable', 'integrity'] as const) {
    for (const key of version[list]?.value ?? []) {
      if (known.has(key.value)) continue;
      const message = `${quote(key.value)} is ${list} and neither required nor permitted in ${owner}`;
      complain(faults, 'meaning', key.field, message + suggestion(faults, key.value, known));
    }
  }
}

function declared(faults: Fault[], route: DraftRoute, name: Read<string> | undefined): DraftVersion | undefined {
  if (name === undefined) return undefined;
  const version = route.versions.get(name.value);
  if (version === undefined && !route.versionsPartial) {
    const known = route.versions;
    const hint = suggestion(faults, name.value, known.keys()) || `; declared: ${listNames(known.keys(), known.size)}`;
    complain(
      faults,
      'meaning',
      name.field,
      `${name.field.label} is ${quote(name.value)}, which is not declared${hint}`,
    );
  }
  return version;
}

const lists = (path: string): string => path.slice(0, path.lastIndexOf('[]') + 1);

function checkRenames(faults: Fault[], migration: DraftMigration, from: DraftVersion): void {
  const known = new Set([...values(from.required), ...values(from.permitted)]);
  const renamable = new Set([...known].flatMap((key) => [...containersOf(key)]));
  const targets = new Set<string>();
  for (const [source, target] of migration.rename) {
    if (!from.partial && !renamable.has(source)) {
      const message = `${migration.field.label} renames ${quote(source)}, which its version does not list`;
      complain(faults, 'meaning', target.field, message + suggestion(faults, source, known));
    }
    if (targets.has(target.value)) {
      complain(faults, 'meaning', target.field, `${migration.field.label} renames two keys to ${quote(target.value)}`);
    }
    targets.add(target.value);
    if (lists(source) !== lists(target.value)) {
      const message = `${quote(source)} and ${quote(target.value)} lie in different lists, between which no value can move`;
      complain(faults, 'meaning', target.field, message);
    }
  }
}

function checkResult(faults: Fault[], migration: DraftMigration, from: DraftVersion, to: DraftVersion): void {
  if (migration.partial || from.required === undefined || to.required === undefined) return;
  if (from.partial || to.partial) return;
  const rename = new Map([...migration.rename].map(([source, target]) => [source, target.value]));
  const plain = { rename, add: migration.add.map((key) => key.value), drop: migration.drop.map((key) => key.value) };
  const result = new Set(migrateKeys(values(from.required), plain));
  const wanted = new Set(values(to.required));
  const lacking = [...wanted].filter((key) => !result.has(key));
  const surplus = [...result].filter((key) => !wanted.has(key));
  if (lacking.length === 0 && surplus.length === 0) return;
  const target = quote(migration.to?.value ?? '');
  const parts = [
    ...(lacking.length > 0 ? [`it does not give ${listNames(lacking, lacking.length)} (rename or add)`] : []),
    ...(surplus.length > 0 ? [`it gives ${listNames(surplus, surplus.length)}, not required there (drop)`] : []),
  ];
  const label = migration.field.label;
  complain(faults, 'meaning', migration.field, `${label} does not lead to version ${target}: ${parts.join('; ')}`);
}

function checkMigrations(faults: Fault[], route: DraftRoute): void {
  const seen = new Set<string>();
  for (const migration of route.migrations) {
    const from = declared(faults, route, migration.from);
    const to = declared(faults, route, migration.to);
    if (from !== undefined) checkRenames(faults, migration, from);
    if (migration.from === undefined || migration.to === undefined) continue;
    const pair = JSON.stringify([migration.from.value, migration.to.value]);
    const label = migration.field.label;
    if (migration.from.value === migration.to.value) {
      complain(faults, 'meaning', migration.field, `${label} leads from a version to itself`);
    } else if (seen.has(pair)) {
      complain(faults, 'meaning', migration.field, `${label} repeats one between the same versions; keep one of them`);
    } else if (from !== undefined && to !== undefined) checkResult(faults, migration, from, to);
    seen.add(pair);
  }
}

/** Rules that compare the versions of one route with each other. */
export function checkVersions(faults: Fault[], route: DraftRoute): void {
  for (const version of route.versions.values()) checkVersion(faults, version, version.field.label);
  declared(faults, route, route.current);
  checkMigrations(faults, route);
}
