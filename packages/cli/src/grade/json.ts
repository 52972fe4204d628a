import type { GradedHandoff } from '@seamtrace/core';

// Reads the fields one by one, so that order and completeness of a line do not depend on how the grader built it.
function fieldsInOrder(graded: GradedHandoff): GradedHandoff {
  return {
    handoff_id: graded.handoff_id,
    attempt: graded.attempt,
    case_id: graded.case_id,
    task_id: graded.task_id,
    route: graded.route,
    source: graded.source,
    target: graded.target,
    destination: graded.destination,
    contract_version: graded.contract_version,
    verdict: graded.verdict,
    boundary: graded.boundary,
    missing_keys: graded.missing_keys,
    reason: graded.reason,
    delivered: graded.delivered,
    recovery: graded.recovery,
    recovery_by: graded.recovery_by,
    run_outcome: graded.run_outcome,
    secondary: graded.secondary,
    evidence: graded.evidence,
    owner: graded.owner,
    findings: graded.findings.map(({ id, detail }) => ({ id, detail })),
    grader_version: graded.grader_version,
  };
}

/** One line of `--format json`, with its line feed (wire contract, section 10). */
export function toJsonLine(graded: GradedHandoff): string {
  return `${JSON.stringify(fieldsInOrder(graded))}\n`;
}
