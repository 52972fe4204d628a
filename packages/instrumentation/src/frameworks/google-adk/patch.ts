import { errorTypeOf } from '../../hooks/error-type.js';
import type { AnyFunction } from '../../hooks/any-function.js';
import { isThenable } from '../../hooks/own-data.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { currentFrame } from './agent-frame.js';
import { enforcesIngest, modelStarts } from './destination.js';
import { followGenerator } from '../../hooks/follow-generator.js';
import type { AdkModule, AgentLike, InvocationContextLike, ModelRequestLike, ToolStep } from './internal-types.js';
import { agentFlow } from './run-flow.js';
import { toolEnds, toolStarts } from './tool-calls.js';

/** One loaded copy of the framework, patched. */
export interface PatchedCopy {
  readonly module: AdkModule;
  readonly wiring: Wiring;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.google-adk.v1.patched');

/**
 * Patches the prototypes of one copy of the framework, once, whoever asks and from whichever build of this package.
 * Returns what takes the patches away again, or `undefined` where the copy is patched already or is none.
 *
 * No plugin is registered: an application can list its plugins and would find one more, and one that answers a callback
 * keeps later ones from being asked.
 */
export function patchCopy(module: AdkModule, wiring: Wiring): (() => void) | undefined {
  const agent = module.BaseAgent?.prototype as Record<symbol, unknown> | undefined;
  if (agent === undefined || module.PluginManager === undefined || agent[PATCHED] === true) return undefined;
  const copy: PatchedCopy = { module, wiring, active: true };
  const plugins = module.PluginManager.prototype;
  const wrapped = [
    wrapMethod(agent, 'runAsync', wrapRunAsync(copy)),
    wrapMethod(module.LlmAgent?.prototype, 'handleBeforeModelCallback', wrapBeforeModel(copy)),
    wrapMethod(plugins, 'runBeforeToolCallback', wrapBeforeTool(copy)),
    wrapMethod(plugins, 'runOnToolErrorCallback', wrapToolError(copy)),
    wrapMethod(plugins, 'runAfterToolCallback', wrapAfterTool(copy)),
    wrapMethod(plugins, 'runOnModelErrorCallback', wrapModelError(copy)),
  ].filter((unwrap): unwrap is Unwrap => unwrap !== undefined);
  Object.defineProperty(agent, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of wrapped) unwrap();
    delete agent[PATCHED];
  };
}

/** `agent.runAsync(context)`: every agent of the framework and of the application is run by it. */
function wrapRunAsync(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function runAsync(this: unknown, ...args: unknown[]): unknown {
      const generator = original.apply(this, args);
      if (copy.active) {
        const flow = agentFlow(copy, this as AgentLike, args[0] as InvocationContextLike);
        guarded('following an agent', () => followGenerator(generator, flow), undefined);
      }
      return generator;
    };
}

/** The last that is asked before a model is called: the plugins first, then the agent's own callbacks. */
function wrapBeforeModel(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function handleBeforeModelCallback(this: unknown, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      const frame = currentFrame();
      if (!copy.active || frame === undefined || frame.agent !== this || !isThenable(result)) return result;
      const seen = () =>
        guarded('what a model is given', () => modelStarts(frame, args[1] as ModelRequestLike), undefined);
      if (!enforcesIngest(frame)) {
        // The framework waits for the very promise that it made.
        void Promise.prototype.then.call(result, seen, () => undefined);
        return result;
      }
      return Promise.prototype.then.call(result, (response: unknown) => {
        const error = seen();
        if (error !== undefined) throw error;
        return response;
      });
    };
}

/** Before a tool runs, and before any plugin or callback can change its arguments or answer in its place. */
function wrapBeforeTool(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function runBeforeToolCallback(this: unknown, ...args: unknown[]): unknown {
      const frame = copy.active ? currentFrame() : undefined;
      const refused =
        frame === undefined
          ? undefined
          : guarded('the start of a tool call', () => toolStarts(frame, args[0] as ToolStep), undefined);
      if (refused === undefined) return original.apply(this, args);
      // The source agent is told which keys are missing, as the answer to its call, and can hand over again.
      if (refused.onViolation === 'ask') return Promise.resolve({ error: refused.message });
      return Promise.reject(refused);
    };
}

function wrapToolError(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function runOnToolErrorCallback(this: unknown, ...args: unknown[]): unknown {
      const call = copy.active ? currentFrame()?.call : undefined;
      if (call !== undefined)
        guarded(
          'an error of a tool',
          () => void (call.errorType = errorTypeOf((args[0] as ToolStep).error)),
          undefined,
        );
      return original.apply(this, args);
    };
}

/** After a tool ran, failed, or was answered for; before any plugin or callback can change its result. */
function wrapAfterTool(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function runAfterToolCallback(this: unknown, ...args: unknown[]): unknown {
      const frame = copy.active ? currentFrame() : undefined;
      if (frame !== undefined) guarded('the end of a tool call', () => toolEnds(frame, args[0] as ToolStep), undefined);
      return original.apply(this, args);
    };
}

/** The framework makes an event of an error in a model step, unless a plugin answers for it. */
function wrapModelError(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function runOnModelErrorCallback(this: unknown, ...args: unknown[]): unknown {
      const frame = copy.active ? currentFrame() : undefined;
      if (frame !== undefined)
        guarded(
          'an error of a model',
          () => void (frame.modelError = errorTypeOf((args[0] as ToolStep).error)),
          undefined,
        );
      return original.apply(this, args);
    };
}
