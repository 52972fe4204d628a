import { widest } from '../../capture/channel.js';
import type { HandoffContractError } from '@seamtrace/contracts';
import type { StageCapture } from '../../capture/stage-capture.js';
import type { ContractTerms } from '../../handoff/state.js';
import { ingest } from '../../hooks/ingest.js';
import type { FollowedHandoff } from '../../hooks/handoff.js';
import { ownData } from '../../hooks/own-data.js';
import { readCarriers, stageEvidence } from './carriers.js';
import { conversation, structuresOf, textsOf } from './messages.js';
import { otherWays } from '../../capture/other-ways.js';
import { personAnswers } from './people.js';
import { returnsAreRead } from './return-leg.js';
import type { MastraRun } from './run.js';

/**
 * The run is about to call its model, or a tool without one as after a resume. What it can read at the first such call is
 * the destination evidence. Returns the error with which an enforcing consumer rejects it.
 *
 * @param prompt The messages as they go to the model, after every input processor; `undefined` at a tool call.
 */
export function runReads(
  run: MastraRun,
  prompt: readonly unknown[] | undefined,
  callId?: string,
): HandoffContractError | undefined {
  run.begun = true;
  personAnswers(run, callId, prompt);
  if (prompt !== undefined) {
    run.prompt = prompt;
    returnsAreRead(run, prompt);
  }
  return ingest(run.followed, (terms, handoff) => arrived(run, prompt, terms, handoff));
}

function arrived(
  run: MastraRun,
  prompt: readonly unknown[] | undefined,
  terms: ContractTerms | undefined,
  handoff: FollowedHandoff,
): StageCapture {
  const reading = readCarriers(
    { requestContext: run.requestContext, call: promptMembers(run, prompt) },
    terms,
    run.wiring.secret(),
  );
  const channel = widest(handoff.state.payload?.channel, reading.channel);
  const { delegation } = run;
  const mayHold = otherWays(
    { structures: () => structuresOf(prompt), texts: () => textsOf(prompt) },
    delegation?.sourceValues,
  );
  // After a resume the conversation is Mastra's to restore; a tool that is called first has not shown it.
  return stageEvidence({ ...reading, channel }, terms, { mayHold, rewritten: prompt === undefined });
}

/** What of Mastra's own members has come through to the model. */
function promptMembers(run: MastraRun, prompt: readonly unknown[] | undefined): object {
  const sent = run.delegation?.sent;
  const members: Record<string, unknown> = {};
  if (sent === undefined) return members;
  const texts = textsOf(prompt);
  const { prompt: asked, instructions } = sent;
  const talk = conversation(prompt);
  if (asked !== undefined && texts.some((each) => each.includes(asked))) members.prompt = asked;
  if (instructions !== undefined && texts.some((each) => each.includes(instructions)))
    members.instructions = instructions;
  if (sent.maxSteps !== undefined) members.maxSteps = sent.maxSteps;
  const others = talk.filter((message) => !textsOf([message]).includes(asked ?? ''));
  if (others.length > 0) members.messages = others.map((message) => ({ role: ownData(message, 'role') }));
  return members;
}
