import type {
  Boundary,
  EvidenceQuality,
  FindingId,
  Reason,
  Recovery,
  RecoveryBy,
  RunOutcome,
  Verdict,
} from '@seamtrace/semconv';

/** Something beside the verdict that the evidence shows (wire contract, section 6). */
export interface Finding {
  readonly id: FindingId;
  /** Names and numbers that a person needs to act; never a value from the app's state. */
  readonly detail: Readonly<Record<string, unknown>>;
}

/** How the handoff would be graded against the contract of the route that was really taken. */
export interface SecondaryGrade {
  readonly route: string;
  readonly verdict: Verdict;
  readonly boundary: Boundary;
  readonly missing_keys: readonly string[];
}

/**
 * One graded attempt, in the field order and names of the command line (wire contract, section 10).
 * Every field is always there; `null` means not known or not applicable.
 */
export interface GradedHandoff {
  readonly handoff_id: string;
  readonly attempt: number;
  readonly case_id: string | null;
  readonly task_id: string | null;
  readonly route: string | null;
  readonly source: string | null;
  readonly target: string | null;
  readonly destination: string | null;
  readonly contract_version: string | null;
  readonly verdict: Verdict;
  readonly boundary: Boundary;
  readonly missing_keys: readonly string[];
  readonly reason: Reason | null;
  readonly delivered: 'yes' | 'no' | 'unknown';
  readonly recovery: Recovery;
  readonly recovery_by: RecoveryBy | null;
  readonly run_outcome: RunOutcome;
  readonly secondary: SecondaryGrade | null;
  readonly evidence: EvidenceQuality;
  readonly owner: string | null;
  readonly findings: readonly Finding[];
  readonly grader_version: string;
}
