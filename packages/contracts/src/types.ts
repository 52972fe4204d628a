/** One agent of the contract file. Names are compared exactly once both sides resolved through `aliases`. */
export interface AgentDeclaration {
  readonly name: string;
  readonly aliases: readonly string[];
  /** The agent can end a task itself instead of handing it on. */
  readonly terminal: boolean;
}

/** What must and what may cross a route in one reviewed version. Keys are key paths (wire.md section 3). */
export interface ContractVersion {
  readonly version: string;
  readonly required: readonly string[];
  /** `undefined` when the file writes no list: the builder then takes `required`, findings treat it as not written. */
  readonly permitted: readonly string[] | undefined;
  readonly nullable: readonly string[];
  readonly integrity: readonly string[];
}

/** Turns context of version `from` into context of version `to`: rename, then drop, then add. */
export interface Migration {
  readonly from: string;
  readonly to: string;
  readonly rename: ReadonlyMap<string, string>;
  readonly add: readonly string[];
  readonly drop: readonly string[];
}

export type EnforceMode = 'observe' | 'warn' | 'enforce';
export type OnViolation = 'ask' | 'human' | 'fail';
export type GateMode = 'required' | 'advisory';

/** A declared route: who hands over to whom, under which contract versions, and who owns which failure. */
export interface Route {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly purpose: string | undefined;
  readonly reviewedBy: string | undefined;
  /** The version new dispatches use; the only version where the file names none, `undefined` when that is ambiguous. */
  readonly current: string | undefined;
  readonly versions: ReadonlyMap<string, ContractVersion>;
  readonly migrations: readonly Migration[];
  readonly enforce: { readonly producer: EnforceMode; readonly consumer: EnforceMode };
  readonly onViolation: OnViolation | undefined;
  readonly gate: GateMode;
  readonly readBack: boolean;
  readonly hopLimit: number | undefined;
  readonly deadlineSeconds: number;
  readonly replanIgnore: readonly string[];
  readonly idempotent: readonly string[];
  /** Key path whose keyed digest tells which state record was used. */
  readonly stateRef: string | undefined;
  /** Verdict → team. */
  readonly owners: ReadonlyMap<string, string>;
}

/** A whole contract file, validated and frozen. */
export interface Contracts {
  readonly agents: ReadonlyMap<string, AgentDeclaration>;
  readonly routes: ReadonlyMap<string, Route>;
  /** First 16 hex digits of SHA-256 over the canonical form: equal files of different layout have equal digests. */
  readonly digest: string;
}

/** One fault of a contract file. `line` and `column` start at 1. */
export interface ContractProblem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Where in the document, as a JSON pointer. */
  readonly path: string;
  readonly message: string;
}

export type ParseContractsResult =
  | { readonly ok: true; readonly contracts: Contracts }
  | { readonly ok: false; readonly problems: readonly ContractProblem[] };
