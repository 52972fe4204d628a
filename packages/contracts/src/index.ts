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
export { contractVersion, findMigration, permittedFor, resolveAgent, routesBetween } from './file/lookup.js';
