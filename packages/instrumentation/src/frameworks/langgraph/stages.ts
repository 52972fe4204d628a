import type { PayloadChannel } from '@seamtrace/semconv';
import { payloadSize } from '../../capture/payload-size.js';
import { captureStage, type StageCapture, unseenStage } from '../../capture/stage-capture.js';
import { type FollowedHandoff, setPayload, setSource } from '../../hooks/handoff.js';
import { ownData } from '../../hooks/own-data.js';
import {
  argumentsIn,
  type Carriers,
  carriesKeys,
  holdsMembers,
  isBookkeeping,
  readCarriers,
  rewritten,
  runtimeContext,
  stageEvidence,
} from './carriers.js';
import { commandOf, type TransferRequest } from './transfers.js';
import type { GraphRun, NodeRun, Origin, ToolRun } from './runs.js';
import { type GraphState, readState, stateChannels } from './state.js';

/** How a handoff moves keys. Kept for the stages that follow. */
interface Way {
  readonly channel: PayloadChannel;
}

const ways = new WeakMap<FollowedHandoff, Way>();
const sources = new WeakMap<
  FollowedHandoff,
  { readonly capture: StageCapture | undefined; readonly declares: boolean }
>();

/**
 * What the producer could read as it handed over: its input and the state of its own graph, what it wrote itself and what
 * steps on the way wrote after it, and what its model put into the transfer's call.
 *
 * @param sent The input that it made for the target, where it sends for it.
 */
export function concludeSource(
  handoff: FollowedHandoff,
  origin: Origin,
  request: TransferRequest | undefined,
  sent?: unknown,
): void {
  const { node, via } = origin;
  const { terms, wiring } = handoff;
  const inner = request?.state ?? node.innerState;
  const values: unknown[] = [node.task.input, inner?.values, sent, runtimeContext(node.task.config, terms)];
  for (const each of [node, ...via]) values.push(...written(each));
  if (request !== undefined) values.push(request.args, ...updates(request.command.update));
  // What other tools gave back in the turn of a transfer is dropped with it, so only here it still counts.
  if (request !== undefined) values.push(...node.results);
  const carriers: Carriers = {
    values,
    messages: [ownData(node.task.input, 'messages'), inner?.values['messages']],
    whole: inner?.whole ?? true,
    hidden: node.remembered,
  };
  const capture = readCarriers(carriers, terms, wiring.secret());
  const declares = declaresState(node.graphRun);
  sources.set(handoff, { capture, declares });
  setSource(handoff, stageEvidence(capture, terms, carriers, !declares && !carriesKeys(capture)));
}

/** All that the target can receive: the graph's state after every write, or the input that it was sent. */
export function concludePayload(
  handoff: FollowedHandoff,
  node: NodeRun | undefined,
  request: TransferRequest | undefined,
  graphRun: GraphRun = (node as NodeRun).graphRun,
): void {
  const { terms, wiring } = handoff;
  const sent = node?.sent === true;
  const state = readState(graphRun.graph, graphRun.loop);
  const shared: unknown = sent ? node.task.input : state.values;
  // A transfer that never ran would have found the state with its own update.
  const update = node === undefined ? updates(request?.command.update) : [];
  const messages = [ownData(shared, 'messages'), ...update.map((each) => ownData(each, 'messages'))];
  const args = messages.map((list) => argumentsIn(list, request?.callId)).find((found) => found !== undefined);
  const config = node?.task.config ?? graphRun.loop.config;
  const carriers: Carriers = {
    values: [shared, ...update, runtimeContext(config, terms), args],
    messages,
    whole: sent || state.whole,
  };
  const capture = readCarriers(carriers, terms, wiring.secret());
  const source = sources.get(handoff);
  const inState = !sent && carriesKeys(readCarriers({ ...carriers, values: [shared] }, terms, undefined));
  const emptied = carriesKeys(source?.capture);
  const channel = channelOf({
    sent,
    inState: inState || source?.declares === true,
    carried: carriesKeys(capture),
    emptied,
  });
  ways.set(handoff, { channel });
  setPayload(handoff, stageEvidence(capture, terms, carriers, channel === 'text'), {
    channel,
    size: sent ? payloadSize(shared) : undefined,
  });
}

interface ChannelFacts {
  readonly sent: boolean;
  /** The state has keys, or a place for them. */
  readonly inState: boolean;
  readonly carried: boolean;
  /** The producer had keys: a carrier that was emptied on the way is still one. */
  readonly emptied: boolean;
}

function channelOf({ sent, inState, carried, emptied }: ChannelFacts): PayloadChannel {
  if (sent) return carried || emptied ? 'envelope' : 'text';
  if (inState) return 'shared_state';
  if (carried) return 'envelope';
  return emptied ? 'shared_state' : 'text';
}

/** What the agent can read before its own first write. */
export function destinationOf(
  handoff: FollowedHandoff,
  view: { readonly values: unknown; readonly whole: boolean; readonly hidden: boolean },
  config: NodeRun['task']['config'],
  callId: string | undefined,
): StageCapture {
  const { terms, wiring } = handoff;
  const messages = ownData(view.values, 'messages');
  const carriers: Carriers = {
    values: [view.values, runtimeContext(config, terms), argumentsIn(messages, callId)],
    messages: [messages],
    whole: view.whole,
    hidden: view.hidden,
  };
  const capture = readCarriers(carriers, terms, wiring.secret());
  return stageEvidence(capture, terms, carriers, ways.get(handoff)?.channel === 'text' && !carriesKeys(capture));
}

