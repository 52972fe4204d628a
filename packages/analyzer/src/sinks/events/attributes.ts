import type { AnyValueMap } from '@opentelemetry/api-logs';
import { type HandoffRecord, fact, numericFact } from '@seamtrace/core';
import {
  ATTR_SEAMTRACE_CASE_ID,
  ATTR_SEAMTRACE_CONTRACT_VERSION,
  ATTR_SEAMTRACE_HANDOFF_ATTEMPT,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
  ATTR_SEAMTRACE_HANDOFF_ID,
  ATTR_SEAMTRACE_HANDOFF_KIND,
  ATTR_SEAMTRACE_HANDOFF_ROUTE,
  ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME,
  ATTR_SEAMTRACE_HANDOFF_TARGET_NAME,
  ATTR_SEAMTRACE_HOP_INDEX,
  ATTR_SEAMTRACE_INGEST_REJECTED_FIELDS,
  ATTR_SEAMTRACE_SCHEMA_VERSION,
  ATTR_SEAMTRACE_TASK_ID,
  ATTR_SEAMTRACE_VERDICT_BOUNDARY,
  ATTR_SEAMTRACE_VERDICT_CONTRACT_DIGEST,
  ATTR_SEAMTRACE_VERDICT_DELIVERED,
  ATTR_SEAMTRACE_VERDICT_EVIDENCE,
  ATTR_SEAMTRACE_VERDICT_FINDINGS,
  ATTR_SEAMTRACE_VERDICT_FINDING_DETAILS,
  ATTR_SEAMTRACE_VERDICT_GRADER_VERSION,
  ATTR_SEAMTRACE_VERDICT_ID,
  ATTR_SEAMTRACE_VERDICT_MISSING_KEYS,
  ATTR_SEAMTRACE_VERDICT_OWNER,
  ATTR_SEAMTRACE_VERDICT_REASON,
  ATTR_SEAMTRACE_VERDICT_RECOVERY,
  ATTR_SEAMTRACE_VERDICT_RECOVERY_BY,
  ATTR_SEAMTRACE_VERDICT_REVISION,
  ATTR_SEAMTRACE_VERDICT_RUN_OUTCOME,
  ATTR_SEAMTRACE_VERDICT_SECONDARY_BOUNDARY,
  ATTR_SEAMTRACE_VERDICT_SECONDARY_MISSING_KEYS,
  ATTR_SEAMTRACE_VERDICT_SECONDARY_ROUTE,
  ATTR_SEAMTRACE_VERDICT_SECONDARY_VERDICT,
  ATTR_SEAMTRACE_VERDICT_VALUE,
  SCHEMA_VERSION,
} from '@seamtrace/semconv';
import { fieldOf } from '../field.js';
import type { Verdict } from '../verdict.js';

/** Attributes of `seamtrace.verdict` (wire contract, section 8). What is not known is left out. */
export function verdictAttributes(
  { graded, record, revision, verdictId }: Verdict,
  contractDigest: string | undefined,
): AnyValueMap {
  const { findings, secondary } = graded;
  return known({
    ...identityAttributes(graded, record),
    [ATTR_SEAMTRACE_CASE_ID]: graded.case_id,
    [ATTR_SEAMTRACE_CONTRACT_VERSION]: graded.contract_version,
    [ATTR_SEAMTRACE_VERDICT_VALUE]: graded.verdict,
    [ATTR_SEAMTRACE_VERDICT_BOUNDARY]: graded.boundary,
    [ATTR_SEAMTRACE_VERDICT_REASON]: graded.reason,
    [ATTR_SEAMTRACE_VERDICT_MISSING_KEYS]: [...graded.missing_keys],
    [ATTR_SEAMTRACE_VERDICT_DELIVERED]: graded.delivered,
    [ATTR_SEAMTRACE_VERDICT_RECOVERY]: graded.recovery,
    [ATTR_SEAMTRACE_VERDICT_RECOVERY_BY]: graded.recovery_by,
    [ATTR_SEAMTRACE_VERDICT_RUN_OUTCOME]: graded.run_outcome,
    [ATTR_SEAMTRACE_VERDICT_EVIDENCE]: graded.evidence,
    [ATTR_SEAMTRACE_VERDICT_OWNER]: graded.owner,
    [ATTR_SEAMTRACE_VERDICT_FINDINGS]: [...new Set(findings.map(({ id }) => id))],
    [ATTR_SEAMTRACE_VERDICT_FINDING_DETAILS]: findings.length === 0 ? null : JSON.stringify(findings),
    [ATTR_SEAMTRACE_VERDICT_SECONDARY_ROUTE]: secondary?.route,
    [ATTR_SEAMTRACE_VERDICT_SECONDARY_VERDICT]: secondary?.verdict,
    [ATTR_SEAMTRACE_VERDICT_SECONDARY_BOUNDARY]: secondary?.boundary,
    [ATTR_SEAMTRACE_VERDICT_SECONDARY_MISSING_KEYS]: secondary === null ? null : [...secondary.missing_keys],
    [ATTR_SEAMTRACE_VERDICT_CONTRACT_DIGEST]: contractDigest,
    [ATTR_SEAMTRACE_VERDICT_GRADER_VERSION]: graded.grader_version,
    [ATTR_SEAMTRACE_VERDICT_ID]: verdictId,
    [ATTR_SEAMTRACE_VERDICT_REVISION]: revision,
  });
}

/** Attributes of `seamtrace.ingest.rejected`: handoff, hop, source and the fields that were refused. */
export function rejectionAttributes({ graded, record }: Verdict): AnyValueMap {
  const fields = new Set((record.violations?.values ?? []).map(fieldOf));
  return known({
    ...identityAttributes(graded, record),
    [ATTR_SEAMTRACE_INGEST_REJECTED_FIELDS]: [...fields].sort(),
  });
}

function identityAttributes(graded: Verdict['graded'], record: HandoffRecord): AnyValueMap {
  return {
    [ATTR_SEAMTRACE_SCHEMA_VERSION]: SCHEMA_VERSION,
    [ATTR_SEAMTRACE_HANDOFF_ID]: graded.handoff_id,
    [ATTR_SEAMTRACE_HANDOFF_ATTEMPT]: graded.attempt,
    [ATTR_SEAMTRACE_HANDOFF_KIND]: fact(record, 'kind'),
    [ATTR_SEAMTRACE_HANDOFF_ROUTE]: graded.route,
    [ATTR_SEAMTRACE_HANDOFF_SOURCE_NAME]: graded.source,
    [ATTR_SEAMTRACE_HANDOFF_TARGET_NAME]: graded.target,
    [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: graded.destination,
    [ATTR_SEAMTRACE_TASK_ID]: graded.task_id,
    [ATTR_SEAMTRACE_HOP_INDEX]: numericFact(record, 'hopIndex'),
  };
}

function known(attributes: AnyValueMap): AnyValueMap {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined));
}
