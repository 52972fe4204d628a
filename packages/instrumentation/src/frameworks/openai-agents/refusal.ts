import { HandoffContractError } from '@seamtrace/contracts';
import type { IngestOutcome } from '@seamtrace/semconv';
import type { StageCapture } from '../../capture/stage-capture.js';
import { provenMissing, violation } from '../../enforce/missing.js';
import { enforceMode } from '../../enforce/mode.js';
import { guarded, warnOfHandoff } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { type Dispatch, endDispatch } from './dispatch.js';

/**
 * Where the producer side of the route is enforced and a required key is proven absent, ends the dispatch as `prevented`
 * and throws: `onInvokeHandoff` must return an agent and a filter its input, so there is no gentler way out of a run.
 * What was not completely observed refuses nothing.
 */
export function refuseDispatch(run: AgentRun, dispatch: Dispatch, stage: 'source' | 'payload'): void {
  const error = guarded('the check of a handoff', () => dispatchError(run, dispatch, stage), undefined);
  if (error === undefined) return;
  guarded(
    'a refused handoff',
    () => {
      endDispatch(dispatch, 'prevented', run.now(), error.code);
      run.dispatch = undefined;
    },
    undefined,
  );
  throw error;
}

/** The error with which an enforcing producer refuses a dispatch, by the evidence of one stage. */
export function dispatchError(
  run: AgentRun,
  dispatch: Dispatch,
  stage: 'source' | 'payload',
): HandoffContractError | undefined {
  const { route, terms, state } = dispatch;
  const capture = stage === 'source' ? state.sourceCapture : state.payloadCapture;
  if (route === undefined || capture === undefined) return undefined;
  const missing = provenMissing(capture.keys, terms);
  if (missing.length === 0) return undefined;
  const mode = enforceMode('producer', route, run.wiring.enforce());
  if (mode === 'observe') return undefined;
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
    // The SDK projects nothing onto a contract: what the payload lacks, a filter of the application's took away.
    payloadBy: 'application',
    onViolation: route.onViolation,
  });
}

export interface IngestJudgement {
  readonly outcome: IngestOutcome;
  readonly violations: readonly string[];
  readonly error: HandoffContractError | undefined;
}

/** What the consumer side makes of the keys that arrived. */
export function judgeIngest(run: AgentRun, dispatch: Dispatch, capture: StageCapture): IngestJudgement {
  const { route, terms } = dispatch;
  const missing = provenMissing(capture.keys, terms);
  const mode = enforceMode('consumer', route, run.wiring.enforce());
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
    from: dispatch.state.source?.name,
    to: dispatch.state.target?.name,
    purpose: route?.purpose,
    onViolation: route?.onViolation,
  });
  return { outcome: 'rejected', violations, error };
}
