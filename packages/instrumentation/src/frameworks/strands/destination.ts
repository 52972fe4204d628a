import { widest } from '../../capture/channel.js';
import type { HandoffContractError } from '@seamtrace/contracts';
import { type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { ingest, ingestBeside } from '../../hooks/ingest.js';
import { ownData } from '../../hooks/own-data.js';
import { stageEvidence } from '../../hooks/stage-carriers.js';
import { givenContext, read, readableIn, resultOf, textsOf } from './carriers.js';
import type { AgentFrame, StrandsHandoff } from './scope.js';

/**
 * An agent's model is about to be called: what it is given now is the destination evidence of what started the agent.
 * Returns the error with which an enforcing consumer rejects it.
 */
export function modelStarts(
  frame: AgentFrame,
  messages: readonly unknown[],
  options: unknown,
  shared: unknown,
): HandoffContractError | undefined {
  frame.shared = shared;
  frame.messages = [...messages];
  for (const { handoff, toolUseId } of frame.returns.splice(0)) {
    ingestBeside(frame.run, handoff.followed, arrived(frame, handoff, resultOf(messages, toolUseId), options));
  }
  return ingest(frame.run, () => {
    const { handoff } = frame;
    return handoff === undefined
      ? unseenStage('unsupported')
      : arrived(frame, handoff, stillGiven(handoff, messages), options);
  });
}

/** What a delegate brought back and its caller's model was never given. */
export function returnsUnseen(frame: AgentFrame): void {
  for (const { handoff } of frame.returns.splice(0)) {
    if (handoff.followed.outcome === 'dispatched')
      ingestBeside(frame.run, handoff.followed, unseenStage('unsupported'));
  }
}

function arrived(
  frame: AgentFrame,
  { followed }: StrandsHandoff,
  envelopes: readonly unknown[],
  options: unknown,
): StageCapture {
  const { capture, channel } = read(followed.wiring, followed.terms, frame.shared, envelopes);
  return stageEvidence(capture, followed.terms, {
    channel: widest(followed.state.payload?.channel, channel),
    readable: () => [...readableIn(frame.messages), ownData(options, 'systemPrompt')],
  });
}

/** Of what was sent, what stands in the messages that the model is given. */
function stillGiven({ sent, followed }: StrandsHandoff, messages: readonly unknown[]): readonly unknown[] {
  const texts = textsOf(messages);
  if (followed.state.mode !== 'transfer') return texts;
  return [givenContext(texts), ...sent.filter((each) => typeof each === 'string' && texts.includes(each))];
}
