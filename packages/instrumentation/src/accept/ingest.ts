import { type Context, diag, type Tracer } from '@opentelemetry/api';
import { type Contracts, HandoffContractError } from '@seamtrace/contracts';
import { readKeys } from '../capture/read-keys.js';
import { captureStage, type StageCapture, unseenStage } from '../capture/stage-capture.js';
import { toolNames } from '../capture/tools-kept.js';
import { provenMissing, violation } from '../enforce/missing.js';
import { enforceMode, type EnforceOverride, routeNamed } from '../enforce/mode.js';
import { enclosingRun } from '../processor/run.js';
import { guarded, warnOfHandoff } from '../runtime/report.js';
import { writeDestination } from '../stamp/destination.js';
import { decide, forgetCandidates } from './bind.js';
import { type AcceptFrame, frameOf, type IngestResult, unobservedIngest } from './frame.js';
import { emitIngestSpan } from './ingest-span.js';

/** What this side needs to judge and record an ingest. */
export interface IngestPolicy {
  readonly tracer: Tracer;
  readonly contracts: Contracts | undefined;
  readonly secret: string | undefined;
  readonly enforce: EnforceOverride | undefined;
}

/** What a consumer tells beside what it can read. */
export interface Ingested {
  /** Names of the keys that it reads. */
  readonly reads?: unknown;
  /** Names of the tools that its model is offered. */
  readonly tools?: unknown;
}

/** A handoff that is rejected, and the required keys that are proven absent. */
export interface Rejection {
  readonly frame: AcceptFrame;
  readonly missing: readonly string[];
}

/**
 * Records what the destination can read, for every handoff of the innermost `accept` that has not been recorded yet. The
 * first call counts, since later ones may see the consumer's own writes.
 *
 * @throws HandoffContractError where the consumer side of the route enforces and a required key is proven absent.
 */
export function ingest(state: unknown, context: Context, policy: IngestPolicy, said: Ingested = {}): void {
  const rejections = guarded('recording an ingest', () => record(state, context, policy, said), []);
  const [first] = rejections;
  if (first !== undefined) throw rejectionError(first, policy.contracts);
}

function record(state: unknown, context: Context, policy: IngestPolicy, said: Ingested): readonly Rejection[] {
  const innermost = frameOf(context);
  if (innermost === undefined) {
    diag.debug('seamtrace: ingested() was called outside of accept() and has no effect');
    return [];
  }
  const open = [...innermost.joined, innermost].filter((frame) => frame.ingest === undefined);
  const rejections: Rejection[] = [];
  for (const frame of open) {
    const { result, missing } = judgeIngest(
      frame,
      captureStage(state, frame.terms, policy.secret, toolNames(said.tools)),
      policy,
    );
    frame.ingest = { ...result, reads: readKeys(said.reads) };
    if (result.outcome === 'rejected') rejections.push({ frame, missing });
  }
  // Enforcement does not hang on telemetry: a tracer that fails changes nothing about the rejection.
  guarded('publishing an ingest', () => publishAll(innermost, open, context, policy), undefined);
  return rejections;
}

/** What this side makes of a capture of one handoff's destination, and the keys that it proves absent. */
export function judgeIngest(
  frame: AcceptFrame,
  capture: StageCapture,
  policy: Pick<IngestPolicy, 'contracts' | 'enforce'>,
): { readonly result: IngestResult; readonly missing: readonly string[] } {
  const missing = provenMissing(capture.keys, frame.terms);
  const outcome = judge(frame, missing, policy);
  const violations = outcome === 'accepted' ? [] : missing.map(violation);
  return { result: { capture, outcome, violations, endedAtMs: Date.now() }, missing };
}

function judge(
  frame: AcceptFrame,
  missing: readonly string[],
  policy: Pick<IngestPolicy, 'contracts' | 'enforce'>,
): 'accepted' | 'warned' | 'rejected' {
  const mode = enforceMode('consumer', routeNamed(policy.contracts, frame.state.route), policy.enforce);
  if (missing.length === 0 || mode === 'observe') return 'accepted';
  if (mode === 'enforce') return 'rejected';
  warnOfHandoff(
    `ingest:${frame.state.route}:${missing.join(',')}`,
    `${frame.state.route}: required at the destination and not there: ${missing.join(', ')}`,
  );
  return 'warned';
}

function publishAll(
  innermost: AcceptFrame,
  open: readonly AcceptFrame[],
  context: Context,
  policy: IngestPolicy,
): void {
  if (open.length > 0) decide(innermost, enclosingRun(context));
  for (const frame of open) if (frame.ingest !== undefined) publish(frame, frame.ingest, context, policy.tracer);
}

/** The ingest span at once, long before the run ends; the run's own span as well where one handoff started it. */
function publish(frame: AcceptFrame, result: IngestResult, context: Context, tracer: Tracer): void {
  emitIngestSpan(tracer, frame, result, context);
  const { run } = frame;
  if (run?.startedBy.length === 1 && run.startedBy[0] === frame) writeDestination(run, frame, result);
}

/**
 * Closes an `accept` whose work is done. When nobody told what the destination could read, that is said: on the run's
 * span while it can be written or was written at its end, else on an ingest span without an outcome.
 */
export function endAccept(frame: AcceptFrame, context: Context, tracer: Tracer, failed: boolean): void {
  if (frame.offered !== undefined) {
    decide(frame);
    publishOffered(frame, context, tracer);
  } else if (frame.ingest === undefined) publishUnobserved(frame, context, tracer, failed);
  forgetCandidates(frame);
}

/** Makes what a protocol delivered the evidence, where nothing else is yet. */
export function publishOffered(frame: AcceptFrame, context: Context, tracer: Tracer): void {
  if (frame.ingest !== undefined || frame.offered === undefined) return;
  frame.ingest = frame.offered;
  publish(frame, frame.offered, context, tracer);
}

function publishUnobserved(frame: AcceptFrame, context: Context, tracer: Tracer, failed: boolean): void {
  decide(frame);
  const unseen: StageCapture = unseenStage(failed ? 'error' : 'unsupported');
  const result = unobservedIngest(unseen);
  const { run } = frame;
  const sole = run?.startedBy.length === 1 && run.startedBy[0] === frame ? run : undefined;
  if (sole !== undefined) writeDestination(sole, frame, result);
  if (sole?.evidenced !== true) emitIngestSpan(tracer, frame, result, context);
}

/** The error with which an enforcing consumer rejects a handoff. */
export function rejectionError({ frame, missing }: Rejection, contracts: Contracts | undefined): HandoffContractError {
  const route = routeNamed(contracts, frame.state.route);
  return new HandoffContractError({
    code: 'SEAMTRACE_INGEST_REJECTED',
    route: frame.state.route ?? '',
    version: frame.terms?.version ?? '',
    keys: missing,
    from: frame.state.source?.name,
    to: frame.state.target?.name,
    purpose: route?.purpose,
    onViolation: route?.onViolation,
  });
}
