import { context as otelContext } from '@opentelemetry/api';
import { types } from 'node:util';
import type { HandoffContractError } from '@seamtrace/contracts';
import { guarded } from '../../runtime/report.js';
import type { AgentRun } from './agent-run.js';
import { endTurn } from './agent-turn.js';
import { delegates } from './delegation.js';
import { handoffAnnounced } from './handoff-flow.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import type { AgentLike, RunnerLike, RunOptionsLike, RunResultLike, RunStateLike } from './internal-types.js';
import { liveContext } from './live-context.js';
import { followModelInputFilter } from './model-input-filter.js';
import { ownData, text } from '../../hooks/own-data.js';
import type { PatchedCopy } from './patch.js';
import { agentStarts, beginRun, endRun, isKnown, stateOf } from './run-flow.js';
import { currentScope, inRun } from './run-scope.js';
import { toolEnds, toolReportedError, toolStarts } from './tool-calls.js';

/** `Runner.prototype.run`: everything that it starts, streams included, belongs to the run. */
export function wrapRun(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function run(this: unknown, ...args) {
      const runner = this as RunnerLike;
      const options = args[2] as RunOptionsLike | undefined;
      const begun = copy.active
        ? guarded('the begin of a run', () => begin(copy, runner, args, options), undefined)
        : undefined;
      if (begun === undefined) return Reflect.apply(original, this, args);
      // The SDK's own method gives a promise, however it fails.
      if ('refusal' in begun) return Promise.reject(begun.refusal);
      const call = guarded('a model input filter', () => followed(begun, args), args);
      const context = liveContext(begun.baseContext, begun);
      const result = inRun(begun, () => otelContext.with(context, () => Reflect.apply(original, this, call)));
      return types.isPromise(result) ? result.then(...endings(begun)) : result;
    };
}

/** The call with the application's filter of the model input followed, where there is one and that is possible. */
function followed(run: AgentRun, args: unknown[]): unknown[] {
  const { modelInputFilter } = run;
  if (modelInputFilter === undefined || run.destinationHidden) return args;
  run.destinationHidden = true;
  const options = followModelInputFilter(run, modelInputFilter, args[2] as object | undefined);
  run.destinationHidden = false;
  return [args[0], args[1], options, ...args.slice(3)];
}

function begin(
  copy: PatchedCopy,
  runner: RunnerLike,
  args: unknown[],
  options: RunOptionsLike | undefined,
): AgentRun | { readonly refusal: HandoffContractError } {
  const { RunState } = copy.module;
  const isState =
    typeof RunState === 'function' &&
    !types.isProxy(args[1]) &&
    args[1] instanceof (RunState as unknown as new () => object);
  const resumed = isState ? (args[1] as RunStateLike) : undefined;
  const agent = args[0] as AgentLike;
  const scope = currentScope();
  const inside = scope !== undefined && !scope.run.ended && scope.tool?.endedAt === undefined ? scope.tool : undefined;
  const begun =
    inside === undefined || scope === undefined || (resumed !== undefined && !startsAnew(resumed, agent))
      ? undefined
      : delegates(scope.run, inside, { agent, input: args[1], options, resumed });
  if (begun?.refusal !== undefined) return begun;
  return beginRun({
    wiring: copy.wiring,
    runner,
    agent,
    input: args[1],
    resumed,
    options,
    groupId: groupOf(copy, runner, resumed),
    delegation: begun?.delegation,
  });
}

/** As the SDK takes it: of the trace around the call, of the one that a state was left in, of the runner. */
function groupOf(
  { module }: PatchedCopy,
  { config }: RunnerLike,
  resumed: RunStateLike | undefined,
): string | undefined {
  const around = guarded('a trace', () => module.getCurrentTrace?.(), undefined);
  const groups = [ownData(around, 'groupId'), ownData(resumed?._trace, 'groupId'), ownData(config, 'groupId')];
  return groups.map(text).find((group) => group !== undefined && group !== '');
}

