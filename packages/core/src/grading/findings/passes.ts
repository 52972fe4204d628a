import { byCodeUnit } from '../../evidence/distinct.js';
import type { Finding } from '../types.js';
import { acknowledgedLate, notAcknowledged, readBackMismatch } from './acknowledgement.js';
import { budgetExhausted, budgetReset, budgetUnderreported } from './budget.js';
import { goalChanged, hopLimitReached } from './chain.js';
import { announcedNotDispatched, ingestRejected, neverAccepted, repairExhausted, silentHandoff } from './delivery.js';
import { contextDump, envelopeGrowth, inlinedContent } from './envelope.js';
import { hopCounterReset, hopLimitChanged } from './hops.js';
import { unpermittedKeys, valueChanged } from './keys.js';
import { loop } from './loop.js';
import { dualOwnership, unownedResult } from './ownership.js';
import { identityReused, undeclaredRoute, versionSkew } from './route.js';
import { traceBroken } from './traces.js';
import { redundantWork, repeatedEffect } from './work.js';
import type { FindingInput, FindingPass } from './types.js';

/**
 * Every finding that evidence on the wire can show (wire contract, section 6). Passes are independent of each other and of
 * the verdict; those that need the whole task find nothing where it is not known.
 */
const PASSES: readonly FindingPass[] = [
  unpermittedKeys,
  valueChanged,
  goalChanged,
  hopLimitReached,
  hopCounterReset,
  hopLimitChanged,
  loop,
  budgetReset,
  budgetExhausted,
  budgetUnderreported,
  dualOwnership,
  neverAccepted,
  announcedNotDispatched,
  silentHandoff,
  notAcknowledged,
  acknowledgedLate,
  readBackMismatch,
  repeatedEffect,
  ingestRejected,
  repairExhausted,
  envelopeGrowth,
  contextDump,
  inlinedContent,
  traceBroken,
  versionSkew,
  undeclaredRoute,
  unownedResult,
  redundantWork,
  identityReused,
];

/** All findings of one handoff, sorted by id. */
export function findAll(input: FindingInput): readonly Finding[] {
  const found = PASSES.map((pass) => pass(input)).filter((finding) => finding !== undefined);
  return found.sort((a, b) => byCodeUnit(a.id, b.id));
}
