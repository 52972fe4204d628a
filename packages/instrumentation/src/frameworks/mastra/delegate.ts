import { widest } from '../../capture/channel.js';
import { randomUUID } from 'node:crypto';
import { types } from 'node:util';
import { unseenStage } from '../../capture/stage-capture.js';
import { deriveHandoffId } from '../../handoff/id.js';
import { beginHandoff, endHandoff, type FollowedHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { namesOf, routeNames } from './agent-names.js';
import { type CarrierReading, readCarriers, stageEvidence } from './carriers.js';
import type { Delegation, DelegationTarget, SentMembers } from './delegation.js';
import type { AgentLike } from './internal-types.js';
import { conversation, structuresOf, textsOf } from './messages.js';
import { otherWays } from '../../capture/other-ways.js';
import type { CallRecord, MastraRun } from './run.js';
import { requestMembers } from './request-context.js';
import type { ToolCall } from '../../hooks/tool-call.js';

/** A tool is called that may hand over to another agent. */
export interface CallStart {
  readonly to: DelegationTarget | undefined;
  readonly args: unknown;
  /** The options that Mastra gives to the tool. */
  readonly options: unknown;
  readonly tool?: ToolCall | undefined;
  readonly hooked: boolean;
}

/** Begins to follow a tool call; the handoff of a delegation tool begins with it. */
export function callStarts(run: MastraRun, { to, args, options, tool, hooked }: CallStart): Delegation {
  const callId = text(ownData(options, 'toolCallId'));
  const members = requestMembers(run.requestContext);
  const delegation: Delegation = {
    from: run,
    to,
    callId,
    args,
    prompt: run.prompt,
    messages: ownData(options, 'messages'),
    record: to === undefined ? undefined : recordCall(run, callId, ownData(options, 'resumeData') !== undefined),
    sourceValues: members === 'unreadable' ? [args] : [{ ...members }, args],
    tool,
    hooked,
    handoff: undefined,
    reading: undefined,
    sent: undefined,
    taken: undefined,
    spawned: [],
  };
  if (to !== undefined) begin(delegation, to.key, to.agent);
  return delegation;
}

/** An agent begins inside a tool of the application's: the agent that called the tool hands over to it. */
export function agentCalled(call: Delegation, agent: AgentLike): Delegation {
  const delegation: Delegation = { ...call, spawned: [] };
  call.spawned.push(delegation);
  begin(delegation, undefined, agent, call.spawned.length);
  return delegation;
}

function begin(delegation: Delegation, key: string | undefined, agent: AgentLike | undefined, nth = 0): void {
  const { from, record, callId } = delegation;
  const contracts = from.wiring.contracts();
  const names = routeNames(key, namesOf(agent), contracts);
  // One agent that calls itself hands nothing over.
  if (names === undefined || agent === from.agent) return;
  const parallel = record?.parallel === true || [...from.open].some((other) => other.handoff !== undefined);
  if (record !== undefined) record.parallel = parallel;
  const idParts = [
    from.runId,
    callId ?? randomUUID(),
    ...(record === undefined ? [names.target, nth] : record.ordinal > 0 ? [record.ordinal] : []),
  ];
  const handoff = beginHandoff({
    wiring: from.wiring,
    source: from.name,
    target: names.target,
    prefix: 'mastra',
    idParts,
    execution: record?.execution,
    task: from.followed.record.task,
    subtaskId: parallel ? deriveHandoffId('mastra-task', idParts) : undefined,
    context: (delegation.tool ?? from.followed).context,
    from: from.followed.ended ? undefined : from.followed.record,
    mode: 'delegation',
    startTime: from.followed.now(),
  });
  delegation.handoff = handoff;
  from.open.add(delegation);
  const secret = from.wiring.secret();
  const reading = readCarriers(
    { requestContext: from.requestContext, call: withMessages(delegation.args, conversation(delegation.prompt)) },
    handoff.terms,
    secret,
  );
  delegation.reading = reading;
  setSource(
    handoff,
    stageEvidence(reading, handoff.terms, { mayHold: otherWays(sourceSeen(delegation)), rewritten: false }),
  );
}

/** What an agent is called with. */
export interface AgentCall {
  /** `undefined` where a run is resumed: Mastra restores its messages. */
  readonly input: unknown;
  readonly options: unknown;
  readonly resumed: unknown;
}

/** The agent that the call leads to is called: what it is called with is all that it can receive. */
export function agentReceives(delegation: Delegation, handoff: FollowedHandoff, call: AgentCall): void {
  const { from } = delegation;
  const context = ownData(call.options, 'context');
  const sent = sentMembers(call);
  delegation.sent = sent;
  const earlier = [...elements(context), ...elements(call.input).slice(0, -1)];
  const reading = readCarriers(
    { requestContext: ownData(call.options, 'requestContext'), call: withMessages(sent, earlier) },
    handoff.terms,
    from.wiring.secret(),
  );
  const texts = (): string[] => [
    ...textsOf(call.input),
    ...textsOf(context),
    ...textsOf(ownData(call.options, 'instructions')),
  ];
  const mayHold = otherWays(
    {
      structures: () => [...sourceSeen(delegation).structures(), ...structuresOf(call.input), ...structuresOf(context)],
      texts,
    },
    delegation.sourceValues,
  );
  pack(delegation, handoff, reading, {
    mayHold,
    rewritten: call.resumed !== undefined || isRewritten(delegation, call),
  });
}

/** No agent of Mastra's was called: what would have been sent is what the source had, if nothing could change it. */
export function assumePayload(delegation: Delegation, handoff: FollowedHandoff): void {
  if (delegation.hooked)
    return setPayload(handoff, unseenStage('unsupported'), { channel: handoff.state.payload?.channel });
  const { from, args } = delegation;
  const call = {
    prompt: ownData(args, 'prompt'),
    instructions: ownData(args, 'instructions'),
    maxSteps: ownData(args, 'maxSteps'),
  };
  const reading = readCarriers(
    { requestContext: from.requestContext, call: withMessages(call, elements(delegation.messages)) },
    handoff.terms,
    from.wiring.secret(),
  );
  const texts = (): string[] => [
    ...textsOf(call.prompt),
    ...textsOf(call.instructions),
    ...textsOf(delegation.messages),
  ];
  const structures = (): readonly unknown[] => sourceSeen(delegation).structures();
  pack(delegation, handoff, reading, {
    mayHold: otherWays({ structures, texts }, delegation.sourceValues),
    rewritten: false,
  });
}

function pack(
  delegation: Delegation,
  handoff: FollowedHandoff,
  { capture, channel }: CarrierReading,
  ways: Parameters<typeof stageEvidence>[2],
): void {
  const known = widest(delegation.reading?.channel, channel);
  const reading = { capture, channel: known };
  setPayload(handoff, stageEvidence(reading, handoff.terms, ways), { channel: known });
}

/** The call is over for the source: its handoff is on record as what became of it. */
export function callEnds(
  delegation: Delegation,
  outcome: 'dispatched' | 'dropped' | 'prevented',
  errorType?: string,
): void {
  const { handoff, from } = delegation;
  from.open.delete(delegation);
  if (handoff === undefined || handoff.outcome !== undefined) return;
  if (handoff.state.payloadCapture === undefined) assumePayload(delegation, handoff);
  endHandoff(handoff, outcome, { at: from.followed.now(), errorType });
}

/** What the model of the source had read besides the carriers. */
function sourceSeen({ from, prompt, args }: Delegation): { structures: () => unknown[]; texts: () => string[] } {
  return {
    structures: () => [...from.results, ...structuresOf(prompt)],
    // What the model wrote for the other agent to read may quote what no carrier holds.
    texts: () => [...textsOf(ownData(args, 'prompt')), ...textsOf(ownData(args, 'instructions'))],
  };
}

/** What an agent is called with, as members: those of Mastra's own. */
function sentMembers({ input, options }: AgentCall): SentMembers {
  const last = typeof input === 'string' ? input : elements(input).slice(-1);
  return {
    prompt: textsOf(last)[0],
    instructions: text(ownData(options, 'instructions')),
    maxSteps: ownData(options, 'maxSteps'),
  };
}

function withMessages(members: unknown, messages: readonly unknown[]): unknown {
  if (typeof members !== 'object' || members === null || types.isProxy(members) || messages.length === 0)
    return members;
  const copy = Object.create(null) as object;
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(members));
  Object.defineProperty(copy, 'messages', { value: messages, enumerable: true, configurable: true });
  return copy;
}

