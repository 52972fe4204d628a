import { hash } from 'node:crypto';
import { canonicalJson } from '@seamtrace/contracts';
import type { GradedHandoff } from './types.js';

type Content = GradedHandoff & { readonly contracts_digest: string | null };

/**
 * Identity of a verdict event: 32 hex digits of SHA-256 over everything the verdict says and the digest of the contract
 * file. Revision, timestamps and exemplar ids are left out, so that a second delivery is the same event
 * (wire contract, section 8).
 */
export function verdictId(graded: GradedHandoff, contractsDigest: string | undefined): string {
  const content = inOrder(graded, contractsDigest ?? null);
  // Of a grade without details everything is in canonical order now. A grade is plain JSON, so that form is never missing.
  const flat = content.findings.length === 0 && content.secondary === null;
  const text = flat ? JSON.stringify(content) : (canonicalJson(content) ?? '');
  return hash('sha256', text).slice(0, 32);
}

/** The members in the order of the canonical form (RFC 8785). */
function inOrder(graded: GradedHandoff, contractsDigest: string | null): Content {
  return {
    attempt: graded.attempt,
    boundary: graded.boundary,
    case_id: graded.case_id,
    contract_version: graded.contract_version,
    contracts_digest: contractsDigest,
    delivered: graded.delivered,
    destination: graded.destination,
    evidence: graded.evidence,
    findings: graded.findings,
    grader_version: graded.grader_version,
    handoff_id: graded.handoff_id,
    missing_keys: graded.missing_keys,
    owner: graded.owner,
    reason: graded.reason,
    recovery: graded.recovery,
    recovery_by: graded.recovery_by,
    route: graded.route,
    run_outcome: graded.run_outcome,
    secondary: graded.secondary,
    source: graded.source,
    target: graded.target,
    task_id: graded.task_id,
    verdict: graded.verdict,
  };
}
