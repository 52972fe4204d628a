import { errorTypeOf } from '../../hooks/error-type.js';
import type { GeneratorFlow } from '../../hooks/follow-generator.js';
import { memberOf, ownData, text } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { endToolCall, startToolCall } from '../../hooks/tool-call.js';
import { guarded } from '../../runtime/report.js';
import { askDelegation, toolReturns } from './delegation.js';
import { dropHandoff } from './handoff-flow.js';
import type { ToolContextLike } from './internal-types.js';
import type { PatchedCopy } from './patch.js';
import { nameOf } from './run-flow.js';
import { currentScope, inScope, type Scope, type ToolStep } from './scope.js';

/** Follows one call of a tool. */
export function toolFlow(copy: PatchedCopy, tool: object, context: ToolContextLike | undefined): GeneratorFlow {
  const scope: Scope = { frame: undefined, node: undefined, tool: undefined };
  return {
    enter() {
      const step = copy.active
        ? guarded('the start of a tool', () => startTool(copy, tool, context), undefined)
        : undefined;
      if (step === undefined) return undefined;
      scope.frame = step.frame;
      scope.tool = step;
      const inside = step.span?.context;
      return (work) => inScope(scope, () => (inside === undefined ? work() : within(inside, work)));
    },
    yielded() {
      // Updates of a tool are the application's.
    },
    left(failed, returned) {
      const { tool: step } = scope;
      scope.tool = undefined;
      scope.frame = undefined;
      if (step === undefined) return;
      const errorType = failed !== undefined ? errorTypeOf(failed.error) : errorOf(returned);
      if (step.announced !== undefined) dropHandoff(step.announced, errorType);
      step.announced = undefined;
      toolReturns(step, errorType !== undefined);
      if (step.span !== undefined) endToolCall(step.span, errorType);
    },
  };
}

function startTool(copy: PatchedCopy, tool: object, context: ToolContextLike | undefined): ToolStep | undefined {
  const scope = currentScope();
  const frame = scope?.frame;
  const use = ownData(context, 'toolUse');
  const toolUseId = text(ownData(use, 'toolUseId'));
  const name = text(ownData(use, 'name'));
  // A tool that is made of another one is one call.
  if (frame === undefined || frame.run.ended || name === undefined || scope?.tool !== undefined) return undefined;
  frame.shared = ownData(context, 'invocationState') ?? frame.shared;
  const input = ownData(use, 'input');
  const agent = memberOf(tool, '_agent').value;
  const target = agent === undefined ? undefined : nameOf(agent);
  const span = target === undefined ? startToolCall(frame.run, { name, callId: toolUseId, args: input }) : undefined;
  const step: ToolStep = { frame, toolUseId, name, input, span, announced: undefined, runs: 0, returning: undefined };
  if (target !== undefined && target !== frame.name) step.announced = askDelegation(copy.wiring, step, target);
  return step;
}

function errorOf(result: unknown): string | undefined {
  if (ownData(result, 'status') !== 'error') return undefined;
  const error = ownData(result, 'error');
  return error === undefined ? 'tool_error' : errorTypeOf(error);
}