/** A state that another process left, at the agent that was asked: what this process knows of it begins here. */
function startsAnew(resumed: RunStateLike, agent: AgentLike): boolean {
  return !isKnown(resumed) && text(resumed._currentAgent?.name) === text(agent.name);
}

/**
 * The two ways out. They hand on what they got: the promise that the application holds settles as the SDK's does, so an
 * unhandled rejection stays one. A stream resolves before it is drained, and its run ends when its loop does.
 */
function endings(run: AgentRun): [(value: unknown) => unknown, (error: unknown) => never] {
  return [
    (value) => {
      guarded('the end of a run', () => follow(run, value as RunResultLike | undefined), undefined);
      return value;
    },
    (error) => {
      guarded('the end of a run', () => endRun(run, { failed: { error }, state: stateOf(error) }), undefined);
      throw error;
    },
  ];
}

function follow(run: AgentRun, result: RunResultLike | undefined): void {
  const state = stateOf(result);
  const { completed } = result ?? {};
  if (!types.isPromise(completed)) return endRun(run, { state });
  run.state ??= state;
  const end = (failed?: { readonly error: unknown }): void =>
    guarded(
      'the end of a stream',
      () => endRun(run, { state, failed, cancelled: result?.cancelled === true }),
      undefined,
    );
  // The SDK handles this promise's rejection itself, so a handler of ours hides none.
  completed.then(
    () => end(),
    (error: unknown) => end({ error }),
  );
}

/** `Runner.prototype.emit`: agents and tools start and end, handoffs are announced. */
export function wrapEmit(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function emit(this: unknown, ...args) {
      const run = copy.active ? currentScope()?.run : undefined;
      if (run === undefined || run.ended || run.runner !== this) return Reflect.apply(original, this, args);
      const [type, runContext, agent, subject, ...rest] = args;
      // Announced already, but for an agent that emits its events past the SDK's own method.
      if (type === 'agent_start') handoffAnnounced(run, runContext);
      if (type === 'agent_start') guarded(type, () => agentStarts(run, agent as AgentLike, subject), undefined);
      if (type === 'agent_tool_start') guarded(type, () => toolStarts(run, subject, rest[0], runContext), undefined);
      let emitted: unknown;
      try {
        emitted = Reflect.apply(original, this, args);
      } finally {
        if (type === 'agent_tool_end') guarded(type, () => toolEnds(run, subject, rest[0], rest[1]), undefined);
      }
      // A handoff that could not be followed still ends the turn of the agent that made it.
      if (type === 'agent_handoff' && run.dispatch === undefined)
        guarded(type, () => endTurn(run, run.now()), undefined);
      return emitted;
    };
}

/**
 * `Agent.prototype.emit`: the agent's own listeners hear of a handoff after the runner's, and may still write to the
 * context. The next agent's listeners of `agent_start` run on the other side of the boundary.
 */
export function wrapAgentEmit(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function emit(this: unknown, ...args) {
      const run = copy.active ? currentScope()?.run : undefined;
      if (run?.dispatch === undefined || run.ended) return Reflect.apply(original, this, args);
      const [type, runContext] = args;
      if (type === 'agent_start') handoffAnnounced(run, runContext);
      const emitted = Reflect.apply(original, this, args);
      if (type === 'agent_handoff') handoffAnnounced(run, runContext);
      return emitted;
    };
}

/** `RunState.prototype.setCurrentAgentSpan` (from 0.6), called in each turn: the only early sight of a run's state. */
export function wrapSetCurrentAgentSpan(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function setCurrentAgentSpan(this: unknown, ...args) {
      const run = copy.active ? currentScope()?.run : undefined;
      if (run !== undefined && !run.ended) run.state ??= this as RunStateLike;
      return Reflect.apply(original, this, args);
    };
}

/** `Span.prototype.setError` of the SDK's own tracing: tells of a tool that threw and of which the model got a text. */
export function wrapSetError(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function setError(this: unknown, ...args) {
      if (copy.active) guarded('a tool error', () => toolReportedError(ownData(args[0], 'message')), undefined);
      return Reflect.apply(original, this, args);
    };
}
