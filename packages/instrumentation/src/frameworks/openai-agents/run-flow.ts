import { randomUUID } from 'node:crypto';
import { context as otelContext, trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { frameOf } from '../../accept/frame.js';
import { newHandoffId } from '../../handoff/id.js';
import { beginTask, subtask, type Task } from '../../handoff/task.js';
import type { Wiring } from '../../hooks/wiring.js';
import type { AgentRun, RunMemory } from './agent-run.js';
import { endTurn, startTurn } from './agent-turn.js';
import { createClock } from '../../hooks/clock.js';
import { consumerContext, endDispatch } from './dispatch.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import type { AgentLike, RunnerLike, RunOptionsLike, RunStateLike } from './internal-types.js';
import { workingSpan } from './live-context.js';
import { readRunOptions } from './model-input-filter.js';
import { ownData, text } from '../../hooks/own-data.js';
import { currentScope } from './run-scope.js';
import { closeTools, settleTools } from './tool-calls.js';
import { createToolResults } from './tool-results.js';

const memories = new WeakMap<object, RunMemory>();
/** Runs in progress. Each leaves when the SDK settles it, as it does with streams that nobody reads too. */
const openRuns = new Set<AgentRun>();

export interface RunCall {
  readonly wiring: Wiring;
  readonly runner: RunnerLike;
  readonly agent: AgentLike;
  readonly input: unknown;
  /** The `RunState` that is resumed, where one was given instead of input. */
  readonly resumed: RunStateLike | undefined;
  readonly options: RunOptionsLike | undefined;
}

/** `Runner.run` is called: which agent begins, which task is served, and what this run continues. */
export function beginRun({ wiring, runner, agent, input, resumed, options }: RunCall): AgentRun {
  const scoped = currentScope()?.run;
  const parent = scoped === undefined || scoped.ended ? undefined : scoped;
  const outer = otelContext.active();
  const outerSpan = trace.getSpan(outer) ?? (parent === undefined ? undefined : workingSpan(parent));
  const known = resumed === undefined ? undefined : memories.get(resumed);
  const taskOfSpans = parent?.taskOfSpans ?? known?.task ?? frameOf(outer)?.task ?? beginTask(undefined);
  const memory = known ?? createMemory(parent, taskOfSpans);
  const read = readRunOptions(runner, options);
  const conversationId = text(read.conversationId) ?? text(resumed?._conversationId);
  const previousResponseId = text(read.previousResponseId) ?? text(resumed?._previousResponseId);
  const run: AgentRun = {
    wiring,
    runner,
    input,
    tracer: wiring.tracer(),
    now: createClock(),
    parent,
    memory,
    taskOfSpans,
    baseContext: outerSpan === undefined ? outer : trace.setSpan(outer, outerSpan),
    conversationId: text(read.conversationId),
    serverHoldsHistory: conversationId !== undefined || previousResponseId !== undefined,
    modelInputFilter: read.filter,
    destinationHidden: !read.readable || (read.filter !== undefined && !read.followable),
    state: resumed,
    turn: undefined,
    lastSpan: undefined,
    dispatch: undefined,
    tools: new Set(),
    ended: false,
  };
  const { current } = memory;
  // The same handoff is executed again: its id stays, and the lowest execution with whole evidence counts.
  if (current !== undefined) current.state = { ...current.state, execution: current.state.execution + 1 };
  startTurn(run, resumed?._currentAgent ?? agent, undefined, run.baseContext);
  openRuns.add(run);
  return run;
}

function createMemory(parent: AgentRun | undefined, task: Task): RunMemory {
  return {
    nonce: randomUUID(),
    // A run inside a tool call hands over within a subtask of its own: its hops are not the outer agents'.
    task: parent === undefined ? task : subtask(parent.memory.task, { id: newHandoffId() }),
    current: undefined,
    toolResults: createToolResults(),
    attempts: new Map(),
  };
}

/** Event `agent_start`: nothing new for the agent that the run began with; after a handoff, the next agent's turn. */
export function agentStarts(run: AgentRun, agent: AgentLike, turnInput: unknown): void {
  const { dispatch, turn } = run;
  if (turn !== undefined) {
    turn.turnInput = turnInput;
    return;
  }
  run.memory.current = dispatch;
  run.dispatch = undefined;
  if (dispatch !== undefined) endDispatch(dispatch, 'dispatched', run.now());
  const producer = run.lastSpan === undefined ? run.baseContext : trace.setSpan(run.baseContext, run.lastSpan);
  startTurn(run, agent, turnInput, dispatch === undefined ? producer : consumerContext(run, dispatch));
}

export interface RunEnd {
  readonly state?: object | undefined;
  readonly failed?: { readonly error: unknown } | undefined;
  readonly cancelled?: boolean;
}

/** The run is over: what is open ends now, and what a resume needs is kept with the state that it would resume. */
export function endRun(run: AgentRun, { state, failed, cancelled }: RunEnd): void {
  if (run.ended) return;
  run.ended = true;
  openRuns.delete(run);
  const now = run.now();
  const errorType = failed !== undefined ? errorTypeOf(failed.error) : cancelled === true ? 'cancelled' : undefined;
  // The SDK took the handoff, and no agent ever began with it.
  const pending = run.dispatch;
  if (pending?.callUnclear === true && failed !== undefined)
    // What the filter returned could not be read, and the SDK failed on it.
    pending.state = { ...pending.state, payloadCapture: unseenStage('error') };
  if (pending !== undefined) endDispatch(pending, 'dropped', now, errorType);
  run.dispatch = undefined;
  settleTools(run, failed);
  closeTools(run, errorType);
  endTurn(run, now, errorType);
  for (const key of [state, run.state]) if (key !== undefined) memories.set(key, run.memory);
}

/**
 * Ends what is open when the process exits. A stream may have given out its last event with its promise still to settle;
 * any other run was cut off.
 */
export function endOpenRuns(): void {
  for (const run of openRuns) {
    const finished = run.state?._currentStep?.type === 'next_step_final_output';
    endRun(run, { cancelled: !finished });
  }
}

/** The `RunState` of an error that the SDK raised, for a later resume from it. */
export function stateOf(holder: unknown): object | undefined {
  const state = ownData(holder, 'state');
  return typeof state === 'object' && state !== null ? state : undefined;
}
