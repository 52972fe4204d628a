import type { StageCapture } from '../../capture/stage-capture.js';
import { deriveHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { ownData, text } from '../../hooks/own-data.js';
import { PERSON, personTook } from '../../hooks/people.js';
import { type CarrierReading, readCarriers, stageEvidence } from '../../hooks/stage-carriers.js';
import type { AgentFrame } from './agent-frame.js';
import { sessionIdOf, stateOf } from './handoff-flow.js';
import { callsIn, userEventsOf } from './history.js';

// A tool that waits for a person, to be approved or to be told something, makes the framework end the invocation with a
// call of a function of its own. The answer to that call comes as the message of a later invocation, in this process or
// in another one: the ids are made of the session and the call.

const PREFIX = 'adk';
const QUESTIONS: ReadonlySet<unknown> = new Set(['adk_request_confirmation', 'adk_request_input']);

/** An event of the agent's asks a person. */
export function asksPerson(frame: AgentFrame, event: unknown): void {
  for (const call of callsIn(event, 'functionCall')) {
    const id = text(ownData(call, 'id'));
    if (!QUESTIONS.has(ownData(call, 'name')) || id === undefined) continue;
    const { run } = frame;
    const handoff = beginHandoff({
      wiring: run.wiring,
      source: frame.name,
      target: PERSON,
      prefix: PREFIX,
      idParts: [sessionIdOf(frame.context) ?? '', id, 'ask'],
      task: run.record.task,
      context: run.context,
      from: run.record,
      kind: 'agent_to_human',
      mode: 'delegation',
    });
    const args = ownData(call, 'args');
    const confirmation = ownData(args, 'toolConfirmation');
    const original = ownData(ownData(args, 'originalFunctionCall'), 'args');
    const shown = [original ?? args, ownData(confirmation, 'payload'), ownData(args, 'payload')];
    const read = (state: unknown): CarrierReading =>
      readCarriers({ state, envelopes: shown }, handoff.terms, run.wiring.secret());
    const [known, sent] = [read(stateOf(frame.context)), read(undefined)];
    const evidence = ({ capture }: CarrierReading): StageCapture =>
      stageEvidence(capture, handoff.terms, { channel: known.channel, readable: () => shown });
    setSource(handoff, evidence(known));
    // What an application shows of the question nobody sees here: it may add of the state what it likes.
    setPayload(handoff, uncertain(evidence(sent)), { channel: sent.channel });
    endHandoff(handoff, 'dispatched');
  }
}

/** The first work of an invocation that began with answers of a person: they are read by now. */
export function personAnswers(frame: AgentFrame): void {
  const { invocation, context, invocationId, run } = frame;
  if (invocation.answered) return;
  invocation.answered = true;
  for (const answer of userEventsOf(context.session, invocationId).flatMap((event) =>
    callsIn(event, 'functionResponse'),
  )) {
    const callId = text(ownData(answer, 'id'));
    if (!QUESTIONS.has(ownData(answer, 'name')) || callId === undefined) continue;
    const asked = deriveHandoffId(PREFIX, [sessionIdOf(context) ?? '', callId, 'ask']);
    personTook(frame.run, { id: asked });
    const handoff = beginHandoff({
      wiring: run.wiring,
      source: PERSON,
      target: frame.name,
      prefix: PREFIX,
      idParts: [sessionIdOf(context) ?? '', callId, 'answer'],
      task: run.record.task,
      context: run.context,
      kind: 'human_to_agent',
      leg: 'return',
      inReplyTo: { id: asked, attempt: 1, execution: 1 },
    });
    const response = ownData(answer, 'response');
    const said = [response, ownData(response, 'payload'), ownData(response, 'response'), ownData(response, 'result')];
    const read = (state: unknown): StageCapture => {
      const { capture, channel } = readCarriers({ state, envelopes: said }, handoff.terms, run.wiring.secret());
      return stageEvidence(capture, handoff.terms, { channel, readable: () => said });
    };
    setSource(handoff, read(undefined));
    setPayload(handoff, read(undefined), { channel: 'envelope' });
    endHandoff(handoff, 'dispatched');
    ingestBeside(run, handoff, read(stateOf(context)));
  }
}

function uncertain(capture: StageCapture): StageCapture {
  const { keys } = capture;
  return keys.complete ? { ...capture, keys: { ...keys, complete: false, incompleteReason: 'unsupported' } } : capture;
}
