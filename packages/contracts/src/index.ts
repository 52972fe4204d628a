export {
  assertEnvelopeContext,
  buildEnvelopeContext,
  type EnvelopeContextInput,
  type EnvelopeContextResult,
} from './builder/build.js';
export { contractVersion, findMigration, resolveAgent, routesBetween } from './contract/lookup.js';
export { migrateContext } from './contract/migrate-context.js';
export { migrateKeys } from './contract/migrate-keys.js';
export { contractPaths, isPermittedKey, permittedFor } from './contract/permitted.js';
export { isToolKey, toolKey, TOOLS_MEMBER } from './contract/tool-keys.js';
export { ERROR_CATALOGUE, type ErrorCode, type ErrorEntry } from './errors/catalogue.js';
export { ContractDefinitionError, type DefinitionProblem } from './errors/contract-definition-error.js';
export type { Escalation } from './errors/escalation.js';
export { HandoffContractError, type HandoffContractErrorOptions } from './errors/handoff-contract-error.js';
export { createContracts } from './file/create.js';
export { formatProblems } from './file/fault.js';
export type { AgentInput, ContractsInput, ContractVersionInput, MigrationInput, RouteInput } from './file/input.js';
export { parseContracts } from './file/parse.js';
export { canonicalJson } from './keys/canonical-json.js';
export { captureKeys, type CaptureOptions } from './keys/capture.js';
export { EMPTY_KEYS_DIGEST, keyedDigest, keysDigest } from './keys/digest.js';
export { looksLikeIdentifier, MASKED_NAME } from './keys/identifier.js';
export {
  INCOMPLETE_REASON_ORDER,
  incompleteCapture,
  type KeyCapture,
  type KeyCaps,
  mergeCaptures,
  type MergeOptions,
} from './keys/key-capture.js';
export { compareUtf8, sortUnique } from './keys/order.js';
export {
  CONTRACT_KEY_PATTERN,
  firstName,
  formatKeyPath,
  isContractKey,
  type ParsedKeyPath,
  parseKeyPath,
  type PathStep,
} from './keys/path.js';
export { presence, type Presence } from './keys/presence.js';
export { valueAt, type ValueAt } from './keys/value-at.js';
export { lintContracts, type LintFinding } from './lint/lint.js';
export type {
  AgentDeclaration,
  ContractProblem,
  Contracts,
  ContractVersion,
  EnforceMode,
  GateMode,
  Migration,
  OnViolation,
  ParseContractsResult,
  Route,
} from './types.js';