/** A question to a person: what the agent could read as it asked, and what the person is given. */
export function concludeQuestion(handoff: FollowedHandoff, node: NodeRun, value: unknown): void {
  const { terms, wiring } = handoff;
  const { graphRun, task } = node;
  const state = readState(graphRun.graph, graphRun.loop);
  const carriers: Carriers = {
    values: [task.input, state.values, value, runtimeContext(task.config, terms)],
    messages: [state.values['messages']],
    whole: state.whole,
  };
  const source = readCarriers(carriers, terms, wiring.secret());
  setSource(handoff, stageEvidence(source, terms, carriers, !carriesKeys(source) && !declaresState(graphRun)));
  const given = holdsMembers(value);
  setPayload(handoff, given ? captureStage(value, terms, wiring.secret()) : unseenStage('unsupported'), {
    channel: given ? 'envelope' : 'text',
    size: payloadSize(value),
  });
}

/** The source and payload of a delegation by a tool call: the caller's state and the call, and the delegate's input. */
export function concludeDelegation(handoff: FollowedHandoff, graphRun: GraphRun, tool: ToolRun): void {
  const { terms, wiring } = handoff;
  const above = readState(tool.graphRun.graph, tool.graphRun.loop);
  const context = runtimeContext(tool.graphRun.loop.config, terms);
  const { input, config } = graphRun.loop;
  const messages = ownData(input, 'messages');
  const goesOn = !holdsMembers(input) || commandOf(input) !== undefined;
  const given = [goesOn ? undefined : input, runtimeContext(config, terms)];
  const from: Carriers = {
    // What the tool looked up for its delegate, the producer can read when it hands over.
    values: [above.values, tool.node?.task.input, tool.args, context, ...given],
    messages: [above.values['messages'], messages],
    whole: above.whole,
  };
  const source = readCarriers(from, terms, wiring.secret());
  const declares = declaresState(tool.graphRun);
  const had = declares || carriesKeys(source);
  setSource(handoff, stageEvidence(source, terms, from, !had));
  const into: Carriers = {
    // A delegate that goes on after an interrupt is given an answer, and has its input still.
    values: given,
    messages: [messages],
    whole: !goesOn,
    // The tool may have put a key into words of its own.
    hidden: rewritten(above.values['messages'], messages),
  };
  const payload = readCarriers(into, terms, wiring.secret());
  const channel: PayloadChannel = had || carriesKeys(payload) ? 'envelope' : 'text';
  ways.set(handoff, { channel });
  setPayload(handoff, stageEvidence(payload, terms, into, channel === 'text'), {
    channel,
    size: channel === 'envelope' && !goesOn ? payloadSize(input) : undefined,
  });
}

/** The return leg of a delegation: what the delegate knew at its end, and what came back. Returns the latter. */
export function concludeAnswer(handoff: FollowedHandoff, state: GraphState, content: unknown): StageCapture {
  const { terms, wiring } = handoff;
  const from: Carriers = { values: [state.values], messages: [state.values['messages']], whole: state.whole };
  const source = readCarriers(from, terms, wiring.secret());
  const isJson = typeof content === 'object' || (typeof content === 'string' && /^\s*\{/.test(content));
  const back = isJson ? captureStage(content, terms, wiring.secret()) : unseenStage('unsupported');
  setSource(handoff, stageEvidence(source, terms, from, !carriesKeys(source)));
  setPayload(handoff, back, {
    channel: isJson ? 'envelope' : 'text',
    size: typeof content === 'string' ? Buffer.byteLength(content) : undefined,
  });
  return back;
}

/** What a node wrote to the state, and what it returned, also where the schema has no place for it. */
function written({ task, result, graphRun }: NodeRun): readonly unknown[] {
  const channels = new Set(stateChannels(graphRun.graph));
  const writes: Record<string, unknown> = {};
  for (const [channel, value] of task.writes) if (channels.has(channel)) writes[channel] = value;
  const command = commandOf(result);
  const returned = Array.isArray(result) ? result : [result];
  const objects =
    command === undefined
      ? returned.flatMap((each) => (commandOf(each) === undefined ? [each] : updates(commandOf(each)?.update)))
      : updates(command.update);
  return [writes, ...objects];
}

/** The update of a `Command`: an object, or pairs of a name and a value. */
function updates(update: unknown): readonly unknown[] {
  if (!Array.isArray(update)) return update === undefined ? [] : [update];
  const members: Record<string, unknown> = {};
  for (const pair of update as readonly unknown[])
    if (Array.isArray(pair) && typeof pair[0] === 'string') members[pair[0]] = pair[1];
  return [members];
}

/** Whether the state has a place for anything but messages. */
function declaresState({ graph }: GraphRun): boolean {
  return stateChannels(graph).some((name) => !isBookkeeping(name) && name !== 'structuredResponse');
}
