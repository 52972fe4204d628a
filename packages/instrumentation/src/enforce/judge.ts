import { HandoffContractError, type Route } from '@seamtrace/contracts';
import type { IngestOutcome } from '@seamtrace/semconv';
import type { StageCapture } from '../capture/stage-capture.js';
import type { ContractTerms, HandoffState } from '../handoff/state.js';
import { warnOfHandoff } from '../runtime/report.js';
import { provenMissing, violation } from './missing.js';
import { enforceMode, type EnforceOverride } from './mode.js';

/** One handoff as a framework hook follows it, as far as enforcement looks at it. */
export interface Judged {
  readonly state: HandoffState;
  readonly route: Route | undefined;
  readonly terms: ContractTerms | undefined;
  readonly wiring: { readonly enforce: () => EnforceOverride | undefined };
}

/**
 * The error with which an enforcing producer refuses a handoff, by the evidence of one stage. `undefined` where it goes on:
 * what was not completely observed refuses nothing.
 */
export function refusalOf(
  { route, terms, state, wiring }: Judged,
  stage: 'source' | 'payload',
): HandoffContractError | undefined {
  const capture = stage === 'source' ? state.sourceCapture : state.payloadCapture;
  if (route === undefined || capture === undefined) return undefined;
  const missing = provenMissing(capture.keys, terms);
  const mode = enforceMode('producer', route, wiring.enforce());
  if (missing.length === 0 || mode === 'observe') return undefined;
  if (mode === 'warn') {
    const where = stage === 'source' ? 'at the source' : 'in what is sent';
    warnOfHandoff(
      `dispatch:${route.name}:${stage}:${missing.join(',')}`,
      `${route.name}: required ${where} and not there: ${missing.join(', ')}`,
    );
    return undefined;
  }
  return new HandoffContractError({
    code: stage === 'source' ? 'SEAMTRACE_SOURCE_INCOMPLETE' : 'SEAMTRACE_PROJECTION_INCOMPLETE',
    route: route.name,
    version: terms?.version ?? '',
    keys: missing,
    from: route.from,
    to: route.to,
    purpose: route.purpose,
    // No framework projects onto a contract: what the payload lacks, the application or the framework left out.
    payloadBy: 'application',
    onViolation: route.onViolation,
  });
}

/** What the consumer side makes of the keys that arrived. */
export interface IngestJudgement {
  readonly outcome: IngestOutcome;
  readonly violations: readonly string[];
  readonly error: HandoffContractError | undefined;
}

/** Judges what a destination could read; with an error where an enforcing consumer rejects it. */
export function judgeIngest({ route, terms, state, wiring }: Judged, capture: StageCapture): IngestJudgement {
  const missing = provenMissing(capture.keys, terms);
  const mode = enforceMode('consumer', route, wiring.enforce());
  if (missing.length === 0 || mode === 'observe') return { outcome: 'accepted', violations: [], error: undefined };
  const violations = missing.map(violation);
  if (mode === 'warn') {
    warnOfHandoff(
      `ingest:${route?.name}:${missing.join(',')}`,
      `${route?.name}: required at the destination and not there: ${missing.join(', ')}`,
    );
    return { outcome: 'warned', violations, error: undefined };
  }
  const error = new HandoffContractError({
    code: 'SEAMTRACE_INGEST_REJECTED',
    route: route?.name ?? '',
    version: terms?.version ?? '',
    keys: missing,
    from: state.source?.name,
    to: state.target?.name,
    purpose: route?.purpose,
    onViolation: route?.onViolation,
  });
  return { outcome: 'rejected', violations, error };
}
