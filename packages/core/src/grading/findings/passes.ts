import { byCodeUnit } from '../../evidence/distinct.js';
import type { Finding } from '../types.js';
import { acknowledgedLate, notAcknowledged, readBackMismatch } from './acknowledgement.js';
import { budgetExhausted, goalChanged, hopLimitReached } from './chain.js';
import { announcedNotDispatched, ingestRejected, neverAccepted, repairExhausted, silentHandoff } from './delivery.js';
import { contextDump, inlinedContent } from './envelope.js';
import { unpermittedKeys, valueChanged } from './keys.js';
import { identityReused, undeclaredRoute, versionSkew } from './route.js';
import { traceBroken } from './traces.js';
import type { FindingInput, FindingPass } from './types.js';

/**
 * Every finding that one handoff's evidence can show (wire contract, section 6). Passes are independent of each other
 * and of the verdict; those that need a whole task are not among them.
 */
const PASSES: readonly FindingPass[] = [
  unpermittedKeys,
  valueChanged,
  goalChanged,
  hopLimitReached,
  budgetExhausted,
  neverAccepted,
  announcedNotDispatched,
  silentHandoff,
  notAcknowledged,
  acknowledgedLate,
  readBackMismatch,
  ingestRejected,
  repairExhausted,
  contextDump,
  inlinedContent,
  traceBroken,
  versionSkew,
  undeclaredRoute,
  identityReused,
];

/** All findings of one handoff, sorted by id. */
export function findAll(input: FindingInput): readonly Finding[] {
  const found = PASSES.map((pass) => pass(input)).filter((finding) => finding !== undefined);
  return found.sort((a, b) => byCodeUnit(a.id, b.id));
}
