import { unseenStage } from '../../capture/stage-capture.js';
import { noteDispatched, runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { endTurn } from './agent-turn.js';
import { beginDispatch, type Dispatch, endDispatch } from './dispatch.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import type { AgentLike, HandoffLike } from './internal-types.js';
import type { CarrierReading } from './carriers.js';
import { elements, ownData, text } from '../../hooks/own-data.js';
import { refuseDispatch } from './refusal.js';
import { concludePayload, concludeSource, readNow, withEarlier } from './stages.js';
import { settleTools } from './tool-calls.js';

// The order in the SDK: `onInvokeHandoff` (which calls the application's `onHandoff`), event `agent_handoff`, input
// filter, and in the next turn event `agent_start`, dynamic instructions, `callModelInputFilter`, model.

/** The model's first handoff call of a turn is about to run. */
export function invokeStarts(run: AgentRun, handoff: HandoffLike, agent: AgentLike, args: readonly unknown[]): void {
  settleTools(run);
  // What came by an earlier call stands in the transcript still, where a model can read it and copy it.
  run.memory.toolResults.add(run.turn?.arrived);
  const source = run.turn?.name ?? text(agent.name);
  const target = text(handoff.agentName);
  if (source === undefined || target === undefined) return;
  const requested = elements(run.state?._lastProcessedResponse?.handoffs);
  const callId = callIdOf(requested[0]);
  const dispatch = beginDispatch(run, {
    source,
    target,
    call: { callId, toolName: text(handoff.toolName) },
    args: text(args[1]),
    position: 0,
    handoff,
  });
  dispatch.sourceSeen = readNow(run, dispatch, args[0]);
  run.dispatch = dispatch;
  requested.forEach((each, position) => {
    if (position > 0 && !askedBefore(requested, position)) dropped(run, source, each, position, args[0]);
  });
}

/**
 * Whether an earlier item is the same request: a stream may give out two items of one call. As newer versions of the SDK
 * have it, that takes the id, the tool and the arguments; without an id nobody can tell.
 */
function askedBefore(requested: readonly unknown[], position: number): boolean {
  const callId = callIdOf(requested[position]);
  if (callId === undefined || callId === '') return false;
  const parts = (each: unknown) =>
    ['callId', 'name', 'arguments'].map((part) => ownData(ownData(each, 'toolCall'), part));
  const asked = parts(requested[position]);
  return requested.slice(0, position).some((each) => parts(each).every((part, index) => part === asked[index]));
}

function callIdOf(requested: unknown): string | undefined {
  return text(ownData(ownData(requested, 'toolCall'), 'callId'));
}

/** The SDK runs one handoff a turn. The others are known to have been asked for, and to reach nobody. */
function dropped(run: AgentRun, source: string, requested: unknown, position: number, runContext: unknown): void {
  const handoff = ownData(requested, 'handoff') as HandoffLike | undefined;
  const toolCall = ownData(requested, 'toolCall');
  const target = text(handoff?.agentName);
  if (target === undefined) return;
  const call = { callId: text(ownData(toolCall, 'callId')), toolName: text(handoff?.toolName) };
  const args = text(ownData(toolCall, 'arguments'));
  const dispatch = beginDispatch(run, { source, target, call, args, position, handoff });
  const reading = readNow(run, dispatch, runContext);
  concludeSource(run, dispatch, reading);
  // What no filter would have touched is what would have been sent.
  if (typeof handoff?.inputFilter !== 'function') concludePayload(run, dispatch, reading);
  endDispatch(dispatch, 'dropped', run.now());
}

/** The handoff returned the agent that takes over, and the application's `onHandoff` has run. */
export function invokeReturned(run: AgentRun, next: unknown, args: readonly unknown[]): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  dispatch.returned = true;
  dispatch.destination = text(ownData(next, 'name'));
  dispatch.sourceSeen = withEarlier(dispatch, readNow(run, dispatch, args[0]));
}

export function invokeFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  if (dispatch.sourceSeen !== undefined) concludeSource(run, dispatch, dispatch.sourceSeen);
  dispatchFailed(run, dispatch, error);
}

/** The application or the SDK threw before anything was sent, so what would have been sent is not known. */
export function dispatchFailed(run: AgentRun, dispatch: Dispatch, error: unknown): void {
  dispatch.state = { ...dispatch.state, payloadCapture: unseenStage('error') };
  endDispatch(dispatch, 'dropped', run.now(), errorTypeOf(error));
  run.dispatch = undefined;
}

/**
 * The listeners of `agent_handoff` are through, the runner's and the agent's: the source ends here, and so does the
 * dispatch where no filter follows. Does nothing where it was done. Throws where the contract is enforced.
 */
export function handoffAnnounced(run: AgentRun, runContext: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined || !dispatch.returned || dispatch.announced) return;
  dispatch.announced = true;
  const reading = guarded('the source of a handoff', () => readNow(run, dispatch, runContext), undefined);
  if (reading !== undefined)
    guarded('the source of a handoff', () => concludeSource(run, dispatch, withEarlier(dispatch, reading)), undefined);
  refuseDispatch(run, dispatch, 'source');
  if (typeof dispatch.handoff?.inputFilter !== 'function') dispatchEnds(run, dispatch, runContext, reading);
}

/** The dispatch is over: payload, end of the producer's turn. Throws where the contract is enforced and a key is lost. */
export function dispatchEnds(run: AgentRun, dispatch: Dispatch, runContext: unknown, reading?: CarrierReading): void {
  guarded(
    'the end of a handoff',
    () => {
      concludePayload(run, dispatch, reading ?? readNow(run, dispatch, runContext));
      dispatch.endedAt = run.now();
    },
    undefined,
  );
  refuseDispatch(run, dispatch, 'payload');
  guarded(
    'the end of a turn',
    () => {
      run.memory.task = { ...run.memory.task, hop: dispatch.state.hop };
      run.memory.attempts.clear();
      if (run.turn !== undefined) noteDispatched(runOf(run.turn.span, run.turn.parentContext), dispatch.state.id);
      endTurn(run, run.now());
    },
    undefined,
  );
}
