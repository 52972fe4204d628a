import type { AnyFunction } from '../../hooks/any-function.js';
import { followGenerator, type GeneratorFlow } from '../../hooks/follow-generator.js';
import { elements } from '../../hooks/own-data.js';
import type { Wiring } from '../../hooks/wiring.js';
import { type Unwrap, wrapMethod } from '../../hooks/wrap-method.js';
import { guarded } from '../../runtime/report.js';
import { modelStarts } from './destination.js';
import type { AgentLike, StrandsModule, ToolContextLike } from './internal-types.js';
import { agentFlow } from './run-flow.js';
import { currentFrame } from './scope.js';
import { nodeFlow } from './swarm-flow.js';
import { toolFlow } from './tool-calls.js';

/** One loaded copy of the SDK, patched. */
export interface PatchedCopy {
  readonly wiring: Wiring;
  /** False after `disable`; a wrapper that had to stay then only passes through. */
  active: boolean;
}

const PATCHED = Symbol.for('seamtrace.instrumentation.strands.v1.patched');

type Flow = (self: object, args: readonly unknown[]) => GeneratorFlow;

/**
 * Patches the prototypes of one copy of the SDK, once, whoever asks and from whichever build of this package. Returns what
 * takes the patches away again, or `undefined` where the copy is patched already or is none.
 *
 * No hook is added to agents and swarms: hooks run in the order in which they were added, and can be counted.
 */
export function patchCopy(module: StrandsModule, wiring: Wiring): (() => void) | undefined {
  const agent = module.Agent?.prototype as Record<symbol, unknown> | undefined;
  if (agent === undefined || agent[PATCHED] === true) return undefined;
  const copy: PatchedCopy = { wiring, active: true };
  const followTool: Flow = (tool, args) => toolFlow(copy, tool, args[0] as ToolContextLike | undefined);
  const unwraps: (Unwrap | undefined)[] = [
    wrapMethod(
      agent,
      'stream',
      followed(copy, (self, args) => agentFlow(copy, self as AgentLike, args)),
    ),
    wrapMethod(agent, '_streamFromModel', wrapModel(copy)),
    wrapMethod(
      module.Swarm?.prototype,
      '_streamNode',
      followed(copy, (self, args) => nodeFlow(copy, self, args)),
    ),
    wrapMethod(module.FunctionTool?.prototype, 'stream', followed(copy, followTool)),
    wrapMethod(module.ZodTool?.prototype, 'stream', followed(copy, followTool)),
  ];
  unwraps.push(wrapMethod(agent, 'asTool', wrapAsTool(copy, followTool, unwraps)));
  Object.defineProperty(agent, PATCHED, { value: true, configurable: true });
  return () => {
    copy.active = false;
    for (const unwrap of unwraps) unwrap?.();
    delete agent[PATCHED];
  };
}

/** A method that gives a generator, which is followed. */
function followed(copy: PatchedCopy, flow: Flow): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function stream(this: unknown, ...args: unknown[]): unknown {
      const generator = original.apply(this, args);
      if (copy.active)
        guarded('following a stream', () => followGenerator(generator, flow(this as object, args)), undefined);
      return generator;
    };
}

/** The last before the model: after the hooks, the middleware and the conversation manager. */
function wrapModel(copy: PatchedCopy): (original: AnyFunction) => AnyFunction {
  return (original) =>
    function _streamFromModel(this: unknown, ...args: unknown[]): unknown {
      const frame = copy.active ? currentFrame() : undefined;
      const generator = original.apply(this, args);
      if (frame === undefined || frame.agent !== this) return generator;
      // From 1.1 the model comes first.
      const at = args.findIndex(Array.isArray);
      if (at < 0) return generator;
      const begins: GeneratorFlow = {
        enter() {
          const [messages, options, shared] = [elements(args[at]), args[at + 1], args[at + 2]];
          const error = guarded(
            'what a model is given',
            () => modelStarts(frame, messages, options, shared),
            undefined,
          );
          if (error !== undefined) throw error;
          return undefined;
        },
        yielded() {
          // The model's answer is the agent's.
        },
        left() {
          // The agent says how it went.
        },
      };
      guarded('following a model call', () => followGenerator(generator, begins), undefined);
      return generator;
    };
}

/** The SDK does not export the class of an agent as a tool: the first one made shows its prototype. */
function wrapAsTool(
  copy: PatchedCopy,
  flow: Flow,
  unwraps: (Unwrap | undefined)[],
): (original: AnyFunction) => AnyFunction {
  let wrapped = false;
  return (original) =>
    function asTool(this: unknown, ...args: unknown[]): unknown {
      const tool = original.apply(this, args);
      if (copy.active && !wrapped && typeof tool === 'object' && tool !== null) {
        wrapped = true;
        guarded(
          'an agent as a tool',
          () => unwraps.push(wrapMethod(Object.getPrototypeOf(tool) as object, 'stream', followed(copy, flow))),
          undefined,
        );
      }
      return tool;
    };
}
