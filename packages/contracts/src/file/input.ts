import type { EnforceMode, GateMode, OnViolation } from '../types.js';

/** One contract version in code, in the shape of the contract file. */
export interface ContractVersionInput {
  readonly required: readonly string[];
  readonly permitted?: readonly string[] | undefined;
  readonly nullable?: readonly string[] | undefined;
  readonly integrity?: readonly string[] | undefined;
  /** Names of tools that the destination needs; each is required as the key `$tools.<name>`. */
  readonly tools?: readonly string[] | undefined;
}

export interface MigrationInput {
  readonly from: string | number;
  readonly to: string | number;
  readonly rename?: Readonly<Record<string, string>> | undefined;
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}

/** One route in code, in the shape of the contract file: long form with `versions`, or short form with `required`. */
export interface RouteInput extends Partial<ContractVersionInput> {
  readonly from: string;
  readonly to: string;
  readonly purpose?: string | undefined;
  readonly reviewed_by?: string | undefined;
  readonly current?: string | number | undefined;
  readonly versions?: Readonly<Record<string, ContractVersionInput>> | undefined;
  /** Short form only; default `"1"`. */
  readonly version?: string | number | undefined;
  readonly migrations?: readonly MigrationInput[] | undefined;
  readonly enforce?: { readonly producer?: EnforceMode | undefined; readonly consumer?: EnforceMode | undefined };
  readonly on_violation?: OnViolation | undefined;
  readonly gate?: GateMode | undefined;
  readonly read_back?: boolean | undefined;
  readonly hop_limit?: number | undefined;
  readonly deadline_s?: number | undefined;
  readonly replan_ignore?: readonly string[] | undefined;
  readonly idempotent?: readonly string[] | undefined;
  readonly state_ref?: string | undefined;
  readonly owners?: Readonly<Record<string, string>> | undefined;
}

export interface AgentInput {
  readonly aliases?: readonly string[] | undefined;
  readonly terminal?: boolean | undefined;
}

/** A contract file's content as a plain object. `version` is the file format and may be left out in code. */
export interface ContractsInput {
  readonly version?: 1 | undefined;
  readonly agents?: Readonly<Record<string, AgentInput>> | undefined;
  readonly routes: Readonly<Record<string, RouteInput>>;
}
