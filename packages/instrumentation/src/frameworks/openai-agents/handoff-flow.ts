import type { PayloadChannel } from '@seamtrace/semconv';
import { noteDispatched, runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { endTurn } from './agent-turn.js';
import { type CarrierReading, readCarriers, stageEvidence, unite } from './carriers.js';
import { beginDispatch, type Dispatch, endDispatch } from './dispatch.js';
import { errorTypeOf } from './error-type.js';
import { argumentsOf, callItems, rawItems } from './handoff-call.js';
import type { AgentLike, HandoffLike, RunContextLike } from './internal-types.js';
import { type MessageTexts, messageTexts, rewrote } from './message-texts.js';
import { elements, ownData, text } from './own-data.js';
import { refuseDispatch } from './refusal.js';
import { settleTools } from './tool-calls.js';

// The order in the SDK: `onInvokeHandoff` (which calls the application's `onHandoff`), event `agent_handoff`, input
// filter, and in the next turn event `agent_start`, dynamic instructions, `callModelInputFilter`, model.

/** The model's first handoff call of a turn is about to run. */
export function invokeStarts(run: AgentRun, handoff: HandoffLike, agent: AgentLike, args: readonly unknown[]): void {
  settleTools(run);
  const source = run.turn?.name ?? text(agent.name);
  const target = text(handoff.agentName);
  if (source === undefined || target === undefined) return;
  const context = contextOf(args[0]);
  const requested = elements(run.state?._lastProcessedResponse?.handoffs);
  const callId = text(ownData(requested.map((each) => ownData(each, 'toolCall'))[0], 'callId'));
  const dispatch = beginDispatch(run, {
    source,
    target,
    call: { callId, toolName: text(handoff.toolName) },
    args: text(args[1]),
    position: 0,
    handoff,
  });
  dispatch.sourceBefore = readCarriers({ context, args: dispatch.args }, dispatch.terms, run.wiring.secret());
  run.dispatch = dispatch;
  requested.slice(1).forEach((each, index) => dropped(run, source, each, index + 1, context));
}

/** The SDK runs one handoff a turn. The others are known to have been asked for, and to reach nobody. */
function dropped(run: AgentRun, source: string, requested: unknown, position: number, context: unknown): void {
  const handoff = ownData(requested, 'handoff') as HandoffLike | undefined;
  const toolCall = ownData(requested, 'toolCall');
  const target = text(handoff?.agentName);
  if (target === undefined) return;
  const call = { callId: text(ownData(toolCall, 'callId')), toolName: text(handoff?.toolName) };
  const args = text(ownData(toolCall, 'arguments'));
  const dispatch = beginDispatch(run, { source, target, call, args, position, handoff });
  const reading = readCarriers({ context, args }, dispatch.terms, run.wiring.secret());
  concludeSource(run, dispatch, reading);
  // What no filter would have touched is what would have been sent.
  if (typeof handoff?.inputFilter !== 'function') concludePayload(run, dispatch, reading);
  endDispatch(dispatch, 'dropped', run.now());
}

/** The handoff returned the agent that takes over. Throws where the contract is enforced and the source lacks a key. */
export function invokeReturned(run: AgentRun, next: unknown, args: readonly unknown[]): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  guarded(
    'the source of a handoff',
    () => {
      dispatch.destination = text((next as AgentLike | undefined)?.name);
      const context = contextOf(args[0]);
      concludeSource(
        run,
        dispatch,
        readCarriers({ context, args: dispatch.args }, dispatch.terms, run.wiring.secret()),
      );
    },
    undefined,
  );
  refuseDispatch(run, dispatch, 'source');
}

export function invokeFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  if (dispatch.sourceBefore !== undefined) concludeSource(run, dispatch, dispatch.sourceBefore);
  endDispatch(dispatch, 'dropped', run.now(), errorTypeOf(error));
  run.dispatch = undefined;
}

/** Event `agent_handoff`. Without a filter this is the last moment of the dispatch. */
export function handoffAnnounced(run: AgentRun, runContext: unknown): void {
  const { dispatch } = run;
  // A handoff that could not be followed still ends the turn of the agent that made it.
  if (dispatch === undefined) return void guarded('the end of a turn', () => endTurn(run, run.now()), undefined);
  if (typeof dispatch.handoff?.inputFilter === 'function') return;
  dispatchEnds(run, dispatch, contextOf(runContext));
}

/** What a filter was given, to be compared with what it returns. */
export interface BeforeFilter {
  readonly texts: MessageTexts;
  readonly calls: readonly object[];
}

export function filterStarts(run: AgentRun, input: unknown): BeforeFilter | undefined {
  const { dispatch } = run;
  if (dispatch === undefined) return undefined;
  const items = allItems(input);
  // Before 0.6 the SDK does not show the model's calls earlier than here.
  dispatch.call = { ...dispatch.call, callId: dispatch.call.callId ?? findCallId(input, dispatch) };
  const { call } = dispatch;
  return { texts: messageTexts(items.concat(historyText(input))), calls: callItems(items, call) };
}

