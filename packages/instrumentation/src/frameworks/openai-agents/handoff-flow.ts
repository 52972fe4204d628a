import { unseenStage } from '../../capture/stage-capture.js';
import { noteDispatched, runOf } from '../../processor/run.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { endTurn } from './agent-turn.js';
import { beginDispatch, type Dispatch, endDispatch } from './dispatch.js';
import { errorTypeOf } from './error-type.js';
import type { AgentLike, HandoffLike } from './internal-types.js';
import { elements, ownData, text } from './own-data.js';
import { refuseDispatch } from './refusal.js';
import { concludePayload, concludeSource, readNow } from './stages.js';
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
  const callId = text(ownData(requested.map((each) => ownData(each, 'toolCall'))[0], 'callId'));
  const dispatch = beginDispatch(run, {
    source,
    target,
    call: { callId, toolName: text(handoff.toolName) },
    args: text(args[1]),
    position: 0,
    handoff,
  });
  dispatch.sourceBefore = readNow(run, dispatch, args[0]);
  run.dispatch = dispatch;
  requested.slice(1).forEach((each, index) => dropped(run, source, each, index + 1, args[0]));
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

/** The handoff returned the agent that takes over. Throws where the contract is enforced and the source lacks a key. */
export function invokeReturned(run: AgentRun, next: unknown, args: readonly unknown[]): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  guarded(
    'the source of a handoff',
    () => {
      dispatch.destination = text((next as AgentLike | undefined)?.name);
      concludeSource(run, dispatch, readNow(run, dispatch, args[0]));
    },
    undefined,
  );
  refuseDispatch(run, dispatch, 'source');
}

export function invokeFailed(run: AgentRun, error: unknown): void {
  const { dispatch } = run;
  if (dispatch === undefined) return;
  if (dispatch.sourceBefore !== undefined) concludeSource(run, dispatch, dispatch.sourceBefore);
  dispatchFailed(run, dispatch, error);
}

/** The application or the SDK threw before anything was sent, so what would have been sent is not known. */
export function dispatchFailed(run: AgentRun, dispatch: Dispatch, error: unknown): void {
  dispatch.state = { ...dispatch.state, payloadCapture: unseenStage('error') };
  endDispatch(dispatch, 'dropped', run.now(), errorTypeOf(error));
  run.dispatch = undefined;
}

/** Event `agent_handoff`. Without a filter this is the last moment of the dispatch. */
export function handoffAnnounced(run: AgentRun, runContext: unknown): void {
  const { dispatch } = run;
  // A handoff that could not be followed still ends the turn of the agent that made it.
  if (dispatch === undefined) return void guarded('the end of a turn', () => endTurn(run, run.now()), undefined);
  if (typeof dispatch.handoff?.inputFilter === 'function') return;
  dispatchEnds(run, dispatch, runContext);
}

/** The dispatch is over: payload, end of the producer's turn. Throws where the contract is enforced and a key is lost. */
export function dispatchEnds(run: AgentRun, dispatch: Dispatch, runContext: unknown): void {
  guarded(
    'the end of a handoff',
    () => {
      concludePayload(run, dispatch, readNow(run, dispatch, runContext));
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
