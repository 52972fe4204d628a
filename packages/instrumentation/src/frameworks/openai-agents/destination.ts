import {
  ATTR_SEAMTRACE_INGEST_OFFSET,
  ATTR_SEAMTRACE_INGEST_OUTCOME,
  ATTR_SEAMTRACE_INGEST_VIOLATIONS,
  type IncompleteReason,
} from '@seamtrace/semconv';
import { type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { type IngestJudgement, judgeIngest } from '../../enforce/judge.js';
import { runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import { contractAttributes, payloadAttributes } from '../../stamp/evidence.js';
import { list, present } from '../../stamp/identity.js';
import { writeAbsent, writeStage } from '../../stamp/write.js';
import type { AgentRun, AgentTurn } from './agent-run.js';
import { rawItems } from './call-items.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { Dispatch } from './dispatch.js';
import { holdsAnswer, locateCall, type Whereabouts } from './handoff-call.js';
import { text } from '../../hooks/own-data.js';
import { seenByModel } from './transcript.js';

export interface ModelInput {
  /** The input as it goes to the model, where a filter of the application's has just returned it. */
  readonly items?: readonly unknown[];
  /** What became of the handoff call in it. */
  readonly call?: Whereabouts | undefined;
  /** Keys may have gone where they cannot be seen. */
  readonly hidden: boolean;
}

/**
 * The destination is about to call its model for the first time: what it can read now is the destination evidence. Throws
 * where the contract is enforced for the consumer and a required key is proven not to have arrived.
 */
export function captureDestination(run: AgentRun, turn: AgentTurn, context: unknown, input: ModelInput): void {
  const { handoff } = turn;
  if (turn.captured || handoff === undefined) return;
  turn.captured = true;
  const error = guarded(
    'the destination of a handoff',
    () => {
      const capture = evidence(run, turn, handoff, context, input);
      const judgement = judgeIngest({ ...handoff, wiring: run.wiring }, capture);
      write(run, turn, handoff, capture, judgement);
      return judgement.error;
    },
    undefined,
  );
  if (error !== undefined) throw error;
}

/** The turn ends before its first model call: the handoff was taken, but what arrived was never seen. */
export function destinationUnseen(run: AgentRun, turn: AgentTurn, reason: IncompleteReason): void {
  if (turn.captured || turn.handoff === undefined) return;
  turn.captured = true;
  write(run, turn, turn.handoff, unseenStage(reason), undefined);
}

function evidence(
  run: AgentRun,
  turn: AgentTurn,
  handoff: Dispatch,
  context: unknown,
  input: ModelInput,
): StageCapture {
  const { args, known } = argumentsAtModel(run, turn, handoff, input);
  turn.arrived = args;
  const reading = readCarriers({ context, args, tools: turn.tools }, handoff.terms, run.wiring.secret());
  const carried = handoff.state.payload?.channel;
  return stageEvidence(reading.capture, handoff.terms, {
    channel: carried === undefined || carried === 'text' ? reading.channel : carried,
    hidden: !known || input.hidden || handoff.hidden,
    mayHold: handoff.mayHold,
    seenByModel: seenByModel(run, handoff),
  });
}

interface Arrival {
  readonly args: string | undefined;
  readonly known: boolean;
}

/** The handoff call's arguments where the call is still in what the model reads. */
function argumentsAtModel(run: AgentRun, turn: AgentTurn, handoff: Dispatch, input: ModelInput): Arrival {
  const { args, call } = handoff;
  const items = input.items ?? preparedInput(run, turn);
  if (args === undefined || items === undefined) return { args, known: true };
  const where = input.call ?? locateCall(items, call, args);
  if (where.found !== undefined) return { args: text(where.found.args), known: true };
  // A provider that holds the conversation has the call itself; the input then only brings the answer to it.
  if (run.serverHoldsHistory && holdsAnswer(items, call)) return { args, known: true };
  return { args: undefined, known: where.known };
}

function preparedInput(run: AgentRun, turn: AgentTurn): readonly unknown[] | undefined {
  if (Array.isArray(turn.turnInput)) return rawItems(turn.turnInput);
  if (run.state === undefined) return undefined;
  return [...rawItems(run.state._originalInput), ...rawItems(run.state._generatedItems)];
}

function write(
  run: AgentRun,
  turn: AgentTurn,
  handoff: Dispatch,
  capture: StageCapture,
  judgement: IngestJudgement | undefined,
): void {
  const { contract, sourceCapture, payloadCapture } = handoff.state;
  writeAbsent(turn.span, contractAttributes(contract));
  if (sourceCapture !== undefined) writeStage(turn.span, 'source', sourceCapture);
  if (payloadCapture !== undefined) writeStage(turn.span, 'payload', payloadCapture);
  writeAbsent(turn.span, payloadAttributes(handoff.state));
  writeStage(turn.span, 'destination', capture);
  if (judgement !== undefined) {
    const { outcome, violations } = judgement;
    writeAbsent(
      turn.span,
      present({
        [ATTR_SEAMTRACE_INGEST_OFFSET]: (run.now() - turn.startedAt) / 1_000,
        [ATTR_SEAMTRACE_INGEST_OUTCOME]: outcome,
        [ATTR_SEAMTRACE_INGEST_VIOLATIONS]: violations.length > 0 ? list(violations) : undefined,
      }),
    );
  }
  runOf(turn.span, turn.parentContext).evidenced = true;
}
