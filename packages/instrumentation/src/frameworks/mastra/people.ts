import { deriveHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { PERSON, personTook } from '../../hooks/people.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { MastraRun } from './run.js';

// A run is suspended where a tool call waits for a person: to be approved, or for what the tool asks for. The person's
// answer comes with the call that resumes the run, in this process or in another one.

const PREFIX = 'mastra';
/** The person's side has no spans, and what an application shows or fills in for a person nobody sees here. */
const UNSEEN = { mayHold: () => true, rewritten: true };

/** The run is suspended by one of its own tools: it hands over to a person. */
export function asksPerson(run: MastraRun, suspended: unknown): void {
  const callId = text(ownData(suspended, 'toolCallId'));
  const tool = text(ownData(suspended, 'toolName'));
  // Behind a delegation tool another agent has asked.
  if (run.asked || callId === undefined || tool === undefined || run.agentTools.has(tool)) return;
  run.asked = true;
  const { followed, wiring } = run;
  const handoff = beginHandoff({
    wiring,
    source: run.name,
    target: PERSON,
    prefix: PREFIX,
    idParts: [run.runId, callId, 'ask'],
    task: followed.record.task,
    context: followed.context,
    from: followed.ended ? undefined : followed.record,
    kind: 'agent_to_human',
    mode: 'delegation',
    startTime: followed.now(),
  });
  const { terms } = handoff;
  const secret = wiring.secret();
  const shown = ownData(suspended, 'suspendPayload') ?? ownData(suspended, 'args');
  const known = readCarriers({ requestContext: run.requestContext, call: shown }, terms, secret);
  const sent = readCarriers({ requestContext: undefined, call: shown }, terms, secret);
  setSource(handoff, stageEvidence(known, terms, { ...UNSEEN, rewritten: false, mayHold: () => false }));
  setPayload(handoff, stageEvidence(sent, terms, UNSEEN), { channel: sent.channel });
  endHandoff(handoff, 'dispatched', { at: followed.now() });
}

/**
 * The run that had asked goes on with the answer. Which call was meant is known from the call that resumed it, from the
 * tool that is executed now, or from the last result that the model is shown.
 */
export function personAnswers(
  run: MastraRun,
  callId: string | undefined,
  prompt: readonly unknown[] | undefined,
): void {
  const { answer } = run;
  if (answer === undefined) return;
  run.answer = undefined;
  const { followed, wiring } = run;
  const meant = answer.callId ?? callId ?? lastResult(prompt);
  const asked = meant === undefined ? undefined : deriveHandoffId(PREFIX, [run.runId, meant, 'ask']);
  if (asked !== undefined) personTook(run.followed, { id: asked });
  const handoff = beginHandoff({
    wiring,
    source: PERSON,
    target: run.name,
    prefix: PREFIX,
    idParts: [run.runId, meant ?? '', 'answer'],
    task: followed.record.task,
    context: followed.context,
    kind: 'human_to_agent',
    leg: 'return',
    inReplyTo: asked === undefined ? undefined : { id: asked, attempt: 1, execution: 1 },
    startTime: followed.now(),
  });
  const { terms } = handoff;
  const reading = readCarriers({ requestContext: undefined, call: answer.data }, terms, wiring.secret());
  setSource(handoff, stageEvidence(reading, terms, UNSEEN));
  setPayload(handoff, stageEvidence(reading, terms, UNSEEN), { channel: reading.channel });
  endHandoff(handoff, 'dispatched', { at: followed.now() });
  const arrived = readCarriers({ requestContext: run.requestContext, call: answer.data }, terms, wiring.secret());
  ingestBeside(followed, handoff, stageEvidence(arrived, terms, UNSEEN));
}

function lastResult(prompt: readonly unknown[] | undefined): string | undefined {
  const parts = (prompt ?? []).flatMap((message) => elements(ownData(message, 'content')));
  const last = parts.filter((part) => ownData(part, 'type') === 'tool-result').at(-1);
  return text(ownData(last, 'toolCallId'));
}
