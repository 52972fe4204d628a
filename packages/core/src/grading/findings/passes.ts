import type { FindingId } from '@seamtrace/semconv';
import { byCodeUnit } from '../../evidence/distinct.js';
import type { Finding } from '../types.js';
import { acknowledgedLate, notAcknowledged, readBackMismatch } from './acknowledgement.js';
import { budgetExhausted, budgetReset, budgetUnderreported } from './budget.js';
import { goalChanged, hopLimitReached } from './chain.js';
import { announcedNotDispatched, ingestRejected, neverAccepted, repairExhausted, silentHandoff } from './delivery.js';
import { contextDump, envelopeGrowth, inlinedContent } from './envelope.js';
import { hopCounterReset, hopLimitChanged } from './hops.js';
import { undeclaredDependency, unpermittedKeys, valueChanged } from './keys.js';
import { loop } from './loop.js';
import { dualOwnership, unownedResult } from './ownership.js';
import { identityReused, undeclaredRoute, versionSkew } from './route.js';
import { traceBroken } from './traces.js';
import { redundantWork, repeatedEffect } from './work.js';
import type { FindingInput, FindingPass } from './types.js';
import { placeInTask } from './whole-task.js';

/**
 * Every finding that evidence on the wire can show (wire contract, section 6). Passes are independent of each other and of
 * the verdict; those that need the whole task find nothing where it is not known.
 */
const PASSES = {
  unpermitted_keys: unpermittedKeys,
  value_changed: valueChanged,
  undeclared_dependency: undeclaredDependency,
  goal_changed: goalChanged,
  hop_limit_reached: hopLimitReached,
  hop_counter_reset: hopCounterReset,
  hop_limit_changed: hopLimitChanged,
  loop,
  budget_reset: budgetReset,
  budget_exhausted: budgetExhausted,
  budget_underreported: budgetUnderreported,
  dual_ownership: dualOwnership,
  never_accepted: neverAccepted,
  announced_not_dispatched: announcedNotDispatched,
  silent_handoff: silentHandoff,
  not_acknowledged: notAcknowledged,
  acknowledged_late: acknowledgedLate,
  read_back_mismatch: readBackMismatch,
  repeated_effect: repeatedEffect,
  ingest_rejected: ingestRejected,
  repair_exhausted: repairExhausted,
  envelope_growth: envelopeGrowth,
  context_dump: contextDump,
  inlined_content: inlinedContent,
  trace_broken: traceBroken,
  version_skew: versionSkew,
  undeclared_route: undeclaredRoute,
  unowned_result: unownedResult,
  redundant_work: redundantWork,
  identity_reused: identityReused,
} as const satisfies Partial<Record<FindingId, FindingPass>>;

/** Findings that this version can make; nothing on the wire shows the others. */
export const FINDINGS_MADE = Object.keys(PASSES) as readonly FindingId[];

/** The passes of all {@link FINDINGS_MADE}, in their order. */
export const ALL_PASSES: readonly FindingPass[] = Object.values(PASSES);

/** All findings of one handoff, sorted by id. */
export function findAll(given: Omit<FindingInput, 'task'>): readonly Finding[] {
  const input: FindingInput = { ...given, task: placeInTask(given.subject) };
  const found: Finding[] = [];
  for (const pass of ALL_PASSES) {
    const finding = pass(input);
    if (finding !== undefined) found.push(finding);
  }
  return found.sort((a, b) => byCodeUnit(a.id, b.id));
}
