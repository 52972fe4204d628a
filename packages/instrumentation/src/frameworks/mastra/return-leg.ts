import { trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import { beginHandoff, endHandoff, type FollowedHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { Delegation } from './delegation.js';
import { structuresOf, textsOf } from './messages.js';
import { otherWays } from '../../capture/other-ways.js';
import { requestMembers } from './request-context.js';
import type { MastraRun } from './run.js';

/** What a delegate gave back, on its way to the model of the agent that asked for it. */
export interface Returned {
  readonly handoff: FollowedHandoff;
  readonly callId: string | undefined;
  /** What the delegate could read as it returned, for finding the values in texts. */
  readonly values: readonly unknown[];
}

/** Members of a delegation tool's result that Mastra writes for every delegate. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  'text',
  'usage',
  'finishReason',
  'ref',
  'subAgentThreadId',
  'subAgentResourceId',
  'subAgentToolResults',
]);

/**
 * The delegate has returned: a handoff of its own, from it to the agent that had called it. Its carriers are the delegate's
 * request context, which Mastra may have copied for it, and members of what it gives back; the answer's text is none.
 */
export function returns(delegation: Delegation, taken: MastraRun, result: unknown): void {
  const { from, handoff: forward, record } = delegation;
  if (forward === undefined) return;
  const { wiring } = from;
  const handoff = beginHandoff({
    wiring,
    source: taken.name,
    target: from.name,
    prefix: 'mastra',
    idParts: [forward.state.id, 'return'],
    execution: record?.execution,
    task: taken.followed.record.task,
    context: trace.setSpan(from.followed.context, taken.followed.span),
    mode: 'delegation',
    leg: 'return',
    inReplyTo: forward.state,
    startTime: from.followed.now(),
  });
  const { terms } = handoff;
  const secret = wiring.secret();
  const given = givenMembers(result);
  const answer = givenMembers(taken.result);
  const produced = readCarriers({ requestContext: taken.requestContext, call: answer }, terms, secret);
  const sent = readCarriers({ requestContext: from.requestContext, call: given }, terms, secret);
  const structures = (): readonly unknown[] => [...taken.results, ...structuresOf(taken.prompt)];
  const texts = (): string[] => textsOfResult(result);
  const seen = requestMembers(taken.requestContext);
  const values = [seen === 'unreadable' ? {} : { ...seen }, answer];
  const source = { ...produced, capture: unite(produced.capture, sent.capture, terms) };
  setSource(handoff, stageEvidence(source, terms, { mayHold: otherWays({ structures, texts }), rewritten: false }));
  const mayHold = otherWays({ structures, texts }, values);
  const { channel } = source;
  setPayload(handoff, stageEvidence({ ...sent, channel }, terms, { mayHold, rewritten: false }), { channel });
  endHandoff(handoff, 'dispatched', { at: from.followed.now() });
  from.returned.push({ handoff, callId: delegation.callId, values });
}

/** The model of the agent that had delegated is called: what it can read of what came back. */
export function returnsAreRead(run: MastraRun, prompt: readonly unknown[]): void {
  for (const { handoff, callId, values } of run.returned.splice(0)) {
    const shown = resultInPrompt(prompt, callId);
    const { terms } = handoff;
    const reading = readCarriers(
      { requestContext: run.requestContext, call: givenMembers(shown) },
      terms,
      run.wiring.secret(),
    );
    const channel = handoff.state.payload?.channel ?? reading.channel;
    const mayHold = otherWays({ structures: () => structuresOf(prompt), texts: () => textsOf(prompt) }, values);
    ingestBeside(run.followed, handoff, stageEvidence({ ...reading, channel }, terms, { mayHold, rewritten: false }));
  }
}

/** The run is over before its model has read what came back. */
export function returnsAreUnread(run: MastraRun, failed: boolean): void {
  for (const { handoff } of run.returned.splice(0)) {
    ingestBeside(run.followed, handoff, unseenStage(failed ? 'error' : 'unsupported'));
  }
}

/** The members of an answer that are the application's: of a structured answer, and beside what Mastra writes. */
function givenMembers(result: unknown): object {
  const members = Object.create(null) as object;
  for (const holder of [result, ownData(result, 'object')]) {
    if (typeof holder !== 'object' || holder === null) continue;
    if (holder === result && ownData(result, 'object') !== undefined) continue;
    for (const name of Object.keys(holder)) {
      const member = Object.getOwnPropertyDescriptor(holder, name);
      if (member !== undefined && !OWN_MEMBERS.has(name)) Object.defineProperty(members, name, member);
    }
  }
  return members;
}

function textsOfResult(result: unknown): string[] {
  return [typeof result === 'string' ? result : text(ownData(result, 'text'))].flatMap((each) => each ?? []);
}

/** What the model is shown as the result of a call: a value, or a text. */
function resultInPrompt(prompt: readonly unknown[], callId: string | undefined): unknown {
  const parts = prompt.flatMap((message) => elements(ownData(message, 'content')));
  const part = parts.find((each) => ownData(each, 'type') === 'tool-result' && ownData(each, 'toolCallId') === callId);
  const output = ownData(part, 'output');
  return ownData(output, 'value') ?? output;
}
