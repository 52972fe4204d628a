import { widest } from '../../capture/channel.js';
import type { HandoffContractError } from '@seamtrace/contracts';
import { type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { enforceMode } from '../../enforce/mode.js';
import { ingest, ingestBeside } from '../../hooks/ingest.js';
import { isAborted } from './abort.js';
import type { AdkHandoff, AgentFrame } from './agent-frame.js';
import { stageEvidence } from '../../hooks/stage-carriers.js';
import { without } from './carriers.js';
import { idOf, read, stateOf } from './handoff-flow.js';
import {
  contentsOf,
  instructionsOf,
  lastResponse,
  openingMessage,
  readableOf,
  retoldArguments,
  textsOf,
} from './history.js';
import type { ModelRequestLike } from './internal-types.js';
import { personAnswers } from './people.js';
import { closeCall } from './tool-calls.js';

/**
 * An agent is about to call its model: what it can read now is the destination evidence of what started it, and of the
 * workflow agents around it that began with it. Returns the error with which an enforcing consumer rejects it.
 */
export function modelStarts(frame: AgentFrame, request: ModelRequestLike): HandoffContractError | undefined {
  if (isAborted(frame.context)) return undefined;
  // A call that is open still was cut off by an error of a callback.
  closeCall(frame);
  personAnswers(frame);
  for (const back of frame.returns.splice(0)) ingestBeside(frame.run, back.followed, broughtBack(frame, back, request));
  return ingestAround(frame, request);
}

/** Where an agent without a model begins: the state that it shares is what it can read. */
export function ownWorkStarts(frame: AgentFrame): HandoffContractError | undefined {
  return ingestAround(frame, undefined);
}

/** Whether an enforcing consumer may reject what started this agent, or a workflow agent that begins with it. */
export function enforcesIngest(frame: AgentFrame): boolean {
  return [...beginningWith(frame)].some(
    ({ run }) =>
      !run.ingested &&
      run.startedBy.some(({ route, wiring }) => enforceMode('consumer', route, wiring.enforce()) === 'enforce'),
  );
}

/** The agent ends: what was brought back to it and never given to its model. */
export function returnsUnseen(frame: AgentFrame): void {
  for (const back of frame.returns.splice(0)) {
    if (back.followed.outcome === 'dispatched') ingestBeside(frame.run, back.followed, unseenStage('unsupported'));
  }
}

function ingestAround(frame: AgentFrame, request: ModelRequestLike | undefined): HandoffContractError | undefined {
  let first: HandoffContractError | undefined;
  for (const each of beginningWith(frame)) {
    const error = ingest(each.run, (_terms, followed) => {
      const handoff = each.started.find((started) => started.followed === followed);
      return handoff === undefined ? unseenStage('unsupported') : arrived(frame, handoff, request);
    });
    first ??= error;
  }
  return first;
}

/** The agent, and the workflow agents around it whose work is its work. */
function* beginningWith(frame: AgentFrame): Generator<AgentFrame> {
  yield frame;
  for (let around = frame.parent; around !== undefined && around.shape !== 'model'; around = around.parent)
    yield around;
}

function arrived(frame: AgentFrame, handoff: AdkHandoff, request: ModelRequestLike | undefined): StageCapture {
  const { followed, call, source } = handoff;
  const { session } = frame.context;
  const given = new Set(contentsOf(request).flatMap(textsOf));
  const opening = openingMessage(session, idOf(frame.context)).filter(
    (each) => request === undefined || given.has(each),
  );
  const retold = call === undefined ? undefined : retoldArguments(request, source, call.tool);
  const args = request === undefined ? call?.args : retold === undefined ? undefined : parsed(retold);
  const delegated = followed.state.mode === 'delegation';
  const envelopes = delegated ? opening : [without(args, ['agentName', 'agent_name']), ...opening];
  const { capture, channel } = read(handoff, { state: stateOf(frame.context), envelopes });
  return stageEvidence(capture, followed.terms, {
    channel: widest(followed.state.payload?.channel, channel),
    readable: () => readableRequest(request),
  });
}

function broughtBack(frame: AgentFrame, back: AdkHandoff, request: ModelRequestLike): StageCapture {
  const { followed, call } = back;
  const result = call === undefined ? undefined : lastResponse(request, call.tool);
  const { capture, channel } = read(back, { state: stateOf(frame.context), envelopes: [result, wrapped(result)] });
  return stageEvidence(capture, followed.terms, {
    channel: widest(followed.state.payload?.channel, channel),
    readable: () => readableRequest(request),
  });
}

/** A result that is no object is given to the model as `{ result }`. */
function wrapped(result: unknown): unknown {
  return typeof result === 'object' && result !== null
    ? Object.getOwnPropertyDescriptor(result, 'result')?.value
    : undefined;
}

function readableRequest(request: ModelRequestLike | undefined): readonly unknown[] {
  return [...contentsOf(request).flatMap(readableOf), instructionsOf(request)];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