export function filterReturned(
  run: AgentRun,
  before: BeforeFilter | undefined,
  given: unknown,
  filtered: unknown,
): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  guarded(
    'the payload of a handoff',
    () => {
      const items = allItems(filtered);
      dispatch.textRewritten =
        before === undefined || rewrote(before.texts, messageTexts(items.concat(historyText(filtered))));
      dispatch.args = argumentsAfter(before?.calls ?? [], items, filtered, dispatch);
    },
    undefined,
  );
  dispatchEnds(run, dispatch, contextOf(ownData(given, 'runContext')));
}

/** The arguments of the call in what the filter returned; `undefined` when the call is not there any more. */
function argumentsAfter(
  before: readonly object[],
  items: readonly unknown[],
  filtered: unknown,
  dispatch: Dispatch,
): string | undefined {
  const ours = before.at(-1);
  if (ours === undefined) return dispatch.args;
  const after = callItems(items, dispatch.call);
  if (after.includes(ours)) return argumentsOf(ours);
  // Filters copy items. Of several calls with one id, ours came last.
  const among =
    after.length >= before.length ? after : callItems(rawItems(ownData(filtered, 'newItems')), dispatch.call);
  return argumentsOf(among.at(-1));
}

function findCallId(input: unknown, { call, args }: Dispatch): string | undefined {
  const found = rawItems(ownData(input, 'newItems')).filter(
    (item) =>
      ownData(item, 'type') === 'function_call' &&
      ownData(item, 'name') === call.toolName &&
      (text(ownData(item, 'arguments')) ?? undefined) === args,
  );
  return text(ownData(found.at(-1), 'callId'));
}

/** The dispatch is over: payload, end of the producer's turn. Throws where the contract is enforced and a key is lost. */
function dispatchEnds(run: AgentRun, dispatch: Dispatch, context: unknown): void {
  guarded(
    'the end of a handoff',
    () => {
      concludePayload(
        run,
        dispatch,
        readCarriers({ context, args: dispatch.args }, dispatch.terms, run.wiring.secret()),
      );
      dispatch.endedAt = run.now();
    },
    undefined,
  );
  refuseDispatch(run, dispatch, 'payload');
  guarded(
    'the end of a turn',
    () => {
      run.memory.task = { ...run.memory.task, hop: dispatch.state.hop };
      if (run.turn !== undefined) noteDispatched(runOf(run.turn.span, run.turn.parentContext), dispatch.state.id);
      endTurn(run, run.now());
    },
    undefined,
  );
}

function concludeSource(run: AgentRun, dispatch: Dispatch, reading: CarrierReading): void {
  const { sourceBefore, terms } = dispatch;
  // What `onHandoff` adds the producer can read when it hands over; what it removes it could read a moment before.
  const capture = sourceBefore === undefined ? reading.capture : unite(sourceBefore.capture, reading.capture, terms);
  const channel = widest(sourceBefore?.channel, reading.channel);
  const facts = { channel, textRewritten: false, toolResults: run.memory.toolResults };
  dispatch.state = {
    ...dispatch.state,
    sourceCapture: stageEvidence(capture, terms, facts),
    payload: { channel },
  };
}

function concludePayload(run: AgentRun, dispatch: Dispatch, reading: CarrierReading): void {
  const channel = widest(dispatch.state.payload?.channel, reading.channel);
  const facts = { channel, textRewritten: dispatch.textRewritten, toolResults: run.memory.toolResults };
  // The context is shared, not sent: what the SDK serializes of a handoff is the call's arguments.
  const size = channel === 'envelope' ? Buffer.byteLength(dispatch.args ?? '') : undefined;
  dispatch.state = {
    ...dispatch.state,
    payloadCapture: stageEvidence(reading.capture, dispatch.terms, facts),
    payload: { channel, size },
  };
}

function widest(a: PayloadChannel | undefined, b: PayloadChannel): PayloadChannel {
  const order: readonly (PayloadChannel | undefined)[] = ['shared_state', 'envelope', 'text'];
  return order.find((channel) => channel === a || channel === b) ?? b;
}

function allItems(input: unknown): unknown[] {
  return ['inputHistory', 'preHandoffItems', 'newItems'].flatMap((name) => rawItems(ownData(input, name)));
}

function historyText(input: unknown): readonly unknown[] {
  const history = ownData(input, 'inputHistory');
  return typeof history === 'string' ? [{ role: 'user', content: history }] : [];
}

function contextOf(runContext: unknown): unknown {
  return (runContext as RunContextLike | undefined)?.context;
}

export function filterFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  endDispatch(dispatch, 'dropped', run.now(), errorTypeOf(error));
  run.dispatch = undefined;
}
