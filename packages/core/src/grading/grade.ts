import type { HandoffRecord } from '../evidence/types.js';
import type { GradeContext } from './context.js';
import { isInferred } from '../evidence/whole.js';
import { deliveredOf } from './delivered.js';
import { findAll } from './findings/passes.js';
import { DEFAULT_THRESHOLDS, type FindingThresholds } from './findings/types.js';
import { recoveryOf } from './recovery.js';
import { type Ruling, rule } from './rows.js';
import { runOutcomeOf } from './run-outcome.js';
import { secondaryOf } from './secondary.js';
import { type Subject, fact, subjectOf } from './subject.js';
import type { GradedHandoff } from './types.js';
import { GRADER_VERSION } from './version.js';

/**
 * Grades one attempt of a handoff by the evidence there is (wire contract, section 5). Pure: the same record and
 * context give the same grade. `undefined` for a return leg whose route the contract file does not declare, which is
 * not graded at all.
 */
export function gradeRecord(
  record: HandoffRecord,
  context: GradeContext,
  thresholds: FindingThresholds = DEFAULT_THRESHOLDS,
): GradedHandoff | undefined {
  const subject = subjectOf(record, context);
  if (fact(record, 'leg') === 'return' && subject.route === undefined) return undefined;
  const ruling = rule(subject);
  const { recovery, by } = recoveryOf(subject, ruling);
  return {
    handoff_id: record.handoffId,
    attempt: record.attempt,
    case_id: fact(record, 'case') ?? null,
    task_id: fact(record, 'task') ?? null,
    route: fact(record, 'route') ?? (isInferred(record) ? subject.route?.name : undefined) ?? null,
    source: subject.source ?? null,
    target: subject.target ?? null,
    destination: subject.destination ?? null,
    contract_version: contractVersionOf(subject),
    verdict: ruling.verdict,
    boundary: ruling.boundary,
    missing_keys: ruling.missingKeys,
    reason: ruling.reason ?? null,
    delivered: ruling.boundary === 'identity' ? 'unknown' : deliveredOf(subject),
    recovery,
    recovery_by: by,
    run_outcome: runOutcomeOf(record, context.tools),
    secondary: ruling.verdict === 'routing_mismatch' ? secondaryOf(subject) : null,
    evidence: isInferred(record) ? 'inferred' : 'declared',
    owner: ownerOf(subject, ruling),
    findings: findAll({ subject, ruling, thresholds }),
    grader_version: GRADER_VERSION,
  };
}

/** The version the handoff was packed under; `null` where the sides do not agree on a contract at all. */
function contractVersionOf({ contract }: Subject): string | null {
  return contract.ok ? (contract.producer.version ?? null) : null;
}

function ownerOf({ route }: Subject, ruling: Ruling): string | null {
  return ruling.verdict === 'passed' ? null : (route?.owners.get(ruling.verdict) ?? null);
}
