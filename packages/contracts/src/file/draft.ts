import type { EnforceMode, GateMode, OnViolation } from '../types.js';
import type { Field, Read } from './read.js';

/**
 * A contract document as far as it could be read. A member that was not written, or that has a fault of its own, is
 * `undefined`, so that the rules which compare members can still say all that is wrong with the others.
 */
export interface DraftContracts {
  /** `undefined` when no `agents:` section could be read. Routes may name agents that it does not hold. */
  readonly agents: ReadonlyMap<string, DraftAgent> | undefined;
  readonly routes: ReadonlyMap<string, DraftRoute>;
}

export interface DraftAgent {
  readonly field: Field;
  readonly aliases: readonly Read<string>[];
  readonly terminal: boolean;
}

type List = Read<readonly Read<string>[]>;

export interface DraftVersion {
  readonly field: Field;
  readonly required: List | undefined;
  readonly permitted: List | undefined;
  readonly nullable: List | undefined;
  readonly integrity: List | undefined;
  /** Names of tools that the destination needs. */
  readonly tools: List | undefined;
  /** Some list of this version could not be read, so nothing follows from what it lacks. */
  readonly partial: boolean;
}

export interface DraftMigration {
  readonly field: Field;
  readonly from: Read<string> | undefined;
  readonly to: Read<string> | undefined;
  /** Old key path to new one. */
  readonly rename: ReadonlyMap<string, Read<string>>;
  readonly add: readonly Read<string>[];
  readonly drop: readonly Read<string>[];
  readonly partial: boolean;
}

export interface DraftRoute {
  readonly field: Field;
  readonly from: Read<string> | undefined;
  readonly to: Read<string> | undefined;
  readonly purpose: Read<string> | undefined;
  readonly reviewedBy: Read<string> | undefined;
  readonly current: Read<string> | undefined;
  readonly versions: ReadonlyMap<string, DraftVersion>;
  /** A version has a fault that hides its name, so a reference to an undeclared version proves nothing. */
  readonly versionsPartial: boolean;
  readonly migrations: readonly DraftMigration[];
  readonly producer: Read<EnforceMode> | undefined;
  readonly consumer: Read<EnforceMode> | undefined;
  readonly onViolation: Read<OnViolation> | undefined;
  readonly gate: Read<GateMode> | undefined;
  readonly readBack: Read<boolean> | undefined;
  readonly hopLimit: Read<number> | undefined;
  readonly deadlineSeconds: Read<number> | undefined;
  readonly replanIgnore: List | undefined;
  readonly idempotent: List | undefined;
  readonly stateRef: Read<string> | undefined;
  readonly owners: ReadonlyMap<string, Read<string>>;
}
