import { trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { unite } from '../../capture/unite.js';
import { beginHandoff, endHandoff, type FollowedHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData } from '../../hooks/own-data.js';
import { type CarrierReading, jsonObject, readCarriers, recordOfText, stageEvidence } from './carriers.js';
import { resultOf } from './messages.js';
import { otherWays } from './other-ways.js';
import type { AgentRun, Delegation } from './run.js';

/** What a delegate gave back, on its way to the model of the agent that had asked for it. */
export interface Returned {
  readonly handoff: FollowedHandoff;
  readonly callId: string | undefined;
  /** What the tool gave back. */
  readonly value: unknown;
}

/**
 * The tool in which the delegate worked has given its result: a handoff of its own, from the delegate to the agent that
 * had called it. The source is the delegate's answer, the payload is what the tool made of it.
 */
export function delegateReturns(delegation: Delegation, result: unknown): void {
  const { run, work, handoff: forward } = delegation;
  // A delegate that waits for a person has given no answer.
  if (run === undefined || run.asked || work.from.followed.ended) return;
  const { from } = work;
  const handoff = beginHandoff({
    wiring: from.wiring,
    source: run.name,
    target: from.name,
    prefix: 'vercel-ai',
    idParts: [forward.state.id, 'return'],
    attempt: forward.state.attempt,
    task: run.followed.record.task,
    context: trace.setSpan(work.call.context, run.followed.span),
    mode: 'delegation',
    leg: 'return',
    inReplyTo: forward.state,
    startTime: from.followed.now(),
  });
  const { terms } = handoff;
  const answer = answerOf(delegation.steps);
  const sent = readValue(result, [answer], handoff);
  const answered = typeof answer === 'object' ? readValue(answer, [], handoff) : undefined;
  setSource(
    handoff,
    answered === undefined
      ? unseenStage('unsupported')
      : stageEvidence({ ...answered, capture: unite(answered.capture, sent.capture, terms) }, terms, KNOWN),
  );
  const mayHold = otherWays({ structures: [result], texts: typeof result === 'string' ? [result] : [] }, [answer]);
  setPayload(handoff, stageEvidence(sent, terms, { mayHold, rewritten: false }), { channel: sent.channel });
  endHandoff(handoff, 'dispatched', { at: from.followed.now() });
  from.returned.push({ handoff, callId: work.call.callId, value: result });
}

/** The model of the agent that had delegated is called: what it can read of what came back. */
export function returnsAreRead(run: AgentRun, prompt: readonly unknown[]): void {
  for (const { handoff, callId, value } of run.returned.splice(0)) {
    const shown = resultOf(prompt, callId);
    const reading = readValue(shown, [value], handoff);
    const mayHold = otherWays({ structures: [shown], texts: typeof shown === 'string' ? [shown] : [] }, [value]);
    const channel = handoff.state.payload?.channel ?? reading.channel;
    ingestBeside(
      run.followed,
      handoff,
      stageEvidence({ ...reading, channel }, handoff.terms, {
        mayHold,
        // Another text than the one that was given was written on the way, by `toModelOutput`.
        rewritten: typeof shown === 'string' && shown !== value && jsonObject(shown) === undefined,
      }),
    );
  }
}

/** The run is over before its model has read what came back. */
export function returnsAreUnread(run: AgentRun, failed: boolean): void {
  for (const { handoff } of run.returned.splice(0)) {
    ingestBeside(run.followed, handoff, unseenStage(failed ? 'error' : 'unsupported'));
  }
}

const KNOWN = { mayHold: (): boolean => false, rewritten: false };

function readValue(value: unknown, values: readonly unknown[], { terms, wiring }: FollowedHandoff): CarrierReading {
  const texts = typeof value === 'string' ? [{ text: value, record: recordOfText(value, values) }] : [];
  const members = typeof value === 'string' ? [] : [value];
  return readCarriers({ contexts: [], members, texts }, terms, wiring.secret());
}

/** The answer of a delegate where it is JSON: the text of its last step. `undefined` for a free text. */
function answerOf(steps: unknown): object | undefined {
  const last = elements(steps).at(-1);
  const texts = elements(ownData(last, 'content')).flatMap((part) => {
    const text = ownData(part, 'type') === 'text' ? ownData(part, 'text') : undefined;
    return typeof text === 'string' ? [text] : [];
  });
  return jsonObject(texts.join(''));
}
