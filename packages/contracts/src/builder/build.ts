import { contractVersion, findMigration } from '../contract/lookup.js';
import { migrateContext } from '../contract/migrate-context.js';
import { contractPaths, isPermittedKey, permittedFor } from '../contract/permitted.js';
import { type PlainRecord, setMember } from '../contract/plain-record.js';
import { HandoffContractError } from '../errors/handoff-contract-error.js';
import { captureKeys } from '../keys/capture.js';
import type { ContractVersion, Migration, Route } from '../types.js';
import { findMissing, type Missing } from './missing.js';
import { project } from './project.js';

/** What the builder makes an envelope's context from. */
export interface EnvelopeContextInput {
  readonly route: Route;
  /** The version that the source state follows. Default: the route's current one. */
  readonly version?: string | undefined;
  /** The producer's state: a plain object, a class instance or a Map. */
  readonly source: unknown;
  /** The version that the envelope shall follow, by a declared migration. Default: the source's. */
  readonly migrateTo?: string | undefined;
}

export type EnvelopeContextResult =
  | {
      readonly ok: true;
      /** What may cross, and nothing else. */
      readonly context: Record<string, unknown>;
      /** Top-level names of the source that did not cross, sorted; names that look like data are `*`. */
      readonly dropped: readonly string[];
      /** The version that the context follows. */
      readonly version: string;
    }
  | { readonly ok: false; readonly error: HandoffContractError };

function versionOf(route: Route, name: string | undefined): ContractVersion {
  const version = contractVersion(route, name);
  if (version !== undefined) return version;
  const declared = [...route.versions.keys()].join(', ') || 'none';
  const what =
    name === undefined ? 'has several versions and no current one' : `declares no version ${JSON.stringify(name)}`;
  throw new TypeError(`route ${JSON.stringify(route.name)} ${what}; declared: ${declared}`);
}

function migrationOf(route: Route, from: string, to: string): Migration {
  const migration = findMigration(route, from, to);
  if (migration !== undefined) return migration;
  throw new TypeError(`route ${JSON.stringify(route.name)} declares no migration from version ${from} to ${to}`);
}

/** Fills members that are not there; what is there stays. */
function fill(context: PlainRecord, added: PlainRecord): void {
  for (const [name, value] of Object.entries(added)) {
    const there = Object.getOwnPropertyDescriptor(context, name)?.value as unknown;
    if (there === undefined) setMember(context, name, value);
    else if (typeof there === 'object' && there !== null && typeof value === 'object' && value !== null) {
      if (!Array.isArray(there) && !Array.isArray(value)) fill(there as PlainRecord, value as PlainRecord);
    }
  }
}

function refuse(
  code: 'SEAMTRACE_SOURCE_INCOMPLETE' | 'SEAMTRACE_PROJECTION_INCOMPLETE',
  route: Route,
  version: string,
  missing: Missing,
): EnvelopeContextResult {
  const { name, from, to, purpose, onViolation } = route;
  return {
    ok: false,
    error: new HandoffContractError({ code, route: name, version, ...missing, from, to, purpose, onViolation }),
  };
}

function migrate(
  context: PlainRecord,
  { route, source }: EnvelopeContextInput,
  from: ContractVersion,
  to: ContractVersion,
): PlainRecord {
  const migration = migrationOf(route, from.version, to.version);
  const migrated = migrateContext(context, migration);
  // A key that the new version adds has no old name; the source may know it under the new one already.
  fill(migrated, project(source, migration.add, to.nullable));
  return project(migrated, permittedFor(to), to.nullable);
}

/**
 * Builds the context of an envelope from the producer's state: the permitted keys, and nothing else. Without a written
 * permitted list that is the required keys, never everything.
 *
 * A required key that the source lacks is refused first (`SEAMTRACE_SOURCE_INCOMPLETE`); a required key that the source
 * has and the projection lost is refused apart (`SEAMTRACE_PROJECTION_INCOMPLETE`), since there the contract contradicts
 * itself: required outside permitted in contracts built in code, or a migration that renames or drops it. Either way
 * nothing is to be dispatched. The error follows the route's `on_violation`; a route without one gets the error alone.
 *
 * With `migrateTo` the source is checked and projected in its own version, then renamed into the other; keys that the
 * migration adds are taken from the source under their new name.
 *
 * No getter, Proxy trap or other user code runs; the source is not changed; values are taken by reference.
 *
 * @throws TypeError for a version or migration that the route does not declare: a mistake in the program.
 */
export function buildEnvelopeContext(input: EnvelopeContextInput): EnvelopeContextResult {
  const { route, source } = input;
  const from = versionOf(route, input.version);
  const to = input.migrateTo === undefined ? from : versionOf(route, input.migrateTo);
  const atSource = findMissing(source, from);
  if (atSource.keys.length > 0) return refuse('SEAMTRACE_SOURCE_INCOMPLETE', route, from.version, atSource);

  const permitted = permittedFor(from);
  const projected = project(source, permitted, from.nullable);
  const context = to === from ? projected : migrate(projected, input, from, to);
  const inContext = findMissing(context, to);
  if (inContext.keys.length > 0) return refuse('SEAMTRACE_PROJECTION_INCOMPLETE', route, to.version, inContext);

  const crossed = to === from ? permitted : [...permitted, ...migrationOf(route, from.version, to.version).add];
  const names = captureKeys(source, { paths: contractPaths(from), nullable: from.nullable }).keys;
  return {
    ok: true,
    context,
    dropped: names.filter((name) => !isPermittedKey(name, crossed)),
    version: to.version,
  };
}

/**
 * As {@link buildEnvelopeContext}, for producers that enforce: returns the context, or throws what refuses it.
 *
 * @throws HandoffContractError when the source or the projection lacks a required key.
 */
export function assertEnvelopeContext(input: EnvelopeContextInput): Record<string, unknown> {
  const result = buildEnvelopeContext(input);
  if (result.ok) return result.context;
  throw result.error;
}
