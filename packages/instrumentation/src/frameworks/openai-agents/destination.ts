import {
  ATTR_SEAMTRACE_INGEST_OFFSET,
  ATTR_SEAMTRACE_INGEST_OUTCOME,
  ATTR_SEAMTRACE_INGEST_VIOLATIONS,
  type IncompleteReason,
} from '@seamtrace/semconv';
import { type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import { contractAttributes, payloadAttributes } from '../../stamp/evidence.js';
import { list, present } from '../../stamp/identity.js';
import { writeAbsent, writeStage } from '../../stamp/write.js';
import type { AgentRun, AgentTurn } from './agent-run.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { Dispatch } from './dispatch.js';
import { argumentsOf, callItems, holdsAnswer, rawItems } from './handoff-call.js';
import { ownData } from './own-data.js';
import { type IngestJudgement, judgeIngest } from './refusal.js';

export interface ModelInput {
  /** The input as it goes to the model, where a filter of the application's has just returned it. */
  readonly filtered?: unknown;
  readonly textRewritten: boolean;
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
      const judgement = judgeIngest(run, handoff, capture);
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
  const args = argumentsAtModel(run, turn, handoff, input);
  turn.arrived = args;
  const reading = readCarriers({ context, args }, handoff.terms, run.wiring.secret());
  const carried = handoff.state.payload?.channel;
  return stageEvidence(reading.capture, handoff.terms, {
    channel: carried === undefined || carried === 'text' ? reading.channel : carried,
    textRewritten: input.textRewritten || handoff.textRewritten,
    toolResults: run.memory.toolResults,
  });
}

/** The handoff call's arguments where the call is still in what the model reads. */
function argumentsAtModel(
  run: AgentRun,
  turn: AgentTurn,
  handoff: Dispatch,
  { filtered }: ModelInput,
): string | undefined {
  if (handoff.args === undefined) return undefined;
  const items = filtered === undefined ? preparedInput(run, turn) : rawItems(ownData(filtered, 'input'));
  if (items === undefined) return handoff.args;
  const found = callItems(items, handoff.call).at(-1);
  if (found !== undefined) return argumentsOf(found);
  // A provider that holds the conversation has the call itself; the input then only brings the answer to it.
  return run.serverHoldsHistory && holdsAnswer(items, handoff.call) ? handoff.args : undefined;
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
