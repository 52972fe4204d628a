import { type Contracts, type ContractVersion, type Migration, type Route, findMigration } from '@seamtrace/contracts';
import { agreed, disputed } from '../evidence/distinct.js';
import { memoize } from '../evidence/memo.js';
import type { HandoffRecord, Side, SideRecord } from '../evidence/types.js';

/** The contract that one side of a handoff worked under. */
export interface SideContract {
  readonly version: string | undefined;
  readonly required: readonly string[];
  /** The contract file confirms the required keys, so that they cannot have been shortened on the way. */
  readonly confirmed: boolean;
}

/** The contracts a record is graded against, or the row that ends its grading. */
export type ContractResolution =
  | {
      readonly ok: true;
      readonly producer: SideContract;
      readonly consumer: SideContract;
      readonly migration: Migration | undefined;
    }
  | { readonly ok: false; readonly row: 'unknown' | 'conflict' };

/** What one side's spans and the file say together; either part may be missing. */
interface SideStatement {
  readonly version: string | undefined;
  readonly required: readonly string[] | undefined;
  readonly confirmed: boolean;
  /** Two spans of this side, or spans and file, contradict each other. */
  readonly conflict: boolean;
  /** The side spoke without naming a version, and the file has several: choosing one would accuse on a guess. */
  readonly ambiguous: boolean;
}

/**
 * Finds the contract of both sides (wire contract, sections 5 and 11). A side that states no version takes the only
 * version of the file; a side that says nothing about a route the file does not know follows the other side.
 */
export function resolveContracts(record: HandoffRecord, route: Route | undefined): ContractResolution {
  const producer = statementOf(record.sides.producer, route);
  const consumer = statementOf(record.sides.consumer, route);
  // A version that is named and not known is not another one that is.
  const named = producer.version ?? consumer.version;
  const required = producer.required ?? consumer.required ?? (named === undefined ? fileRequired(route) : undefined);
  if (required === undefined || producer.ambiguous || consumer.ambiguous) return { ok: false, row: 'unknown' };
  if (producer.conflict || consumer.conflict) return { ok: false, row: 'conflict' };
  if (differ(producer.version, consumer.version)) return migrated(producer, consumer, route);
  if (
    producer.required !== undefined &&
    consumer.required !== undefined &&
    !sameSet(producer.required, consumer.required)
  ) {
    return { ok: false, row: 'conflict' };
  }
  const version = producer.version ?? consumer.version ?? onlyVersion(route)?.version;
  const written = version === undefined ? undefined : route?.versions.get(version);
  const contract: SideContract = { version, required: written?.required ?? required, confirmed: written !== undefined };
  return { ok: true, producer: contract, consumer: contract, migration: undefined };
}

function migrated(producer: SideStatement, consumer: SideStatement, route: Route | undefined): ContractResolution {
  const migration = findMigrationBetween(route, producer.version, consumer.version);
  if (migration === undefined || producer.required === undefined || consumer.required === undefined) {
    return { ok: false, row: 'conflict' };
  }
  return {
    ok: true,
    producer: { version: producer.version, required: producer.required, confirmed: producer.confirmed },
    consumer: { version: consumer.version, required: consumer.required, confirmed: consumer.confirmed },
    migration,
  };
}

function findMigrationBetween(
  route: Route | undefined,
  from: string | undefined,
  to: string | undefined,
): Migration | undefined {
  return route === undefined || from === undefined || to === undefined ? undefined : findMigration(route, from, to);
}

/** The contract of one version of a declared route, for grading that no span's statement is asked about. */
export function contractOf(route: Route): SideContract | undefined {
  const version = onlyVersion(route) ?? (route.current === undefined ? undefined : route.versions.get(route.current));
  return version === undefined ? undefined : { version: version.version, required: version.required, confirmed: true };
}

/** The route that spans name, if the contract file declares it. */
export function declaredRoute(record: HandoffRecord, contracts: Contracts | undefined): Route | undefined {
  const name = agreed(record.facts.route);
  return name === undefined ? undefined : contracts?.routes.get(name);
}

/** The list that spans or file permit; `undefined` where neither writes one or statements differ. */
export function permittedKeys(
  record: HandoffRecord,
  route: Route | undefined,
  version: string | undefined,
): readonly string[] | undefined {
  const fromFile = version === undefined ? undefined : route?.versions.get(version);
  if (fromFile !== undefined) return fromFile.permitted;
  return statedList(record, 'producer', 'permitted') ?? statedList(record, 'consumer', 'permitted');
}

/** Key paths that any span lists as permitted. */
export function statedPermitted(record: HandoffRecord): ReadonlySet<string> {
  const lists = (['producer', 'consumer'] as const).flatMap((side) => record.sides[side].permitted?.values ?? []);
  return new Set(lists.flatMap(readList));
}

const SILENT: SideStatement = {
  version: undefined,
  required: undefined,
  confirmed: false,
  conflict: false,
  ambiguous: false,
};

function statementOf(side: SideRecord, route: Route | undefined): SideStatement {
  if (!side.speaks) return SILENT;
  const stated = parseList(agreed(side.required));
  const statedVersion = agreed(side.version);
  const version = statedVersion ?? onlyVersion(route)?.version;
  const written = version === undefined ? undefined : route?.versions.get(version);
  const contradictsFile = written !== undefined && stated !== undefined && !sameSet(stated, written.required);
  return {
    version,
    required: written?.required ?? stated ?? parseList(side.required?.values[0]),
    confirmed: written !== undefined,
    conflict: disputed(side.version) || disputed(side.required) || contradictsFile,
    ambiguous: version === undefined && stated === undefined && route !== undefined,
  };
}

function fileRequired(route: Route | undefined): readonly string[] | undefined {
  return onlyVersion(route)?.required;
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

function onlyVersion(route: Route | undefined): ContractVersion | undefined {
  return route?.versions.size === 1 ? [...route.versions.values()][0] : undefined;
}

function statedList(record: HandoffRecord, side: Side, list: 'required' | 'permitted'): readonly string[] | undefined {
  return parseList(agreed(record.sides[side][list]));
}

function parseList(json: string | undefined): readonly string[] | undefined {
  return json === undefined ? undefined : readList(json);
}

/** The handoffs of one route state the same lists. */
const readList = memoize(512, (json): readonly string[] => JSON.parse(json) as string[]);

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  const members = new Set(a);
  return members.size === new Set(b).size && b.every((key) => members.has(key));
}
