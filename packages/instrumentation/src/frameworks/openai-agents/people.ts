import { trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { deriveHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ingestBeside } from '../../hooks/ingest.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { PERSON, personTook } from '../../hooks/people.js';
import { noteDispatched, runOf } from '../../processor/run.js';
import type { AgentRun } from './agent-run.js';
import { readCarriers, stageEvidence } from './carriers.js';
import type { RunStateLike } from './internal-types.js';
import { workingAgent } from './return-leg.js';

// A tool that needs approval interrupts the run: the agent hands over to a person. Going on with the state, in this process
// or, after `RunState.fromString`, in another one, brings the person's decision back.

const PREFIX = 'oai';
/** What the application shows to the person, and what it does with the answer, nobody sees here. */
const UNSEEN = { hidden: true, seenByModel: { mention: () => true } };

/** The run is interrupted: each call that waits for a decision is a question of the agent at work to a person. */
export function asksPeople(run: AgentRun, state: RunStateLike | undefined): void {
  const { turn, wiring, memory } = run;
  if (turn === undefined) return;
  for (const { callId, args, agent } of questions(state)) {
    // The question of an agent that is run as a tool interrupts the run around it, too.
    if (agent !== turn.name) continue;
    const handoff = beginHandoff({
      wiring,
      source: turn.name,
      target: PERSON,
      prefix: PREFIX,
      idParts: [...scopeOf(run, state), callId, 'ask'],
      task: memory.task,
      context: trace.setSpan(run.baseContext, turn.span),
      kind: 'agent_to_human',
      mode: 'delegation',
      startTime: run.now(),
    });
    const { terms } = handoff;
    const context = ownData(ownData(state, '_context'), 'context');
    const reading = readCarriers({ context, args, tools: undefined }, terms, wiring.secret());
    const shown = readCarriers({ context: undefined, args, tools: undefined }, terms, wiring.secret());
    setSource(handoff, stageEvidence(reading.capture, terms, { ...UNSEEN, channel: reading.channel }));
    setPayload(handoff, stageEvidence(shown.capture, terms, { ...UNSEEN, channel: shown.channel }), {
      channel: shown.channel,
    });
    endHandoff(handoff, 'dispatched', { at: run.now() });
    noteDispatched(runOf(turn.span, turn.parentContext), handoff.state.id);
  }
}

/** A run goes on from a state in which people were asked: what they have decided came from them to the agent that asked. */
export function peopleAnswer(run: AgentRun, resumed: RunStateLike): void {
  const { turn, wiring, memory } = run;
  const agent = workingAgent(run);
  if (turn === undefined || agent === undefined) return;
  for (const question of questions(resumed)) {
    if (question.agent !== turn.name || decisionOn(resumed, question) === undefined) continue;
    const scope = scopeOf(run, resumed);
    const id = deriveHandoffId(PREFIX, [...scope, question.callId, 'ask']);
    const { identity: task, correlationId } = memory.task;
    const [source, target] = [{ name: turn.name }, { name: PERSON }];
    personTook(agent, { id, source, target, mode: 'delegation', task, correlationId });
    const handoff = beginHandoff({
      wiring,
      source: PERSON,
      target: turn.name,
      prefix: PREFIX,
      idParts: [...scope, question.callId, 'answer'],
      task: memory.task,
      context: agent.context,
      kind: 'human_to_agent',
      leg: 'return',
      inReplyTo: { id, attempt: 1, execution: 1, hop: memory.task.hop },
      startTime: run.now(),
    });
    // A decision has no members; what else the person said, the application knows.
    setSource(handoff, unseenStage('unsupported'));
    setPayload(handoff, unseenStage('unsupported'), { channel: 'text' });
    endHandoff(handoff, 'dispatched', { at: run.now() });
    ingestBeside(agent, handoff, unseenStage('unsupported'));
  }
}

interface Question {
  readonly callId: string;
  readonly toolName: string | undefined;
  readonly args: string | undefined;
  readonly agent: string | undefined;
  readonly item: unknown;
}

function questions(state: RunStateLike | undefined): Question[] {
  const step = state?._currentStep;
  if (step?.type !== 'next_step_interruption') return [];
  return elements(ownData(ownData(step, 'data'), 'interruptions')).flatMap((item) => {
    const rawItem = ownData(item, 'rawItem');
    const callId = text(ownData(rawItem, 'callId'));
    if (callId === undefined) return [];
    const agent = text(ownData(ownData(item, 'agent'), 'name'));
    const toolName = text(ownData(item, 'toolName')) ?? text(ownData(rawItem, 'name'));
    return [{ callId, toolName, args: text(ownData(rawItem, 'arguments')), agent, item }];
  });
}

/** The SDK's own answer: approved, rejected, or `undefined` while nobody has decided. */
function decisionOn(state: RunStateLike, { toolName, callId, item }: Question): boolean | undefined {
  const context = ownData(state, '_context') as
    { readonly isToolApproved?: (of: object) => boolean | undefined } | undefined;
  if (typeof context?.isToolApproved !== 'function' || toolName === undefined) return undefined;
  return (
    context.isToolApproved({ toolName, callId, agent: ownData(item, 'agent') }) ??
    context.isToolApproved({ toolName, callId })
  );
}

const TRACE_ID = /^trace_[A-Za-z0-9]{8,}$/;

/** What a call id is unique in: the SDK's trace, which a serialised state keeps, else this process's memory of the run. */
function scopeOf({ memory }: AgentRun, state: RunStateLike | undefined): readonly string[] {
  const traceId = text(ownData(ownData(state, '_trace'), 'traceId'));
  return traceId !== undefined && TRACE_ID.test(traceId) ? [traceId] : [memory.nonce];
}
