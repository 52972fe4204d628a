import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { HandoffContractError } from '@seamtrace/contracts';
import {
  ATTR_SEAMTRACE_DESTINATION_READ_KEYS,
  ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME,
  ATTR_SEAMTRACE_INGEST_OFFSET,
  ATTR_SEAMTRACE_INGEST_OUTCOME,
  ATTR_SEAMTRACE_INGEST_VIOLATIONS,
} from '@seamtrace/semconv';
import { readKeys } from '../capture/read-keys.js';
import type { StageCapture } from '../capture/stage-capture.js';
import { type IngestJudgement, judgeIngest } from '../enforce/judge.js';
import type { ContractTerms } from '../handoff/state.js';
import { guarded } from '../runtime/report.js';
import { contractAttributes, payloadAttributes } from '../stamp/evidence.js';
import { identityAttributes, list, present } from '../stamp/identity.js';
import { linksAcross } from '../stamp/link.js';
import { writeAbsent, writeStage } from '../stamp/write.js';
import type { FollowedRun } from './agent-run.js';
import type { FollowedHandoff } from './handoff.js';

/**
 * The agent is about to call its model or a tool for the first time: what it can read now is the destination evidence of
 * every handoff that started it. The first call counts. Returns the error with which an enforcing consumer rejects it.
 *
 * @param capture Reads the destination by the terms of one handoff.
 * @param reads Keys that the agent is declared to read, such as those of its input schema; left out where nobody knows.
 */
export function ingest(
  run: FollowedRun,
  capture: (terms: ContractTerms | undefined, handoff: FollowedHandoff) => StageCapture,
  reads?: readonly string[],
): HandoffContractError | undefined {
  if (run.ingested) return undefined;
  run.ingested = true;
  let first: HandoffContractError | undefined;
  const keysRead = readKeys(reads);
  for (const handoff of run.startedBy) {
    guarded(
      'the destination of a handoff',
      () => {
        const seen = capture(handoff.terms, handoff);
        const judgement = judgeIngest(handoff, seen);
        first ??= judgement.error;
        writeIngest(run, handoff, seen, judgement, keysRead);
      },
      undefined,
    );
  }
  return first;
}

/**
 * Writes destination evidence: onto the run's own span where one handoff started it, else onto an `ingest` span of each.
 *
 * @param judgement `undefined` where no ingest was observed.
 */
export function writeIngest(
  run: FollowedRun,
  handoff: FollowedHandoff,
  capture: StageCapture,
  judgement: IngestJudgement | undefined,
  reads?: readonly string[],
): void {
  const sole = run.startedBy.length === 1;
  const span = sole ? run.span : startIngestSpan(run, handoff);
  const { contract, sourceCapture, payloadCapture } = handoff.state;
  writeAbsent(span, contractAttributes(contract));
  if (sole) {
    if (sourceCapture !== undefined) writeStage(span, 'source', sourceCapture);
    if (payloadCapture !== undefined) writeStage(span, 'payload', payloadCapture);
    writeAbsent(span, payloadAttributes(handoff.state));
    run.record.evidenced = true;
  }
  writeStage(span, 'destination', capture);
  writeAbsent(span, present({ [ATTR_SEAMTRACE_DESTINATION_READ_KEYS]: list(reads) }));
  if (judgement !== undefined) {
    const { outcome, violations } = judgement;
    writeAbsent(
      span,
      present({
        [ATTR_SEAMTRACE_INGEST_OFFSET]: sole ? (run.now() - run.startedAt) / 1_000 : undefined,
        [ATTR_SEAMTRACE_INGEST_OUTCOME]: outcome,
        [ATTR_SEAMTRACE_INGEST_VIOLATIONS]: violations.length > 0 ? list(violations) : undefined,
      }),
    );
  }
  if (sole) return;
  if (judgement?.outcome === 'rejected') span.setStatus({ code: SpanStatusCode.ERROR, message: 'rejected at ingest' });
  span.end(run.now());
}

/** What an `ingest` span says of whom it belongs to. */
export type WorkingAgent = Pick<FollowedRun, 'wiring' | 'agent' | 'context' | 'now' | 'startedAt'>;

/**
 * Writes what came to a run that was at work already, such as a person's answer or what a delegate brought back: an `ingest`
 * span below the run, whose own span goes on to speak of the handoff that started it.
 */
export function ingestBeside(
  run: WorkingAgent,
  handoff: Pick<FollowedHandoff, 'wiring' | 'state' | 'route' | 'terms'>,
  capture: StageCapture,
): void {
  const span = startIngestSpan(run, handoff, run.now());
  writeAbsent(span, contractAttributes(handoff.state.contract));
  writeStage(span, 'destination', capture);
  writeAbsent(span, present({ [ATTR_SEAMTRACE_INGEST_OUTCOME]: judgeIngest(handoff, capture).outcome }));
  span.end(run.now());
}

const MAX_NAME = 128;

function startIngestSpan(run: WorkingAgent, { state }: Pick<FollowedHandoff, 'state'>, startTime = run.startedAt) {
  const label = state.route ?? state.target?.name ?? '';
  return run.wiring.tracer().startSpan(
    `ingest ${label.slice(0, MAX_NAME)}`.trimEnd(),
    {
      kind: SpanKind.INTERNAL,
      startTime,
      links: linksAcross(state.dispatchSpan, trace.getSpanContext(run.context)),
      attributes: { ...identityAttributes(state, 'ingest'), [ATTR_SEAMTRACE_HANDOFF_DESTINATION_NAME]: run.agent },
    },
    run.context,
  );
}