/** Whether anything that is sent as text was written by other hands than the model's. */
function isRewritten(delegation: Delegation, { input, options }: AgentCall): boolean {
  const { args, messages, prompt, to } = delegation;
  const written = new Set([...textsOf(prompt), ...textsOf(messages), ...argumentTexts(args)]);
  const own = to === undefined ? textsOf(ownData(options, 'instructions')) : [];
  return [...textsOf(input), ...textsOf(ownData(options, 'context')), ...own].some((each) => !written.has(each));
}

function argumentTexts(args: unknown): string[] {
  if (typeof args !== 'object' || args === null) return [];
  return Object.keys(args).flatMap((name) => text(ownData(args, name)) ?? []);
}

function recordCall(run: MastraRun, callId: string | undefined, resumed: boolean): CallRecord {
  const known = callId === undefined ? undefined : run.calls.get(callId);
  const same = known !== undefined && (known.again || resumed);
  const record: CallRecord = {
    ordinal: known === undefined ? 0 : same ? known.ordinal : known.ordinal + 1,
    // Executed again: the id stays, and the lowest execution with whole evidence counts.
    execution: same ? known.execution + 1 : resumed ? 2 : 1,
    parallel: same && known.parallel,
    again: false,
  };
  if (callId !== undefined) run.calls.set(callId, record);
  return record;
}
