import { randomUUID } from 'node:crypto';
import { context as otelContext, trace } from '@opentelemetry/api';
import { unseenStage } from '../../capture/stage-capture.js';
import { frameOf } from '../../accept/frame.js';
import { ambientTask } from '../../handoff/ambient-task.js';
import { newHandoffId } from '../../handoff/id.js';
import { beginTask, subtask, type Task } from '../../handoff/task.js';
import type { Wiring } from '../../hooks/wiring.js';
import { guarded } from '../../runtime/report.js';
import type { AgentRun, Delegation, RunMemory } from './agent-run.js';
import { endTurn, startTurn } from './agent-turn.js';
import { createClock } from '../../hooks/clock.js';
import { consumerContext, endDispatch } from './dispatch.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import type { AgentLike, RunnerLike, RunOptionsLike, RunStateLike } from './internal-types.js';
import { workingSpan } from './live-context.js';
import { readRunOptions } from './model-input-filter.js';
import { ownData, text } from '../../hooks/own-data.js';
import { asksPeople, peopleAnswer } from './people.js';
import { returnsAreUnread } from './return-leg.js';
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
  /** What the SDK groups its traces by, such as a conversation: the correlation of a chain that begins here. */
  readonly groupId?: string | undefined;
  /** The handoff by which it begins, where it is run inside a tool call of another run. */
  readonly delegation?: Delegation | undefined;
}

/** `Runner.run` is called: which agent begins, which task is served, and what this run continues. */
export function beginRun(call: RunCall): AgentRun {
  const { wiring, runner, agent, input, resumed, options, groupId, delegation } = call;
  const scoped = currentScope()?.run;
  const parent = scoped === undefined || scoped.ended ? undefined : scoped;
  const outer = otelContext.active();
  const outerSpan = trace.getSpan(outer) ?? (parent === undefined ? undefined : workingSpan(parent));
  const known = resumed === undefined ? undefined : memories.get(resumed);
  const carried = parent?.taskOfSpans ?? known?.task ?? frameOf(outer)?.task ?? ambientTask(outer);
  const taskOfSpans = carried ?? beginTask(undefined, groupId);
  const memory = known ?? createMemory(parent, taskOfSpans, delegation);
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
    offered: undefined,
    returned: [],
    delegation,
    ended: false,
  };
  const { current } = memory;
  // The same handoff is executed again: its id stays, and the lowest execution with whole evidence counts.
  if (current !== undefined && known !== undefined)
    current.state = { ...current.state, execution: current.state.execution + 1 };
  startTurn(run, resumed?._currentAgent ?? agent, undefined, run.baseContext);
  openRuns.add(run);
  if (resumed !== undefined) guarded('the answers of people', () => peopleAnswer(run, resumed), undefined);
  return run;
}

function createMemory(parent: AgentRun | undefined, task: Task, delegation: Delegation | undefined): RunMemory {
  return {
    nonce: randomUUID(),
    // An agent's run of itself hands over within a subtask of its own: its hops are not the outer agents'.
    task: delegation?.task ?? (parent === undefined ? task : subtask(parent.memory.task, { id: newHandoffId() })),
    current: delegation?.dispatch,
    toolResults: createToolResults(),
    attempts: new Map(),
    executions: new Map(),
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
  const { offered } = run;
  const next = startTurn(run, agent, turnInput, dispatch === undefined ? producer : consumerContext(run, dispatch));
  if (offered?.agent === agent) next.tools = offered.names;
  run.offered = undefined;
}

export interface RunEnd {
  readonly state?: object | undefined;
  readonly failed?: { readonly error: unknown } | undefined;
  readonly cancelled?: boolean;
}

/** Whether a run of this process was interrupted in that state, so that going on with it continues what is known. */
export function isKnown(state: object): boolean {
  return memories.has(state);
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
  if (run.delegation !== undefined && errorType === undefined && isFinal(run, state)) {
    run.delegation.returnedBy = run.turn?.name;
    run.delegation.task = run.memory.task;
  }
  returnsAreUnread(run, errorType !== undefined);
  if (failed === undefined) asksPeople(run, (state ?? run.state) as RunStateLike | undefined);
  endTurn(run, now, errorType);
  for (const key of [state, run.state]) if (key !== undefined) memories.set(key, run.memory);
}

/**
 * Ends what is open when the process exits. A stream may have given out its last event with its promise still to settle;
 * any other run was cut off.
 */
export function endOpenRuns(): void {
  for (const run of openRuns) {
    const finished = isFinal(run, undefined);
    endRun(run, { cancelled: !finished });
  }
}

/** The run has come to its answer: it waits for no person. */
function isFinal(run: AgentRun, state: object | undefined): boolean {
  const { _currentStep } = (state ?? run.state ?? {}) as RunStateLike;
  return _currentStep?.type === 'next_step_final_output';
}

/** The `RunState` of an error that the SDK raised, for a later resume from it. */
export function stateOf(holder: unknown): object | undefined {
  const state = ownData(holder, 'state');
  return typeof state === 'object' && state !== null ? state : undefined;
}
