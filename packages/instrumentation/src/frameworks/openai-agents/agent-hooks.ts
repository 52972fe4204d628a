import { types } from 'node:util';
import { guarded } from '../../runtime/report.js';
import type { AgentRun, AgentTurn } from './agent-run.js';
import { namesOf } from './agent-tools.js';
import { captureDestination } from './destination.js';
import { followHandoff } from './follow-handoff.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import type { AgentLike, RunContextLike } from './internal-types.js';
import type { PatchedCopy } from './patch.js';
import { returnsAreRead } from './return-leg.js';
import { currentScope } from './run-scope.js';

/** `Agent.prototype.getEnabledHandoffs`: the handoffs that a turn offers to the model, each followed. */
export function wrapGetEnabledHandoffs(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function getEnabledHandoffs(this: unknown, ...args) {
      const handoffs = Reflect.apply(original, this, args);
      if (!copy.active) return handoffs;
      const plain = copy.module.Handoff?.prototype;
      return after(handoffs, (list) =>
        Array.isArray(list) ? list.map((handoff) => followHandoff(handoff, this as AgentLike, plain)) : list,
      );
    };
}

/** `Agent.prototype.getAllTools`: the tools that a turn offers to the model, those of MCP servers among them. */
export function wrapGetAllTools(copy: PatchedCopy) {
  return (original: AnyFunction): AnyFunction =>
    function getAllTools(this: unknown, ...args) {
      const tools = Reflect.apply(original, this, args);
      const run = copy.active ? currentScope()?.run : undefined;
      if (run === undefined) return tools;
      const agent = this as AgentLike;
      const turn = awaitedTurn(run, agent);
      const ahead = turn === undefined && run.turn === undefined && run.dispatch !== undefined;
      if (!ahead && (turn === undefined || turn.tools !== undefined)) return tools;
      return after(tools, (list) => {
        const names = guarded('the tools of an agent', () => namesOf(list), undefined);
        if (turn === undefined) run.offered = { agent, names };
        else turn.tools = names;
        return list;
      });
    };
}

/** `Agent.prototype.getSystemPrompt`: runs dynamic instructions, which may load or replace what the agent works with. */
export function wrapGetSystemPrompt(copy: PatchedCopy) {
  return wrapPrompt(copy, (agent) => !promptIsDynamic(agent));
}

/** `Agent.prototype.getPrompt`: runs a dynamic prompt, after the instructions and just before the model. */
export function wrapGetPrompt(copy: PatchedCopy) {
  return wrapPrompt(copy, promptIsDynamic);
}

function wrapPrompt(copy: PatchedCopy, isLast: (agent: AgentLike) => boolean) {
  return (original: AnyFunction): AnyFunction =>
    function prompt(this: unknown, ...args) {
      const result = Reflect.apply(original, this, args);
      const agent = this as AgentLike;
      const run = copy.active ? currentScope()?.run : undefined;
      if (run === undefined || run.destinationHidden || run.modelInputFilter !== undefined) return result;
      if (!isLast(agent)) return result;
      if (run.returned.length > 0)
        guarded(
          'what came back',
          () => returnsAreRead(run, (args[0] as RunContextLike | undefined)?.context),
          undefined,
        );
      const turn = awaitedTurn(run, agent);
      if (turn === undefined) return result;
      return after(result, (value) => {
        captureDestination(run, turn, (args[0] as RunContextLike | undefined)?.context, { hidden: false });
        return value;
      });
    };
}

/** The agent's turn, where it was started by a handoff and its model has not been called yet. */
function awaitedTurn(run: AgentRun, agent: AgentLike): AgentTurn | undefined {
  const { turn } = run;
  if (run.ended || turn?.handoff === undefined || turn.captured) return undefined;
  // A sandbox runs a copy of the agent under the same name.
  return turn.agent === agent || turn.name === agent.name ? turn : undefined;
}

function promptIsDynamic(agent: AgentLike): boolean {
  return guarded('an agent', () => typeof (agent as { prompt?: unknown }).prompt === 'function', false);
}

/** What comes of a value, now or when the SDK's promise for it resolves. A rejection passes through. */
function after(value: unknown, next: (value: unknown) => unknown): unknown {
  return types.isPromise(value) ? value.then(next) : next(value);
}
