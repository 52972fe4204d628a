import { types } from 'node:util';
import { HandoffContractError } from '@seamtrace/contracts';
import type { AnyFunction } from '../../hooks/any-function.js';
import { errorTypeOf } from '../../hooks/error-type.js';
import { ownData, text } from '../../hooks/own-data.js';
import { within } from '../../hooks/scope.js';
import { guarded } from '../../runtime/report.js';
import { follow } from '../../hooks/follow-call.js';
import { patchModelClass } from './model-call.js';
import { patchLlmClass } from './output.js';
import type { PatchedCopy } from './patch.js';
import { asksPerson } from './people.js';
import type { MastraRun } from './run.js';
import { beginRun, endRun, runIsNamed } from './run-flow.js';
import { currentScope, inScope } from './run-scope.js';
import { followAgentTools, followTools } from './tool-calls.js';

type Wrap = (original: AnyFunction) => AnyFunction;

/** How a call of an agent ends. */
export type RunEnding =
  /** With its result. */
  | 'result'
  /** With its output, which is only given out then. */
  | 'output'
  /** Nobody can tell: what it gives out is not followed. */
  | 'unseen';

/** `generate`, `stream` and what resumes them: an agent's run. */
export function wrapRun(copy: PatchedCopy, ending: RunEnding, resumes: boolean): Wrap {
  return (original) =>
    function run(this: unknown, ...args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(original, this, args);
      if (!copy.active || typeof this !== 'object' || this === null) return call();
      const [input, options] = args;
      const begun = guarded(
        'an agent run',
        () =>
          beginRun({
            wiring: copy.wiring,
            agent: this,
            input: resumes ? undefined : input,
            options,
            resumed: resumes ? input : undefined,
          }),
        undefined,
      );
      if (begun === undefined) return call();
      if (begun instanceof HandoffContractError) return Promise.reject(begun);
      return follow(() => inScope({ run: begun, call: undefined }, () => within(begun.followed.context, call)), {
        done: (result) => {
          begun.result = result;
          if (ownData(result, 'finishReason') === 'suspended') asksPerson(begun, ownData(result, 'suspendPayload'));
          if (ending !== 'output' || begun.output === undefined) endRun(begun);
        },
        failed: (error) => endRun(begun, errorTypeOf(error)),
      });
    };
}

/** `convertTools`: the tools of one run, made anew for it. */
export function wrapConvertTools(copy: PatchedCopy): Wrap {
  return followResult(
    copy,
    (run, [options], tools) => {
      run.requestContext = ownData(options, 'requestContext') ?? run.requestContext;
      followTools(run, tools);
    },
    (run, [options]) => runIsNamed(run, text(ownData(options, 'runId'))),
  );
}

/** `listAgentTools`: the delegation tools among them. */
export function wrapListAgentTools(copy: PatchedCopy): Wrap {
  return followResult(copy, (run, [options], tools) => followAgentTools(run, tools, ownData(options, 'delegation')));
}

/** `listAgents`: who stands behind the delegation tools. It may be a function of the application's, which only Mastra calls. */
export function wrapListAgents(copy: PatchedCopy): Wrap {
  return (original) =>
    function listAgents(this: unknown, ...args: unknown[]): unknown {
      const scope = copy.active ? currentScope() : undefined;
      const holder = [scope?.network, scope?.run].find((each) => each?.agent === this);
      const call = (): unknown => Reflect.apply(original, this, args);
      if (holder === undefined) return call();
      return follow(call, {
        done: (agents) => {
          if (typeof agents === 'object' && agents !== null && !types.isProxy(agents))
            holder.agents = agents as Record<string, unknown>;
        },
        failed: () => undefined,
      });
    };
}

/** `getLLM`: the model of a run, by whose class its calls and its output are seen. */
export function wrapGetLLM(copy: PatchedCopy): Wrap {
  const active = (): boolean => copy.active;
  const met = (llm: unknown): void => {
    patchLlmClass(llm, active, copy.keep);
    const getModel = (llm as { getModel?: unknown } | undefined)?.getModel;
    if (typeof getModel === 'function') copy.keep(patchModelClass(Reflect.apply(getModel, llm, []), active));
  };
  return (original) =>
    function getLLM(this: unknown, ...args: unknown[]): unknown {
      const call = (): unknown => Reflect.apply(original, this, args);
      return copy.active ? follow(call, { done: met, failed: () => undefined }) : call();
    };
}

/** Lets a method of an agent that runs at the moment go its way, and looks at what it gives. */
function followResult(
  copy: PatchedCopy,
  done: (run: MastraRun, args: readonly unknown[], result: unknown) => void,
  before?: (run: MastraRun, args: readonly unknown[]) => void,
): Wrap {
  return (original) =>
    function method(this: unknown, ...args: unknown[]): unknown {
      const scope = copy.active ? currentScope() : undefined;
      const run = scope?.run;
      const call = (): unknown => Reflect.apply(original, this, args);
      if (run === undefined || run.agent !== this || run.followed.ended || scope?.call !== undefined) return call();
      if (before !== undefined) guarded('an agent run', () => before(run, args), undefined);
      return follow(call, { done: (result) => done(run, args, result), failed: () => undefined });
    };
}
