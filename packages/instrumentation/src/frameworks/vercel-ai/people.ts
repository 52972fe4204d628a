import { deriveHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { PERSON, personTook } from '../../hooks/people.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { AgentRun } from './run.js';

// From version 6 a tool may need approval: the run ends with a request, and the application calls the agent again with the
// person's response among the messages, in this process or in another one. Both bear the SDK's id of the approval.

const PREFIX = 'vercel-ai';
/** The person's side has no spans, and what an application shows or fills in for a person nobody sees here. */
const UNSEEN = { mayHold: (): boolean => true, rewritten: true };
const SEEN = { mayHold: (): boolean => false, rewritten: false };

/** A person's response to a request for approval. */
export interface Answer {
  readonly approvalId: string;
  readonly data: unknown;
}

/** The responses that the messages of a call bring: those of its last message, as the SDK takes them. */
export function answersIn(options: unknown): readonly Answer[] {
  const messages = [...elements(ownData(options, 'prompt')), ...elements(ownData(options, 'messages'))];
  return elements(ownData(messages.at(-1), 'content')).flatMap((part) => {
    const approvalId = text(ownData(part, 'approvalId'));
    if (ownData(part, 'type') !== 'tool-approval-response' || approvalId === undefined) return [];
    return [{ approvalId, data: { approved: ownData(part, 'approved'), reason: ownData(part, 'reason') } }];
  });
}

/** The run has ended with requests for approval: it hands over to a person, once for each. */
export function asksPerson(run: AgentRun, steps: unknown): void {
  for (const part of elements(ownData(elements(steps).at(-1), 'content'))) {
    const approvalId = text(ownData(part, 'approvalId'));
    if (ownData(part, 'type') !== 'tool-approval-request' || approvalId === undefined) continue;
    // The SDK answers by itself where the application has a rule for the tool.
    if (ownData(part, 'isAutomatic') === true) continue;
    run.asked = true;
    asks(run, approvalId, ownData(ownData(part, 'toolCall'), 'input'));
  }
}

function asks(run: AgentRun, approvalId: string, input: unknown): void {
  const { followed, wiring } = run;
  const handoff = beginHandoff({
    wiring,
    source: run.name,
    target: PERSON,
    prefix: PREFIX,
    idParts: [approvalId, 'ask'],
    task: followed.record.task,
    context: followed.context,
    from: followed.ended ? undefined : followed.record,
    kind: 'agent_to_human',
    mode: 'delegation',
    startTime: followed.now(),
  });
  const { terms } = handoff;
  const secret = wiring.secret();
  const known = readCarriers({ contexts: run.contexts, members: [input], texts: [] }, terms, secret);
  const sent = readCarriers({ contexts: [], members: [input], texts: [] }, terms, secret);
  setSource(handoff, stageEvidence(known, terms, SEEN));
  setPayload(handoff, stageEvidence(sent, terms, UNSEEN), { channel: sent.channel });
  endHandoff(handoff, 'dispatched', { at: followed.now() });
}

/** The run goes on with what a person has answered. */
export function personAnswers(run: AgentRun): void {
  const { answers, followed, wiring } = run;
  run.answers = [];
  for (const { approvalId, data } of answers) {
    const asked = deriveHandoffId(PREFIX, [approvalId, 'ask']);
    personTook(run.followed, { id: asked });
    const handoff = beginHandoff({
      wiring,
      source: PERSON,
      target: run.name,
      prefix: PREFIX,
      idParts: [approvalId, 'answer'],
      task: followed.record.task,
      context: followed.context,
      kind: 'human_to_agent',
      leg: 'return',
      inReplyTo: { id: asked, attempt: 1, execution: 1 },
      startTime: followed.now(),
    });
    const { terms } = handoff;
    const reading = readCarriers({ contexts: [], members: [data], texts: [] }, terms, wiring.secret());
    setSource(handoff, stageEvidence(reading, terms, UNSEEN));
    setPayload(handoff, stageEvidence(reading, terms, UNSEEN), { channel: reading.channel });
    endHandoff(handoff, 'dispatched', { at: followed.now() });
    const arrived = readCarriers({ contexts: run.contexts, members: [data], texts: [] }, terms, wiring.secret());
    ingestBeside(followed, handoff, stageEvidence(arrived, terms, UNSEEN));
  }
}
